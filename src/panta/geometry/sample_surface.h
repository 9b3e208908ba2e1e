// Evenly spaced points on a solid's surface, with normals.
//
// Dense candidates are projected onto the surface. They are visited in a random but fixed order;
// each is kept if no kept one is nearer than most of a spacing (Poisson disk sampling). Then a few
// sweeps of repulsion along the surface even out the gaps. Points that face away from each other,
// as on both sides of a thin sheet, are not neighbours.
#pragma once

#include <vector>

#include "panta/geometry/distance_function.h"

namespace panta {

struct SurfaceSamples {
  std::vector<Vec3> position;
  std::vector<Vec3> normal;  // unit, outwards
};

// Each point represents about spacing^2 of the surface; its nearest neighbour is about a spacing
// away. The solid lies in the box from `min` to `max`; its distance must not grow faster than the
// true one and is called from several threads. Error(usage) for a spacing that is not positive or
// much too small.
SurfaceSamples sample_surface(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                              float spacing);

}  // namespace panta
