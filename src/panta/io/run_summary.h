// The summary of a run, written to its run.json.
#pragma once

#include <cstdint>
#include <string>

namespace panta {

struct RunSummary {
  std::string version, device, command, status;
  int threads = 0;
  int frames = 0;
  std::uint64_t steps = 0;
  double wall_seconds = 0;
  std::size_t particles = 0;
  int resumed_from_frame = -1;  // -1: not resumed
};

}  // namespace panta
