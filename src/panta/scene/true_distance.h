// The distance to a shape's surface, also where the shape's own is only a bound.
//
// Deep inside, a composed shape knows no more than that the surface is at least so far: on the seam
// between two boxes that touch, its distance is zero. Such shapes are meshed
// (geometry/shape_mesh.h) and the closest point of the mesh is sought. Which side a point is on,
// the shape knows by itself.
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

  // Signed distance and unit gradient; where several points of the surface are equally near, the
  // gradient belongs to one of them. May be called from several threads. Points nearer to the
  // shape than `skin()` count as inside.
  Distance at(const Vec3& x) const;

  float skin() const { return skin_; }

 private:
  bool leads_to_surface(const Vec3& x, const Distance& own) const;

  Shape shape_;
  float skin_;
  int dimensions_;
  std::optional<MeshDistance> surface_;  // where the shape's own distance is not the true one
};

}  // namespace panta
