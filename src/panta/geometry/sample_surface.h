// Evenly spaced points on a solid's surface, with normals.
//
// Dense candidates are put on the surface by following the distance; taken in a random but fixed
// order, each is kept if no kept one is nearer than most of a spacing (Poisson disks). The kept
// ones then push each other apart along the surface for a few sweeps, which evens out the gaps.
// Points that face away from each other, as on both sides of a thin sheet, do not count as
// neighbours.
#pragma once

#include <vector>

#include "panta/geometry/distance.h"

namespace panta {

struct SurfaceSamples {
  std::vector<Vec3> position;
  std::vector<Vec3> normal;  // unit, outwards
};

// Each point stands for about spacing^2 of the surface, and has its nearest neighbour about a
// spacing away. The solid lies in the box from `min` to `max`; its distance must not grow faster
// than the true one and is called from several threads. Error(usage) for a spacing that is not
// positive or much too small.
SurfaceSamples sample_surface(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                              float spacing);

}  // namespace panta
