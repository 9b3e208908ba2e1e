// The run loop.
#include "panta/sim/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace panta {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void write_frame(ResultFolder& folder, Simulation& sim, const Scene& scene, int frame,
                 double wall_seconds) {
  const ParticleFrame particles = sim.snapshot();
  if (scene.write_particles) folder.write_frame(frame, particles);
  folder.write_stats(frame, compute_stats(sim, particles, scene.gravity));
  folder.write_timings(frame, sim.stages(), wall_seconds);
}

void simulate(const Scene& scene, const RunOptions& options, Simulation& sim, ResultFolder& folder,
              RunSummary& summary) {
  const int frames = options.frames >= 0 ? options.frames : last_frame(scene);
  const Clock::time_point start = Clock::now();
  for (int frame = 0; frame <= frames; ++frame) {
    const Clock::time_point frame_start = Clock::now();
    if (frame > 0) sim.advance(frame / scene.fps);
    write_frame(folder, sim, scene, frame, seconds_since(frame_start));
    summary.frames = frame;
    summary.steps = sim.steps();
    summary.particles = sim.size();
    summary.wall_seconds = seconds_since(start);
    if (options.progress)
      options.progress({frame, frames, sim.time(), sim.steps(), sim.size(), summary.wall_seconds});
    if (frame < frames && options.stop && options.stop()) {
      summary.status = "interrupted";
      return;
    }
  }
  summary.status = "done";
}

}  // namespace

int last_frame(const Scene& scene) {
  const double rounding = 1e-6;  // frames
  return std::max(1, static_cast<int>(std::floor(scene.duration * scene.fps + rounding)));
}

RunSummary run_scene(const Scene& scene, const RunOptions& options, const Log& log) {
  const auto sim = make_simulation(scene, options.device, log);
  ResultFolder folder(options.out, options.effective_scene, options.overwrite);
  RunSummary summary;
  summary.version = PANTA_VERSION;
  summary.device = sim->device() == DeviceKind::cuda ? "cuda" : "cpu";
  summary.command = options.command;
  summary.threads = sim->threads();
  try {
    simulate(scene, options, *sim, folder, summary);
  } catch (const std::exception& error) {
    summary.status = std::string("failed: ") + error.what();
    try {
      folder.finish(summary);
    } catch (const Error& second) {
      log.warning("{}", second.what());  // the first error is the one to report
    }
    throw;
  }
  folder.finish(summary);
  return summary;
}

}  // namespace panta
