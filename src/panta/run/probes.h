// A scene's probes, measured on the particles of a frame. All sums run in the order of ids in
// double, so that values are the same bit for bit for any thread count.
//
//   extent          the farthest particle along an axis, and half a spacing
//   height          the top of the column of fluid at a place: going up from the lowest particle
//                   within `radius` sideways until the next is more than two spacings higher, so
//                   that spray does not count
//   pressure,       weighted means of the particles within `radius`, weights (1 - (r/radius)^2)^3;
//   velocity        nothing where there are none
//   flux            kg/s through a plane along its normal: sum m v.n K(d), K a hat of two spacings
//                   on each side with integral one
//   center_of_mass  m
//   volume          m3, number of particles times their rest volume
//   count           particles
//   body            where a point of a body is, m; of a free body also how it moves and what acts
//                   on it
//   pieces          groups of particles that are nearer to each other than `radius`
//   column          mean, least, largest or sum of a column; nothing where there are no particles
//
// After them come the triggers among the bodies, each with the number of particles inside it.
#pragma once

#include "panta/engine/simulation.h"

namespace panta {

// Error(usage) where a probe asks for a column that the particles do not have.
std::vector<ProbeValue> measure_probes(const Scene& scene, const Simulation& simulation,
                                       const ParticleFrame& frame);

}  // namespace panta
