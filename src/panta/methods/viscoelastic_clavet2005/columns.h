// The columns of the viscoelastic method.
#pragma once

#include "panta/particles/column.h"

namespace panta::viscoelastic {

// Rows of springs lie where particles were when they were written (spring_rows.h); SpringStore
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
          .doc = "where the particle was when its springs were written",
          .saved = false,
          .merge = Merge::none};
}

// The relaxation corrects its pushes for it (stress.h).
inline ColumnInfo stress_error_column() {
  return {.name = "stress_error",
          .type = ColumnType::symmetric,
          .doc =
              "the part without trace of the stress that relaxation would make without "
              "correction, as a share, last step",
          .merge = Merge::none};
}

}  // namespace panta::viscoelastic
