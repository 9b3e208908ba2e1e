// Statistics of a frame.
#pragma once

#include "panta/engine/simulation.h"

namespace panta {

FrameStats compute_stats(const Simulation& sim, const ParticleFrame& frame, const Vec3d& gravity);

}  // namespace panta
