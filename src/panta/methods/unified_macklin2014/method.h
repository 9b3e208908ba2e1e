// Registers the method with the engine.
#pragma once

#include <memory>

#include "panta/methods/unified_macklin2014/advice.h"
#include "panta/methods/unified_macklin2014/constraints/registered.h"
#include "panta/methods/unified_macklin2014/params.h"
#include "panta/methods/unified_macklin2014/setup.h"
#include "panta/solver/method_info.h"
#include "panta/solver/solver.h"

namespace panta::unified {

inline MethodInfo method_info() {
  return {.name = "unified",
          .title = "Unified particle physics (Macklin, Mueller, Chentanez and Kim 2014)",
          .parameters = describe_parameters<Params>(),
          .columns = columns,
          .work_memory = work_memory,
          .constraints = describe_constraints(RegisteredConstraints{}),
          .advice = advice,
          .free_bodies = true,
          .own_masses = true,
          .uses = {"surface_tension", "weight", "self_collision", "rest_distance", "adhesion"}};
}

// Builds the solver on device D (Cpu or Cuda).
template <class D>
std::unique_ptr<Solver> make_solver(const Scene& scene, const DeviceOptions& options);

}  // namespace panta::unified
