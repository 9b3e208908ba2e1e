// Solids on the host: primitives, distance grids of meshes, and combinations of them. A Shape is a
// program in postfix form (geometry/shape_program.h) that is evaluated on host and device.
//
// Distances are exact for primitives (for an ellipsoid to first order), their complements and
// unions seen from outside; other combinations give a lower bound with the right sign, zero level
// and gradient. Near a sharp combination surfaces() gives the true surfaces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "panta/geometry/distance.h"
#include "panta/geometry/shape_node.h"

namespace panta {

class DistanceGrid;

class Shape {
 public:
  static Shape box(Vec3 minimum, Vec3 maximum);
  static Shape sphere(Vec3 centre, float radius);
  static Shape ellipsoid(Vec3 centre, Vec3 radii);
  static Shape plane(Vec3 point, Vec3 normal);  // the half-space behind it
  static Shape cylinder(Vec3 from, Vec3 to, float radius);
  static Shape capsule(Vec3 from, Vec3 to, float radius);
  static Shape cone(Vec3 from, Vec3 to, float radius_from, float radius_to);
  static Shape torus(Vec3 centre, Vec3 axis, float ring_radius, float tube_radius);
  static Shape grid(std::shared_ptr<const DistanceGrid> grid);  // of a mesh, for example

  Shape() = default;  // empty: no point is inside

  Shape moved(const Vec3& by) const;
  Shape rotated(const Quat& by, const Vec3& about = {}) const;
  Shape scaled(float factor, const Vec3& about = {}) const;

  // All points outside it.
  Shape complement() const;

  const std::vector<ShapeNode>& nodes() const { return nodes_; }
  const std::vector<std::shared_ptr<const DistanceGrid>>& grids() const { return grids_; }
  bool empty() const { return nodes_.empty(); }
  // Whether both have the same program with the same grids.
  bool operator==(const Shape& other) const {
    return nodes_ == other.nodes_ && grids_ == other.grids_;
  }

  // The only node of a primitive solid, null if the solid is composed.
  const ShapeNode* primitive() const { return nodes_.size() == 1 ? &nodes_[0] : nullptr; }

  // Evaluation on the host; the view refers to this shape.
  ShapeView view() const;

 private:
  friend Shape combined(const Shape&, const Shape&, ShapeOp, float);
  friend Shape offset(const Shape&, float);
  static Shape of(const ShapeNode& node);

  std::vector<ShapeNode> nodes_;
  std::vector<std::shared_ptr<const DistanceGrid>> grids_;
  // Of the grids, for view(); null if there are none.
  std::shared_ptr<const std::vector<DistanceGridView>> grid_views_;
};

// `blend` rounds the seam: the surfaces blend where they are closer than this (m).
Shape unite(const Shape& a, const Shape& b, float blend = 0);
Shape intersect(const Shape& a, const Shape& b, float blend = 0);
Shape subtract(const Shape& a, const Shape& b, float blend = 0);

// Grown by `by` on all sides (shrunk if negative); convex edges become round.
Shape offset(const Shape& shape, float by);

// The outermost layer of the solid, `thickness` deep.
Shape shell(const Shape& shape, float thickness);

// The programs of several shapes in one array, as devices use them.
struct ShapeList {
  struct Range {
    int first = 0, count = 0;  // nodes
  };
  std::vector<ShapeNode> nodes;
  std::vector<std::shared_ptr<const DistanceGrid>> grids;

  Range add(const Shape& shape);
};

Distance distance(const Shape& shape, const Vec3& x);

}  // namespace panta
