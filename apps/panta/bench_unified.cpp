#include "bench_unified.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace panta::app {
namespace {

constexpr double frame = 1.0 / 60;  // s
constexpr int warm_up = 60;         // frames
constexpr int looks = 10;           // at the density during a run

struct FrameCase {
  double particles;
  double flex;  // ms per frame on an H200, 2 substeps of 4 iterations
};

std::vector<FrameCase> cases_for(DeviceKind device, double only) {
  if (only > 0) return {{only, 0}};
  if (device == DeviceKind::cpu) return {{1e5, 0}};
  return {{5e4, 1.40}, {1e5, 1.56}, {5e5, 4.69}, {1e6, 8.68}, {4e6, 33.9}};
}

// A block as deep as wide and twice as high, in a tank three blocks long.
Scene dam_break(double particles) {
  Scene scene;
  scene.method = "unified";
  scene.spacing = 0.055;
  const double wide = std::round(std::cbrt(particles / 2)) * scene.spacing;
  scene.materials = {Material{}};
  const float edge = static_cast<float>(wide);
  scene.fluids = {{0, Shape::box({0, 0, 0}, {edge, 2 * edge, edge})}};
  scene.has_domain = true;
  scene.domain.max = {3 * wide, 4 * wide, wide};
  scene.domain.walls = {true, true, true, true, true, true};
  scene.solver["vorticity"] = 1.0;
  return scene;
}

double density_now(Simulation& sim) {
  const ParticleFrame particles = sim.snapshot();
  double densest = 0;
  for (std::size_t i = 0; i < particles.size(); ++i)
    densest = std::max(densest, particles.density[i] / sim.rest_density(particles.phase[i]));
  return densest;
}

FrameRow measure(const FrameCase& c, const DeviceOptions& options, int frames) {
  const Scene scene = dam_break(c.particles);
  FrameRow row;
  row.name = "dam break";
  row.device = options.device;
  row.flex = c.flex;
  const auto sim = make_simulation(scene, options);
  int done = 0;
  double spent = 0;
  const auto play = [&](int count) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < count; ++k) sim->advance(++done * frame);
    spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (int k = 0; k < looks; ++k) {
    play(warm_up / looks);
    row.densest = std::max(row.densest, density_now(*sim));
  }
  spent = 0;
  for (int k = 0; k < looks; ++k) {
    play(std::max(1, frames / looks));
    row.densest = std::max(row.densest, density_now(*sim));
  }
  row.ms_per_frame = 1e3 * spent / (done - warm_up);
  row.threads = sim->threads();
  row.particles = sim->size();
  row.neighbours = sim->mean_neighbors();
  DeviceOptions profiled = options;
  profiled.profile = true;
  const auto slow = make_simulation(scene, profiled);
  constexpr int profiled_frames = 20;
  slow->advance(profiled_frames * frame);
  slow->stages();
  slow->advance(2 * profiled_frames * frame);
  row.stages = slow->stages();
  for (StageTime& stage : row.stages) stage.ms /= profiled_frames;
  return row;
}

}  // namespace

std::vector<FrameRow> bench_unified(const DeviceOptions& options, double only, int frames) {
  const DeviceKind device = options.device == "cuda" ? DeviceKind::cuda : DeviceKind::cpu;
  fmt::print("{:<10} {:<6} {:>7} {:>10} {:>10} {:>12} {:>8} {:>8}  stages, ms per frame\n", "name",
             "device", "threads", "particles", "neighbours", "ms per frame", "densest", "FleX");
  std::vector<FrameRow> rows;
  for (const FrameCase& c : cases_for(device, only)) {
    const FrameRow r = measure(c, options, frames);
    std::string stages;
    for (const StageTime& s : r.stages) stages += fmt::format("{} {:.3f}  ", s.name, s.ms);
    fmt::print("{:<10} {:<6} {:>7} {:>10} {:>10.1f} {:>12.4f} {:>8.3f} {:>8}  {}\n", r.name,
               r.device, r.threads, r.particles, r.neighbours, r.ms_per_frame, r.densest,
               r.flex > 0 ? fmt::format("{:.2f}", r.flex) : "", stages);
    std::fflush(stdout);
    rows.push_back(r);
  }
  return rows;
}

std::string as_json(const FrameRow& row) {
  std::string stages;
  for (const StageTime& s : row.stages)
    stages += fmt::format("{}\"{}\": {:.4f}", stages.empty() ? "" : ", ", s.name, s.ms);
  return fmt::format(
      "{{\"name\": \"{}\", \"device\": \"{}\", \"threads\": {}, \"particles\": {}, "
      "\"neighbours\": {:.1f}, \"ms_per_frame\": {:.4f}, \"densest\": {:.4f}, \"flex_ms\": {}, "
      "\"stages\": {{{}}}}}",
      row.name, row.device, row.threads, row.particles, row.neighbours, row.ms_per_frame,
      row.densest, row.flex, stages);
}

}  // namespace panta::app
