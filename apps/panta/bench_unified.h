// panta bench unified: times of frames of the unified method, compared with FleX 1.2 on an H200 and
// the paper on a GTX 680.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "panta/engine/simulation.h"

namespace panta::app {

struct FrameRow {
  std::string name;
  std::string device;
  int threads = 1;
  std::size_t particles = 0;
  double neighbours = 0;
  double ms_per_frame = 0;
  double densest = 0;             // largest density, relative to the rest density
  double flex = 0;                // ms of FleX on an H200; 0: not measured
  double paper = 0;               // ms of the paper on a GTX 680; 0: not reported
  std::vector<StageTime> stages;  // ms per frame
};

struct FrameBench {
  double particles = 0;  // of a single dam break; 0: the standard rows
  std::string row;       // only rows with this in their name
  int frames = 300;
};

// Prints each row when it is measured.
std::vector<FrameRow> bench_unified(const DeviceOptions& options, const FrameBench& bench);

std::string as_json(const FrameRow& row);

}  // namespace panta::app
