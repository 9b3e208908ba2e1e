// A scene's probes, measured on the particles of a frame. All sums are in double in the order of
// ids, so that values are bitwise the same for any thread count.
//
//   extent          the farthest particle along an axis, plus half a spacing
//   height          the top of the column of fluid at a position: going up from the lowest particle
//                   within `radius` sideways until the next is more than two spacings higher, so
//                   that spray does not count
//   pressure,       weighted means of the particles within `radius`, weights (1 - (r/radius)^2)^3;
//   velocity        empty if there are none
//   flux            kg/s through a plane along its normal: sum m v.n K(d), K a hat function of two
//                   spacings on each side with integral one
//   center_of_mass  m
//   volume          m3, number of particles times their rest volume
//   count           particles
//   body            position of a point of a body, m; for a free body also its motion, and the
//                   forces and torques on it
//   pieces          groups of particles that are nearer to each other than `radius`
//   column          mean, minimum, maximum or sum of a column; empty if there are no particles
//   wall_pressure   mean over a patch of a wall or body, extrapolated to the surface
//                   (wall_pressure.h)
//
// They are followed by the triggers among the bodies, each with the number of particles inside it.
#pragma once

#include "panta/engine/simulation.h"

namespace panta {

// Error(usage) if a probe requires a column that the particles do not have.
std::vector<ProbeValue> measure_probes(const Scene& scene, const Simulation& simulation,
                                       const ParticleFrame& frame);

}  // namespace panta
