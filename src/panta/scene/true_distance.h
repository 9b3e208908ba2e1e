// The exact distance to a shape's surface, even if the shape's own distance is only a bound.
//
// Deep inside, a composed shape has only a lower bound of the distance: on the seam between two
// touching boxes, its distance is zero. Such shapes are meshed (geometry/shape_mesh.h) and the
// closest point of the mesh is searched. The shape itself decides which side a point is on.
#pragma once

#include <optional>

#include "panta/geometry/mesh_distance.h"
#include "panta/geometry/shape.h"

namespace panta {

class TrueDistance {
 public:
  // Details much smaller than `spacing` may be missed. In two dimensions the surface is the outline
  // in the plane z = 0. Error(usage) for shapes that are not bounded.
  TrueDistance(const Shape& shape, double spacing, int dimensions);

  // Signed distance and unit gradient; if several points of the surface are equally near, the
  // gradient belongs to one of them. Thread-safe. Points nearer to the shape than `skin()` count as
  // inside.
  Distance at(const Vec3& x) const;

  float skin() const { return skin_; }

 private:
  bool leads_to_surface(const Vec3& x, const Distance& own) const;

  Shape shape_;
  float skin_;
  int dimensions_;
  std::optional<MeshDistance> surface_;  // if the shape's own distance is not exact
};

}  // namespace panta
