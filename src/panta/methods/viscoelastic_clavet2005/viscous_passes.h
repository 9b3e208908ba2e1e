// Viscosity that is more than one explicit pass over the neighbours carries is spread over several
// equal ones, in which what approaches never bounces: the paper's, which acts on what approaches
// only. With L what viscosity does to velocities in a step, to first order, pass j of s is
//
//   y_j = (1 + L/s) y_{j-1}
//
// Pa s that passes are not to carry are left to the implicit form (viscosity/; setup.cpp,
// explicit_is_enough).
#pragma once

#include <algorithm>
#include <cmath>

namespace panta::viscoelastic {

inline constexpr int most_viscous_passes = 8;

// For a viscosity of so many times what one pass carries.
inline int viscous_passes(double times) {
  return static_cast<int>(std::clamp(std::ceil(times), 1.0, double(most_viscous_passes)));
}

}  // namespace panta::viscoelastic
