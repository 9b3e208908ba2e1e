// What a run leaves behind, written on a thread of its own while the next frame is computed.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "panta/engine/simulation.h"
#include "panta/io/output.h"
#include "panta/io/writer_thread.h"

namespace panta {

// When a run writes its checkpoint; always at the end and when interrupted too, except never.
struct CheckpointPolicy {
  static constexpr int never = 0;
  static constexpr int by_time = -1;
  int every_frames = by_time;
  double every_seconds = 60;  // where by time: at the end of the first frame after that long
};

class Recorder {
 public:
  // `info` holds what is the same for every checkpoint of the run.
  Recorder(const Scene& scene, std::unique_ptr<ResultFolder> folder, CheckpointInfo info,
           const CheckpointPolicy& policy);

  // Hands the frame over for writing; waits where the disk is slow, throws where it failed. `now`
  // is the scene as events have left it. Returns what was measured of the frame.
  FrameStats record(int frame, Simulation& sim, const Scene& now, double wall_seconds);

  // The same for a checkpoint after that frame, if one is due; `last` says that the run ends here.
  void checkpoint_if_due(int frame, Simulation& sim, bool last);

  // Waits until all is written, then records how the run ended; throws where writing failed.
  void finish(const RunSummary& summary);

  // The same after an error, which matters more than one of writing that comes on top of it.
  void finish_failed(const RunSummary& summary);

  // The frame of the last checkpoint that is on the disk, -1 if there is none.
  int last_checkpoint() const { return last_checkpoint_; }
  void set_last_checkpoint(int frame) { last_checkpoint_ = frame; }

 private:
  bool is_due(int frame, bool last) const;

  const Scene& scene_;
  std::unique_ptr<ResultFolder> folder_;
  CheckpointInfo info_;
  CheckpointPolicy policy_;
  std::chrono::steady_clock::time_point last_time_;  // of a checkpoint
  std::atomic<int> last_checkpoint_ = -1;
  WriterThread writer_;  // the last member: its jobs use the others
};

}  // namespace panta
