// panta bench viscoelastic: times of steps of the viscoelastic method, with and without springs,
// compared with the paper's 2 s per frame.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "panta/engine/simulation.h"

namespace panta::app {

struct SpringRow {
  std::string name;
  std::string device;
  int threads = 1;
  std::size_t particles = 0;
  std::uint64_t springs = 0;
  double neighbours = 0;
  double ms_per_step = 0;
  double surface_ms = 0;          // of one surface per step; 0: not measured
  std::vector<StageTime> stages;  // ms per step
};

struct SpringBench {
  double particles = 0;  // of a single row with springs; 0: the standard rows
  std::string row;       // only rows with this in their name
  int steps = 60;
};

// Prints each row when it is measured.
std::vector<SpringRow> bench_viscoelastic(const DeviceOptions& options, const SpringBench& bench);

std::string as_json(const SpringRow& row);

}  // namespace panta::app
