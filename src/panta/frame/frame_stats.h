// Measurements of a frame: statistics, counters of the method, probes, times of stages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "panta/core/vec.h"

namespace panta {

struct StageTime {
  std::string name;
  double ms = 0;  // total since the last call
};

// A number that a method counts; written to stats.jsonl under its name.
struct Counter {
  std::string name;
  std::uint64_t value = 0;
};

// The value of a probe: one number, or the three of a vector; empty if there was nothing to
// measure.
struct ProbeValue {
  std::string name;
  std::vector<double> value;
};

// Quantities of one frame, computed on the host in double from particles in the order of ids, so
// that they are bitwise the same for any thread count.
struct FrameStats {
  double time = 0;
  std::uint64_t steps = 0;
  double dt = 0;
  std::size_t particles = 0;
  double mass = 0;
  Vec3d momentum, angular_momentum, center_of_mass;
  double kinetic_energy = 0, potential_energy = 0;
  double max_speed = 0;
  double density_error_mean = 0, density_error_max = 0;  // of max(0, rho/rho0 - 1)
  std::uint64_t emitted = 0, removed = 0;                // particles since the start
  std::vector<Counter> counters;                         // of the method
  bool solves = false;  // the method has an iterative solver; since the last frame:
  std::uint64_t solver_iterations = 0, solver_failures = 0;  // failures: not within the tolerance
  double solver_residual = 0;                                // the largest at the end of a solve
  std::vector<ProbeValue> probes;
};

}  // namespace panta
