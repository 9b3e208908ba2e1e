// The columns of the toy method.
#pragma once

#include "panta/particles/column.h"

namespace panta::tracer_toy {

inline constexpr float start_temperature = 293.15f;

// Storage, sorting, emission, checkpoints and frames follow from this declaration.
inline ColumnInfo temperature_column() {
  return {.name = "temperature",
          .unit = "K",
          .doc = "falls at the rate of solver.cooling",
          .initial = {start_temperature},
          .shown = true};
}

// Computed for frames only.
inline ColumnInfo crowding_column() {
  return {.name = "crowding",
          .doc = "sum of the weights of the neighbours",
          .stored = false,
          .saved = false,
          .shown = true};
}

// For tracers.
inline ColumnInfo age_column() {
  return {.name = "age", .unit = "s", .doc = "time since the tracer was added", .shown = true};
}

}  // namespace panta::tracer_toy
