// The columns of the viscoelastic method.
#pragma once

#include "panta/particles/column.h"

namespace panta::viscoelastic {

// Rows of springs are at the slots of particles when they were written (spring_rows.h); SpringStore
// saves them with the springs.
inline ColumnInfo spring_row_column() {
  return {.name = "spring_row",
          .type = ColumnType::word,
          .doc = "the row that holds the particle's springs",
          .saved = false,
          .merge = Merge::none};
}
inline ColumnInfo spring_place_column() {
  return {.name = "spring_place",
          .type = ColumnType::vector,
          .unit = "m",
          .doc = "position when its springs were written",
          .saved = false,
          .merge = Merge::none};
}

// density.h, StartExcess
inline ColumnInfo start_excess_column() {
  return {.name = "start_excess",
          .doc =
              "density above that at rest with which the particle came into being, as a share; "
              "it decays; -1: not yet measured",
          .initial = {-1},
          .packed_in = "velocity"};
}

// The correction of the pushes of the relaxation follows from it (stress.h).
inline ColumnInfo stress_error_column() {
  return {.name = "stress_error",
          .type = ColumnType::symmetric,
          .doc =
              "deviatoric stress of the relaxation without correction, relative to the "
              "pressure, in the last step",
          .merge = Merge::none};
}

}  // namespace panta::viscoelastic
