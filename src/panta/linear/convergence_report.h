// Report about iterative solves for the host (linear/convergence.h).
#pragma once

#include <cstdint>

#include "panta/core/macros.h"

namespace panta {

// The action after a solve that did not reach its tolerance.
enum class OnFailure { warn, fail };

// The larger of two residuals; NaN counts as the largest.
PANTA_HD double worse_residual(double a, double b) { return b > a || b != b ? b : a; }

// For logs and exit codes.
struct ConvergenceReport {
  std::uint64_t solves = 0;
  std::uint64_t iterations = 0;
  std::uint64_t failures = 0;
  double worst_residual = 0;

  ConvergenceReport& operator+=(const ConvergenceReport& o) {
    solves += o.solves;
    iterations += o.iterations;
    failures += o.failures;
    worst_residual = worse_residual(worst_residual, o.worst_residual);
    return *this;
  }
};

}  // namespace panta
