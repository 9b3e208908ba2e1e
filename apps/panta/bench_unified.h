// panta bench unified: times of frames of the unified method, compared with FleX 1.2 on an H200 and
// the paper on a GTX 680.
#pragma once

#include <string>
#include <vector>

#include "bench_stages.h"

namespace panta::app {

struct FrameRow : StageRow {
  double ms_per_frame = 0;
  double densest = 0;  // largest density, relative to the rest density
  double flex = 0;     // ms of FleX on an H200; 0: not measured
  double paper = 0;    // ms of the paper on a GTX 680; 0: not reported
};

struct FrameBench : RowChoice {  // a single row is a dam break
  int frames = 300;
};

// Prints each row when it is measured.
std::vector<FrameRow> bench_unified(const DeviceOptions& options, const FrameBench& bench);

std::string as_json(const FrameRow& row);

}  // namespace panta::app
