// The run loop.
#include "panta/run/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "panta/core/error.h"
#include "panta/core/file.h"
#include "panta/core/folder_lock.h"
#include "panta/engine/memory_check.h"
#include "panta/engine/simulation.h"
#include "panta/io/result_files.h"
#include "panta/load/load.h"
#include "panta/run/density_watch.h"
#include "panta/run/recorder.h"
#include "panta/run/resume.h"
#include "panta/run/timeline.h"
#include "panta/scene/frame_times.h"

namespace panta {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int final_frame(const Scene& scene, const RunOptions& options) {
  return options.frames >= 0 ? options.frames : last_frame(scene);
}

void warn_of_failed_solves(int frame, const FrameStats& stats, const Log& log) {
  if (stats.solver_failures > 0)
    log.warning(fmt::format(
        "frame {}: {} solves did not reach their tolerance, the worst residual is {:.3g}", frame,
        stats.solver_failures, stats.solver_residual));
}

void simulate(const Scene& scene, const RunOptions& options, Timeline& timeline, Simulation& sim,
              Recorder& recorder, RunSummary& summary, const Log& log) {
  const int frames = final_frame(scene, options);
  const int first = summary.resumed_from_frame + 1;
  const std::uint64_t first_steps = sim.steps();
  const Clock::time_point start = Clock::now();
  DensityWatch density(scene);
  for (int frame = first; frame <= frames; ++frame) {
    const Clock::time_point frame_start = Clock::now();
    if (frame > 0) timeline.advance(sim, frame / scene.fps);
    if (frame == frames) timeline.act_at_end(sim);
    const FrameStats stats =
        recorder.record(frame, sim, timeline.scene(), seconds_since(frame_start));
    warn_of_failed_solves(frame, stats, log);
    density.check(frame, stats, log);
    summary.frames = frame;
    summary.steps = sim.steps();
    summary.particles = sim.size();
    summary.wall_seconds = seconds_since(start);
    if (options.progress)
      options.progress({frame, frames, sim.time(), sim.steps(), sim.size(), summary.wall_seconds,
                        std::max(first - 1, 0), first_steps});
    const bool stopped = frame < frames && options.stop && options.stop();
    recorder.checkpoint_if_due(frame, sim, timeline, stopped || frame == frames);
    if (stopped) {
      summary.status = "interrupted";
      return;
    }
  }
  summary.status = "done";
}

RunSummary start_summary(const RunOptions& options, const Simulation& sim,
                         const std::optional<Checkpoint>& checkpoint) {
  RunSummary summary;
  summary.version = PANTA_VERSION;
  summary.device = sim.device() == DeviceKind::cuda ? "cuda" : "cpu";
  summary.command = options.command;
  summary.threads = sim.threads();
  summary.steps = sim.steps();
  summary.particles = sim.size();
  if (checkpoint) summary.frames = summary.resumed_from_frame = checkpoint->info.frame;
  return summary;
}

std::unique_ptr<Recorder> start_recorder(const Scene& scene, const RunOptions& options,
                                         const RunSummary& summary,
                                         const std::optional<Checkpoint>& checkpoint,
                                         FolderLock lock) {
  const bool replace = options.overwrite || options.resume;
  const std::string& text = options.effective_scene;
  auto folder =
      checkpoint ? std::make_unique<ResultFolder>(options.out, text, *checkpoint, std::move(lock))
                 : std::make_unique<ResultFolder>(options.out, text, replace, std::move(lock));
  CheckpointInfo info;
  info.version = summary.version;
  info.method = scene.method;
  info.scene_key = scene_key(options.effective_scene);
  info.device = summary.device;
  auto recorder = std::make_unique<Recorder>(scene, std::move(folder), info, options.checkpoints);
  recorder->set_last_checkpoint(summary.resumed_from_frame);
  return recorder;
}

// Adds the context of the run to an error: its time, and the checkpoint to resume from.
Error explain(const Error& error, const RunOptions& options, int frame, int checkpoint) {
  std::string text = error.what();
  const bool in_a_step = error.kind() == ErrorKind::simulation || error.kind() == ErrorKind::device;
  if (in_a_step) text = fmt::format("frame {}: {}", frame, text);
  const std::string path = checkpoint_path(options.out);
  if (checkpoint >= 0 && file_exists(path))
    text += fmt::format("; last good checkpoint: frame {}, '{}'; {} and continue with --resume",
                        checkpoint, path,
                        error.kind() == ErrorKind::simulation ? "change a parameter of the solver"
                                                              : "correct the cause");
  return Error(error.kind(), text);
}

// Records the failure and rethrows the error.
[[noreturn]] void fail(const Error& error, const RunOptions& options, Recorder& recorder,
                       RunSummary& summary, const Log& log) {
  summary.status = std::string("failed: ") + error.what();
  try {
    recorder.finish_failed(summary);
  } catch (const Error& second) {
    log.warning(second.what());
  }
  throw explain(error, options, summary.frames + 1, recorder.last_checkpoint());
}

// The summary of a run that was finished before.
RunSummary finished_before(const Checkpoint& checkpoint, const RunOptions& options,
                           const Log& log) {
  log.info(fmt::format(
      "nothing to do: the run in '{}' is finished up to frame {}; a longer --duration continues it",
      options.out, checkpoint.info.frame));
  RunSummary summary;
  summary.version = checkpoint.info.version;
  summary.device = checkpoint.info.device;
  summary.status = "done";
  summary.frames = summary.resumed_from_frame = checkpoint.info.frame;
  summary.steps = checkpoint.info.steps;
  summary.particles = checkpoint.info.particles;
  return summary;
}

}  // namespace

RunSummary run_scene(const Scene& scene, const RunOptions& options, const Log& log) {
  check_inputs_are_kept(options.out, options.inputs);
  check_memory(scene, options.device);
  FolderLock lock;  // a new folder is made, and locked, only after the simulation
  if (file_exists(options.out)) lock = FolderLock(options.out);
  std::optional<Checkpoint> checkpoint;
  if (options.resume) checkpoint = find_checkpoint(options.out, options.effective_scene, log);
  if (checkpoint && checkpoint->info.frame >= final_frame(scene, options) &&
      run_status(options.out) == "done")
    return finished_before(*checkpoint, options, log);
  Timeline timeline =
      checkpoint ? Timeline(scene, checkpoint->info.time, checkpoint->state) : Timeline(scene);
  const auto sim = make_simulation(scene, options.device, log);
  if (!checkpoint)
    for (const auto& sentences : {options.warnings, scene_warnings(scene)})
      for (const std::string& sentence : sentences) log.warning(sentence);
  if (checkpoint) timeline.restore(*sim, checkpoint->state);
  RunSummary summary = start_summary(options, *sim, checkpoint);
  if (checkpoint && checkpoint->info.device != summary.device)
    log.warning(fmt::format(
        "the run began on {} and continues on {}: the results agree, but not bit for bit",
        checkpoint->info.device, summary.device));
  const auto recorder = start_recorder(scene, options, summary, checkpoint, std::move(lock));
  checkpoint.reset();  // frees its memory, which is as large as the simulation
  try {
    simulate(scene, options, timeline, *sim, *recorder, summary, log);
    recorder->finish(summary);
  } catch (const Error& error) {
    fail(error, options, *recorder, summary, log);
  } catch (const std::bad_alloc&) {
    const Error error(ErrorKind::device, "out of memory: use a larger spacing");
    fail(error, options, *recorder, summary, log);
  } catch (const std::exception& other) {
    fail(Error(ErrorKind::simulation, other.what()), options, *recorder, summary, log);
  }
  return summary;
}

}  // namespace panta
