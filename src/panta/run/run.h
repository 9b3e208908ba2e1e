// Runs a scene: frame after frame at the exact times k / fps, frame 0 being the initial state; all
// output goes to a result folder (io/output.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "panta/core/log.h"
#include "panta/io/run_summary.h"
#include "panta/solver/device_options.h"

namespace panta {

struct Scene;

// The times at which a run writes its checkpoint; always at the end and on interruption, except for
// `never`.
struct CheckpointPolicy {
  static constexpr int never = 0;
  static constexpr int by_time = -1;
  int every_frames = by_time;
  double every_seconds = 60;  // by time: at the end of the first frame after this interval
};

struct RunProgress {
  int frame = 0;   // just finished
  int frames = 0;  // the last one
  double time = 0;
  std::uint64_t steps = 0;
  std::size_t particles = 0;
  double wall_seconds = 0;        // since the run began or was resumed,
  int first_frame = 0;            // which was after this frame
  std::uint64_t first_steps = 0;  // and after this number of steps
};

struct RunOptions {
  std::string out;                         // the result folder
  std::vector<std::string> inputs = {};    // files of the scene, the scene first; never replaced
  bool overwrite = false;                  // replace an earlier run there
  bool resume = false;                     // resumes the run there from its checkpoint
  std::vector<std::string> warnings = {};  // of the loader, reported when the run begins
  std::string effective_scene;             // JSON text stored in the folder
  std::string command;                     // command line, for the record
  int frames = -1;                         // the last frame; -1: the scene's duration
  DeviceOptions device;
  CheckpointPolicy checkpoints;
  std::function<void(const RunProgress&)> progress;  // called after each frame
  std::function<bool()> stop;  // called after each frame; true ends the run as "interrupted"
};

// Returns the summary that was also written; its status is "done" or "interrupted". An error during
// simulation is recorded in the folder as "failed: …" and rethrown, with the checkpoint to resume
// from. A finished run that is resumed without more frames is not changed.
RunSummary run_scene(const Scene& scene, const RunOptions& options, const Log& log);

}  // namespace panta
