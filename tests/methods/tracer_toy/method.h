// Declaration of the toy method for the engine.
#pragma once

#include <memory>

#include "methods/tracer_toy/columns.h"
#include "methods/tracer_toy/params.h"
#include "panta/solver/method_info.h"
#include "panta/solver/solver.h"

namespace panta::tracer_toy {

inline std::vector<ColumnInfo> columns(const Scene*) {
  return {temperature_column(), crowding_column()};
}

// Bytes: lists of about 50, records and unknowns; a quarter for tracers.
inline double work_memory(const Scene&) { return 900; }

inline MethodInfo method_info() {
  return {.name = "tracer_toy",
          .title = "Falling particles with tracers (a toy for tests)",
          .parameters = describe_parameters<Params>(),
          .columns = columns,
          .work_memory = work_memory,
          .liquids_only = true,
          .own_masses = true};
}

// Builds the solver on device D (Cpu or Cuda).
template <class D>
std::unique_ptr<Solver> make_solver(const Scene& scene, const DeviceOptions& options);

}  // namespace panta::tracer_toy
