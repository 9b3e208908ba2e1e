#include "panta/geometry/shape.h"

#include <algorithm>

#include "panta/core/error.h"
#include "panta/geometry/distance_grid.h"
#include "panta/geometry/shape_program.h"

namespace panta {

namespace {

// The rotation from the y axis to a direction.
Mat3 y_axis_along(const Vec3& direction) {
  const Vec3 y = normalized(direction);
  const Vec3 helper = std::abs(y.x) < 0.9f ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
  const Vec3 z = normalized(cross(helper, y));
  const Vec3 x = cross(y, z);
  return transpose(Mat3{{x, y, z}});
}

ShapeNode solid(ShapeOp op, const Vec3& center, const Vec3& size, const Mat3& rotation = {}) {
  ShapeNode node;
  node.op = op;
  node.center = center;
  node.size = size;
  node.rotation = rotation;
  return node;
}

ShapeNode between(ShapeOp op, const Vec3& from, const Vec3& to, float radius_from,
                  float radius_to) {
  return solid(op, (from + to) * 0.5f, {radius_from, 0.5f * length(to - from), radius_to},
               y_axis_along(to - from));
}

bool is_solid(const ShapeNode& node) { return node.op < ShapeOp::unite; }

// The largest number of operands on the stack.
int stack_depth(const std::vector<ShapeNode>& nodes) {
  int depth = 0, most = 0;
  for (const ShapeNode& node : nodes) {
    if (is_solid(node)) most = std::max(most, ++depth);
    if (node.op == ShapeOp::unite || node.op == ShapeOp::intersect) --depth;
  }
  return most;
}

std::shared_ptr<const std::vector<DistanceGridView>> host_views(
    const std::vector<std::shared_ptr<const DistanceGrid>>& grids) {
  if (grids.empty()) return nullptr;
  std::vector<DistanceGridView> views;
  for (const auto& grid : grids) views.push_back(grid->host_view());
  return std::make_shared<const std::vector<DistanceGridView>>(std::move(views));
}

}  // namespace

ShapeView Shape::view() const {
  return {nodes_.data(), static_cast<int>(nodes_.size()),
          grid_views_ ? grid_views_->data() : nullptr};
}

Distance distance(const Shape& shape, const Vec3& x) { return distance(shape.view(), x); }

Shape Shape::of(const ShapeNode& node) {
  Shape shape;
  shape.nodes_.push_back(node);
  return shape;
}

Shape Shape::box(Vec3 minimum, Vec3 maximum) {
  return of(solid(ShapeOp::box, (minimum + maximum) * 0.5f, (maximum - minimum) * 0.5f));
}
Shape Shape::sphere(Vec3 centre, float radius) {
  return of(solid(ShapeOp::sphere, centre, {radius, 0, 0}));
}
Shape Shape::ellipsoid(Vec3 centre, Vec3 radii) {
  return of(solid(ShapeOp::ellipsoid, centre, radii));
}
Shape Shape::plane(Vec3 point, Vec3 normal) {
  return of(solid(ShapeOp::plane, point, {}, y_axis_along(normal)));
}
Shape Shape::cylinder(Vec3 from, Vec3 to, float radius) {
  return of(between(ShapeOp::cylinder, from, to, radius, radius));
}
Shape Shape::capsule(Vec3 from, Vec3 to, float radius) {
  return of(between(ShapeOp::capsule, from, to, radius, radius));
}
Shape Shape::cone(Vec3 from, Vec3 to, float radius_from, float radius_to) {
  return of(between(ShapeOp::cone, from, to, radius_from, radius_to));
}
Shape Shape::torus(Vec3 centre, Vec3 axis, float ring_radius, float tube_radius) {
  return of(solid(ShapeOp::torus, centre, {ring_radius, tube_radius, 0}, y_axis_along(axis)));
}
Shape Shape::grid(std::shared_ptr<const DistanceGrid> grid) {
  Shape shape = of(solid(ShapeOp::grid, {}, {1, 0, 0}));
  shape.grids_.push_back(std::move(grid));
  shape.grid_views_ = host_views(shape.grids_);
  return shape;
}

Shape Shape::moved(const Vec3& by) const {
  Shape result = *this;
  for (ShapeNode& node : result.nodes_)
    if (is_solid(node)) node.center += by;
  return result;
}

Shape Shape::rotated(const Quat& by, const Vec3& about) const {
  const Mat3 turn = rotation(by);
  Shape result = *this;
  for (ShapeNode& node : result.nodes_) {
    if (!is_solid(node)) continue;
    node.center = turn * (node.center - about) + about;
    node.rotation = turn * node.rotation;
  }
  return result;
}

Shape Shape::scaled(float factor, const Vec3& about) const {
  Shape result = *this;
  for (ShapeNode& node : result.nodes_) {
    node.amount *= factor;
    node.center = (node.center - about) * factor + about;
    node.size = node.size * factor;
  }
  return result;
}

Shape Shape::complement() const {
  Shape result = *this;
  for (ShapeNode& node : result.nodes_) {
    if (is_solid(node)) node.inside_out = !node.inside_out;
    if (node.op == ShapeOp::offset) node.amount = -node.amount;
    if (node.op == ShapeOp::unite) {
      node.op = ShapeOp::intersect;
    } else if (node.op == ShapeOp::intersect) {
      node.op = ShapeOp::unite;
    }
  }
  return result;
}

Shape combined(const Shape& a, const Shape& b, ShapeOp op, float blend) {
  if (a.empty() || b.empty()) return op == ShapeOp::unite ? (a.empty() ? b : a) : Shape();
  Shape result = a;
  const auto first_grid = static_cast<std::int32_t>(a.grids_.size());
  for (ShapeNode node : b.nodes_) {
    if (node.op == ShapeOp::grid) node.grid += first_grid;
    result.nodes_.push_back(node);
  }
  result.grids_.insert(result.grids_.end(), b.grids_.begin(), b.grids_.end());
  result.grid_views_ = host_views(result.grids_);
  ShapeNode node;
  node.op = op;
  node.amount = blend;
  result.nodes_.push_back(node);
  if (stack_depth(result.nodes_) > shape_stack)
    throw Error(ErrorKind::usage,
                "a shape is nested too deeply: list the parts of a union side by side instead of "
                "nesting them");
  return result;
}

Shape unite(const Shape& a, const Shape& b, float blend) {
  return combined(a, b, ShapeOp::unite, blend);
}
Shape intersect(const Shape& a, const Shape& b, float blend) {
  return combined(a, b, ShapeOp::intersect, blend);
}
Shape subtract(const Shape& a, const Shape& b, float blend) {
  return b.empty() ? a : combined(a, b.complement(), ShapeOp::intersect, blend);
}

Shape offset(const Shape& shape, float by) {
  if (shape.empty() || by == 0) return shape;
  Shape result = shape;
  ShapeNode node;
  node.op = ShapeOp::offset;
  node.amount = by;
  result.nodes_.push_back(node);
  return result;
}

Shape shell(const Shape& shape, float thickness) {
  return subtract(shape, offset(shape, -thickness));
}

ShapeList::Range ShapeList::add(const Shape& shape) {
  const Range range{static_cast<int>(nodes.size()), static_cast<int>(shape.nodes().size())};
  for (ShapeNode node : shape.nodes()) {
    node.grid += static_cast<std::int32_t>(grids.size());
    nodes.push_back(node);
  }
  grids.insert(grids.end(), shape.grids().begin(), shape.grids().end());
  return range;
}

}  // namespace panta
