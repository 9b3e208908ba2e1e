// panta bench viscoelastic: times of steps of the viscoelastic method, with and without springs,
// compared with the paper's 2 s per frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench_stages.h"

namespace panta::app {

struct SpringRow : StageRow {  // one step per frame
  std::uint64_t springs = 0;
  double ms_per_step = 0;
  double surface_ms = 0;  // of one surface per step; 0: not measured
};

struct SpringBench : RowChoice {  // a single row has springs
  int steps = 60;
};

// Prints each row when it is measured.
std::vector<SpringRow> bench_viscoelastic(const DeviceOptions& options, const SpringBench& bench);

std::string as_json(const SpringRow& row);

}  // namespace panta::app
