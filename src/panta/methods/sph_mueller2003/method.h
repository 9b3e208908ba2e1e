// How the engine knows this method.
#pragma once

#include <memory>

#include "panta/methods/sph_mueller2003/params.h"
#include "panta/methods/sph_mueller2003/setup.h"
#include "panta/sim/simulation.h"

namespace panta::sph {

inline MethodInfo method_info() {
  return {"sph",
          "Smoothed particle hydrodynamics (Mueller, Charypar and Gross 2003)",
          describe_parameters<Params>(),
          memory_per_particle,
          {},
          true};
}

// Builds the solver on device D (Cpu or Cuda).
template <class D>
std::unique_ptr<Simulation> make_solver(const Scene& scene, const DeviceOptions& options);

}  // namespace panta::sph
