// Registers the method with the engine.
#pragma once

#include <memory>

#include "panta/methods/sph_mueller2003/params.h"
#include "panta/methods/sph_mueller2003/setup.h"
#include "panta/solver/method_info.h"
#include "panta/solver/solver.h"

namespace panta::sph {

inline MethodInfo method_info() {
  return {.name = "sph",
          .title = "Smoothed particle hydrodynamics (Mueller, Charypar and Gross 2003)",
          .parameters = describe_parameters<Params>(),
          .columns = columns,
          .work_memory = work_memory,
          .liquids_only = true,
          .free_bodies = true,
          .own_masses = true,
          .uses = {"surface_tension"}};
}

// Builds the solver on device D (Cpu or Cuda).
template <class D>
std::unique_ptr<Solver> make_solver(const Scene& scene, const DeviceOptions& options);

}  // namespace panta::sph
