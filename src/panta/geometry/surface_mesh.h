// The surface of a liquid as triangles, with what renderers and other programs want to know at its
// vertices.
#pragma once

#include <cstdint>
#include <vector>

#include "panta/core/vec.h"
#include "panta/geometry/triangle_mesh.h"

namespace panta {

struct SurfaceMesh {
  std::vector<Vec3> position;
  std::vector<Triangle> triangles;  // counterclockwise seen from outside the liquid
  // Per vertex; empty where nobody asked for them.
  std::vector<Vec3> normal;    // unit, out of the liquid
  std::vector<Vec3> velocity;  // m/s, for motion blur
  std::vector<float> value;    // of the quantity the surface is coloured by

  bool empty() const { return triangles.empty(); }
};

}  // namespace panta
