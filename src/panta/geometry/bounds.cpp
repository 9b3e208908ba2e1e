#include "panta/geometry/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "panta/geometry/distance_grid.h"

namespace panta {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const ShapeBounds everywhere = {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};

ShapeBounds joined(const ShapeBounds& a, const ShapeBounds& b) {
  ShapeBounds r;
  for (int k = 0; k < 3; ++k) {
    r.min[k] = std::min(a.min[k], b.min[k]);
    r.max[k] = std::max(a.max[k], b.max[k]);
  }
  return r;
}

ShapeBounds shared(const ShapeBounds& a, const ShapeBounds& b) {
  ShapeBounds r;
  for (int k = 0; k < 3; ++k) {
    r.min[k] = std::max(a.min[k], b.min[k]);
    r.max[k] = std::min(a.max[k], b.max[k]);
  }
  return r;
}

ShapeBounds grown(ShapeBounds b, double by) {
  const Vec3d margin{by, by, by};
  return {b.min - margin, b.max + margin};
}

// Bounds of a disc normal to `axis`.
ShapeBounds disc_bounds(const Vec3d& center, const Vec3d& axis, double radius) {
  ShapeBounds b;
  for (int k = 0; k < 3; ++k) {
    const double reach = radius * std::sqrt(std::max(0.0, 1 - axis[k] * axis[k]));
    b.min[k] = center[k] - reach;
    b.max[k] = center[k] + reach;
  }
  return b;
}

// Bounds of a box given in the node's own frame.
ShapeBounds turned(const ShapeNode& n, const Vec3d& low, const Vec3d& high) {
  ShapeBounds b;
  for (int k = 0; k < 3; ++k) {
    b.min[k] = b.max[k] = n.center[k];
    for (int j = 0; j < 3; ++j) {
      const double r = n.rotation.row[k][j];
      b.min[k] += std::min(r * low[j], r * high[j]);
      b.max[k] += std::max(r * low[j], r * high[j]);
    }
  }
  return b;
}

ShapeBounds ellipsoid_bounds(const ShapeNode& n) {
  ShapeBounds b;
  for (int k = 0; k < 3; ++k) {
    const Vec3 row = n.rotation.row[k];
    const double reach = length(Vec3{row.x * n.size.x, row.y * n.size.y, row.z * n.size.z});
    b.min[k] = n.center[k] - reach;
    b.max[k] = n.center[k] + reach;
  }
  return b;
}

ShapeBounds solid_bounds(const ShapeNode& n, const Shape& shape) {
  if (n.inside_out) return everywhere;
  const Vec3d size = to_double(n.size), center = to_double(n.center);
  const Vec3d axis = to_double(n.rotation * Vec3{0, 1, 0});
  switch (n.op) {
    case ShapeOp::box:
      return turned(n, -size, size);
    case ShapeOp::sphere:
      return grown({center, center}, size.x);
    case ShapeOp::ellipsoid:
      return ellipsoid_bounds(n);
    case ShapeOp::cylinder:
    case ShapeOp::cone:
      return joined(disc_bounds(center - axis * size.y, axis, size.x),
                    disc_bounds(center + axis * size.y, axis, size.z));
    case ShapeOp::capsule:
      return joined(grown({center - axis * size.y, center - axis * size.y}, size.x),
                    grown({center + axis * size.y, center + axis * size.y}, size.x));
    case ShapeOp::torus:
      return grown(disc_bounds(center, axis, size.x), size.y);
    case ShapeOp::grid: {
      const DistanceGrid& grid = *shape.grids()[static_cast<std::size_t>(n.grid)];
      return turned(n, to_double(grid.solid_min()) * size.x, to_double(grid.solid_max()) * size.x);
    }
    default:
      return everywhere;
  }
}

}  // namespace

bool ShapeBounds::finite() const {
  for (int k = 0; k < 3; ++k)
    if (!std::isfinite(min[k]) || !std::isfinite(max[k])) return false;
  return true;
}

ShapeBounds shape_bounds(const Shape& shape) {
  std::vector<ShapeBounds> stack;
  for (const ShapeNode& n : shape.nodes()) {
    if (n.op < ShapeOp::unite) {
      stack.push_back(solid_bounds(n, shape));
      continue;
    }
    if (n.op == ShapeOp::offset) {
      stack.back() = grown(stack.back(), n.amount);
      continue;
    }
    const ShapeBounds last = stack.back();
    stack.pop_back();
    // A blend adds at most a sixth of its radius.
    stack.back() = n.op == ShapeOp::unite ? grown(joined(stack.back(), last), n.amount / 6)
                                          : shared(stack.back(), last);
  }
  return stack.empty() ? ShapeBounds{} : stack[0];
}

}  // namespace panta
