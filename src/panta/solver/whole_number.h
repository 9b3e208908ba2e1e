// Parameters that must be whole numbers.
#pragma once

#include <cmath>

#include "panta/core/error_format.h"

namespace panta {

// Error(usage) unless solver.<name> is whole.
inline int whole_number(double value, const char* name) {
  if (value != std::floor(value))
    throw Error(ErrorKind::usage, "solver.{} must be a whole number, got {}", name, value);
  return static_cast<int>(value);
}

}  // namespace panta
