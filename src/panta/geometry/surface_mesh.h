// The surface of a liquid as triangles, with vertex attributes for renderers and other programs.
#pragma once

#include <cstdint>
#include <vector>

#include "panta/core/vec.h"
#include "panta/geometry/triangle_mesh.h"

namespace panta {

struct SurfaceMesh {
  std::vector<Vec3> position;
  std::vector<Triangle> triangles;  // counterclockwise seen from outside the liquid
  // Per vertex; empty if not requested.
  std::vector<Vec3> normal;    // unit, out of the liquid
  std::vector<Vec3> velocity;  // m/s, for motion blur
  std::vector<float> value;    // of the quantity that colours the surface

  bool empty() const { return triangles.empty(); }
};

}  // namespace panta
