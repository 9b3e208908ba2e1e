// A solid as points on a lattice, each with the distance to the solid's surface and its gradient
// (voxelising).
//
// Each point stands for the volume spacing^3, and together they stand for the solid's: its volume
// is measured by finer quadrature, and the level of the distance below which points are kept is
// moved from 0, by up to half a spacing, to where their number fits best. Points at the same
// distance are kept or left out together, so that a symmetric solid gets symmetric points and flat
// sides stay flat.
#pragma once

#include <vector>

#include "panta/geometry/distance.h"

namespace panta {

struct SolidSamples {
  std::vector<Vec3> position;
  std::vector<float> distance;
  std::vector<Vec3> gradient;
};

enum class Packing {
  cubic,
  hexagonal,  // close packing of as many points per volume: neighbours are 2^(1/6) spacings apart
};

// The lattice is centred in the box from `min` to `max`, which holds the solid; the points come x
// fastest, then y, then z. The distance must not grow faster than the true one and is called from
// several threads. A solid thinner than the spacing gets one layer; one that no lattice point hits
// gets nothing. Error(usage) for a spacing that is not positive or much too small.
SolidSamples sample_volume(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                           float spacing, Packing packing = Packing::cubic);

}  // namespace panta
