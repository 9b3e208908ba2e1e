// Viscosity above the limit of one explicit pass over the neighbours is split into several equal
// ones, so that no approach is reversed: the paper's viscosity acts on approaching pairs only. With
// L the change of velocities by viscosity in a step, to first order, pass j of s is
//
//   y_j = (1 + L/s) y_{j-1}
//
// Viscosity in Pa s above the limit of passes is implicit (viscosity/; setup.cpp,
// explicit_is_enough).
#pragma once

#include <algorithm>
#include <cmath>

namespace panta::viscoelastic {

inline constexpr int most_viscous_passes = 8;

// For a viscosity of so many times the limit of one pass.
inline int viscous_passes(double times) {
  return static_cast<int>(std::clamp(std::ceil(times), 1.0, double(most_viscous_passes)));
}

}  // namespace panta::viscoelastic
