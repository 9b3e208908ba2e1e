// Statistics of a frame.
#pragma once

#include "panta/engine/simulation.h"

namespace panta {

FrameStats compute_stats(const Simulation& sim, const ParticleFrame& frame, const Vec3d& gravity);

// The convergence of the method's solves since the last call.
void add_convergence(FrameStats& stats, Simulation& sim);

}  // namespace panta
