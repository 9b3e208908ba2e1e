// Statistics of a frame.
#pragma once

#include "panta/engine/simulation.h"
#include "panta/run/stats.h"

namespace panta {

FrameStats compute_stats(const Simulation& sim, const ParticleFrame& frame, const Vec3d& gravity);

}  // namespace panta
