// Registers the method with the engine.
#pragma once

#include <memory>

#include "panta/methods/viscoelastic_clavet2005/params.h"
#include "panta/methods/viscoelastic_clavet2005/setup.h"
#include "panta/solver/method_info.h"
#include "panta/solver/solver.h"

namespace panta::viscoelastic {

inline MethodInfo method_info() {
  MethodInfo info{method_name,
                  "Viscoelastic fluids by prediction and relaxation (Clavet, Beaudoin and Poulin "
                  "2005)",
                  describe_parameters<Params>(), columns, work_memory};
  info.liquids_only = true;
  info.advice = advice;
  info.free_bodies = true;
  info.own_masses = true;
  info.material_parameters = describe_parameters<MaterialParams>();
  info.uses = {"stickiness"};
  return info;
}

// Builds the solver on device D (Cpu or Cuda).
template <class D>
std::unique_ptr<Solver> make_solver(const Scene& scene, const DeviceOptions& options);

}  // namespace panta::viscoelastic
