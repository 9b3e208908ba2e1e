// The output of a run, written on a separate thread while the next frame is computed.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "panta/engine/simulation.h"
#include "panta/io/output.h"
#include "panta/io/writer_thread.h"
#include "panta/run/run.h"

namespace panta {

class Timeline;

class Recorder {
 public:
  // `info` contains the entries that are equal for every checkpoint of the run.
  Recorder(const Scene& scene, std::unique_ptr<ResultFolder> folder, CheckpointInfo info,
           const CheckpointPolicy& policy);

  // Queues the frame for writing; waits if the disk is slow, throws if writing failed. `now` is the
  // scene after its events so far. Returns the measurements of the frame.
  FrameStats record(int frame, Simulation& sim, const Scene& now, double wall_seconds);

  // The same for a checkpoint after that frame, if one is due; `last`: the run ends here.
  void checkpoint_if_due(int frame, Simulation& sim, const Timeline& timeline, bool last);

  // Waits until all is written, then records the status of the run; throws if writing failed.
  void finish(const RunSummary& summary);

  // The same after an error, which has priority over a later error of writing.
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
  WriterThread writer_;  // must be the last member: its jobs use the others
};

}  // namespace panta
