// Convergence of iterative solves. A Convergence is in device memory, is written by kernels only,
// and accumulates the solves since the host last took a report.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "panta/core/buffer.h"
#include "panta/core/loop.h"
#include "panta/linear/convergence_report.h"

namespace panta {

struct SolveLimits {
  double tolerance = 1e-4;          // of the residual relative to the right-hand side
  double smallest = 0;              // a residual small enough for any right-hand side
  std::uint32_t iterations = 1000;  // limit of one solve
};

struct Convergence {
  // The current or last solve.
  LoopState loop;  // running while it iterates
  std::uint32_t skipped = 0;
  std::uint32_t converged = 0;
  double residual = 0;  // relative to the right-hand side

  // All solves since the last report.
  std::uint32_t solves = 0;
  std::uint32_t failures = 0;  // solves that did not reach the tolerance
  std::uint64_t total_iterations = 0;
  double worst_residual = 0;

  PANTA_HD void begin() {
    loop.running = 1;
    skipped = converged = 0;
    residual = std::numeric_limits<double>::quiet_NaN();
  }
  PANTA_HD void skip() {
    loop.running = 0;
    skipped = 1;
  }
  // Stores the residual |r|, where |b| is `reference`. The solve ends if it is small enough or not
  // finite.
  PANTA_HD void check(double r, double reference, const SolveLimits& limits) {
    residual = reference > 0 ? r / reference : r;
    converged = r <= limits.tolerance * reference || r <= limits.smallest;
    if (converged || !(r < std::numeric_limits<double>::infinity())) loop.running = 0;
  }
  // The method cannot continue; the solve has failed.
  PANTA_HD void stop() { loop.running = 0; }
  PANTA_HD void end() {
    loop.running = 0;
    if (skipped) return;
    ++solves;
    total_iterations += loop.iterations;
    failures += converged ? 0 : 1;
    worst_residual = worse_residual(worst_residual, residual);
  }
};

// A gate for solves that are never skipped.
struct AlwaysOpen {
  PANTA_HD bool closed() const { return false; }
};

// Begins a solve, or skips it where gate.closed().
template <class Gate = AlwaysOpen>
struct BeginSolve {
  Convergence* convergence;
  Gate gate;
  PANTA_HD void operator()(Index) const {
    convergence->begin();
    if (gate.closed()) convergence->skip();
  }
};

struct EndSolve {
  Convergence* convergence;
  PANTA_HD void operator()(Index) const { convergence->end(); }
};

// The solves since the last call. It waits for the device: call it at the end of a frame.
template <class D>
ConvergenceReport take_report(DeviceValue<D, Convergence>& convergence) {
  Convergence state = convergence.get();
  const ConvergenceReport report{state.solves, state.total_iterations, state.failures,
                                 state.worst_residual};
  state.solves = state.failures = 0;
  state.total_iterations = 0;
  state.worst_residual = 0;
  convergence.set(state);
  return report;
}

}  // namespace panta
