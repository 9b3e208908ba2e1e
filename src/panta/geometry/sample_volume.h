// A solid as points on a lattice, each with the distance to the solid's surface and its gradient
// (voxelising).
//
// Each point represents the volume spacing^3, and the sum is the solid's volume: the volume is
// measured by finer quadrature, and points below a level of the distance are kept. This level is
// shifted from 0, by up to half a spacing, so that the number of points fits best. Points at the
// same distance are kept or omitted together, so that a symmetric solid gets symmetric points and
// flat sides stay flat. What fills a volume without a shape of its own, as liquids do, may also
// have another pitch, by up to 5 %, where the number fits better with it.
#pragma once

#include <vector>

#include "panta/geometry/distance_function.h"
#include "panta/geometry/packing.h"

namespace panta {

struct SolidSamples {
  std::vector<Vec3> position;
  std::vector<float> distance;
  std::vector<Vec3> gradient;
};

// The lattice is centred in the box from `min` to `max`, which contains the solid; the points are
// ordered x fastest, then y, then z. The distance must not grow faster than the true one and is
// called from several threads. A solid thinner than the spacing gets one layer; a solid that
// contains no lattice point gets no points. Error(usage) for a spacing that is not positive or much
// too small.
SolidSamples sample_volume(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                           float spacing, Packing packing = Packing::cubic);

// All points of the lattice with distances below `reach` (m); its box ends a spacing beyond the
// solid's.
SolidSamples sample_around(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                           float spacing, float reach, Packing packing = Packing::cubic);

// A level of the distance, at most half a spacing from 0 and between two different distances, with
// about `wanted` of these distances below it.
float fitting_level(std::vector<float> distances, double wanted, float spacing);

}  // namespace panta
