#include "panta/run/recorder.h"

#include <utility>

#include "panta/frame/body_places.h"
#include "panta/run/probes.h"
#include "panta/run/stats.h"
#include "panta/run/timeline.h"

namespace panta {

namespace {

struct FrameRecord {
  int frame = 0;
  ParticleFrame particles;
  std::vector<std::pair<std::string, ParticleFrame>> more_sets;
  std::vector<std::string> body_names;
  FrameStats stats;
  std::vector<StageTime> stages;
  double wall_seconds = 0;
};

void write(ResultFolder& folder, const FrameRecord& record, const std::string& format) {
  folder.write_bodies(record.frame, record.body_names, record.particles);
  folder.write_objects(record.frame, record.particles);
  if (format != "none") {
    for (const auto& [name, particles] : record.more_sets)
      folder.write_set(record.frame, name, particles, format);
    folder.write_frame(record.frame, record.particles, format);
  }
  folder.write_stats(record.frame, record.stats);
  folder.write_probes(record.frame, record.stats);
  folder.write_timings(record.frame, record.stages, record.wall_seconds);
}

}  // namespace

Recorder::Recorder(const Scene& scene, std::unique_ptr<ResultFolder> folder, CheckpointInfo info,
                   const CheckpointPolicy& policy)
    : scene_(scene),
      folder_(std::move(folder)),
      info_(std::move(info)),
      policy_(policy),
      last_time_(std::chrono::steady_clock::now()) {}

FrameStats Recorder::record(int frame, Simulation& sim, const Scene& now, double wall_seconds) {
  const auto record = std::make_shared<FrameRecord>();
  record->frame = frame;
  record->particles = sim.snapshot();
  for (const std::string& name : sim.sets())
    if (name != scene_particles) record->more_sets.emplace_back(name, sim.snapshot(name));
  record->body_names = free_body_names(now.bodies);
  record->stats = compute_stats(sim, record->particles, now.gravity);
  record->stats.counters = sim.counters();
  add_convergence(record->stats, sim);
  record->stats.probes = measure_probes(now, sim, record->particles);
  record->stages = sim.stages();
  record->wall_seconds = wall_seconds;
  FrameStats stats = record->stats;
  writer_.push([this, record] { write(*folder_, *record, scene_.particle_format); });
  return stats;
}

void Recorder::checkpoint_if_due(int frame, Simulation& sim, const Timeline& timeline, bool last) {
  if (!is_due(frame, last)) return;
  last_time_ = std::chrono::steady_clock::now();
  const auto state = std::make_shared<State>();
  sim.save(*state);
  timeline.save(*state);
  CheckpointInfo info = info_;
  info.frame = frame;
  info.time = sim.time();
  info.steps = sim.steps();
  info.particles = sim.size();
  writer_.push([this, state, info] {
    folder_->write_checkpoint(info, std::move(*state));
    last_checkpoint_ = info.frame;
  });
}

bool Recorder::is_due(int frame, bool last) const {
  if (policy_.every_frames == CheckpointPolicy::never) return false;
  if (last) return true;
  if (policy_.every_frames > 0) return frame % policy_.every_frames == 0;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_time_;
  return since.count() >= policy_.every_seconds;
}

void Recorder::finish_failed(const RunSummary& summary) {
  try {
    writer_.finish();
  } catch (const std::exception&) {
  }
  folder_->finish(summary);
}

void Recorder::finish(const RunSummary& summary) {
  writer_.finish();
  folder_->finish(summary);
}

}  // namespace panta
