#include "bench_viscoelastic.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "panta/surface/reconstruct.h"
#include "print.h"

namespace panta::app {
namespace {

constexpr double frame = 1.0 / 30;  // s, the paper's; one step each
constexpr int warm_up = 20;         // steps
constexpr double spacing = 0.02;    // m
constexpr double paper_ms = 2000;   // per frame of 20,000 particles with springs and surface

struct SpringCase {
  std::string name;
  double particles;
  bool springs = false, surface = false;
};

std::vector<SpringCase> cases_for(DeviceKind device, const SpringBench& bench) {
  if (bench.particles > 0) return {{"gel", bench.particles, true}};
  std::vector<SpringCase> all = {
      {"gel", 2e4, true}, {"gel, surface", 2e4, true, true}, {"liquid", 1e5}};
  if (device == DeviceKind::cuda)
    all = {{"gel", 2e4, true},
           {"gel", 1e5, true},
           {"gel", 1e6, true},
           {"liquid", 1e5},
           {"liquid", 1e6}};
  std::erase_if(all, [&](const SpringCase& c) { return c.name.find(bench.row) == c.name.npos; });
  return all;
}

// A cube with the paper's parameters falls by one spacing onto the floor of a wider tank. A step as
// long as a frame makes a soft liquid: gravity is such that its lowest part is compressed by a
// tenth.
Scene scene_of(const SpringCase& c) {
  const double edge = std::round(std::cbrt(c.particles)) * spacing;
  Scene scene;
  scene.method = "viscoelastic";
  scene.spacing = spacing;
  const double sound_speed = 0.65 * spacing / frame;
  scene.gravity = {0, -0.1 * sound_speed * sound_speed / edge, 0};
  scene.has_domain = true;
  scene.domain.max = {2 * edge, 2 * edge, 2 * edge};
  scene.domain.walls = {true, true, true, true, true, true};
  Material material;
  material.viscosity = 0;
  ParameterSet& added = material.methods[scene.method];
  added["linear_viscosity"] = 0.01;
  if (c.springs) added.insert({{"springs", 0.3}, {"plasticity", 0.3}, {"yield", 0.1}});
  scene.materials = {material};
  const float low = static_cast<float>(0.5 * edge), high = static_cast<float>(1.5 * edge);
  const float up = static_cast<float>(spacing), top = static_cast<float>(edge + spacing);
  scene.fluids = {{0, Shape::box({low, up, low}, {high, top, high})}};
  scene.solver["time_step"] = frame;
  return scene;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::uint64_t springs_of(Simulation& sim) {
  for (const Counter& counter : sim.counters())
    if (counter.name == "springs") return counter.value;
  return 0;
}

double surface_time(Simulation& sim, int threads) {
  constexpr int repeats = 5;
  SurfaceOptions options;
  options.method = SurfaceMethod::cone;
  options.threads = threads;
  Reconstruction reconstruction(options);
  const ParticleFrame particles = sim.snapshot();
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < repeats; ++k)
    reconstruction.make({particles.position(), {}, static_cast<float>(spacing)});
  return 1e3 * seconds_since(start) / repeats;
}

SpringRow measure(const SpringCase& c, const DeviceOptions& options, int steps) {
  const Scene scene = scene_of(c);
  SpringRow row;
  row.name = c.name;
  row.device = options.device;
  const auto sim = make_simulation(scene, options);
  sim->advance_to(warm_up * frame);
  const auto start = std::chrono::steady_clock::now();
  for (int k = 1; k <= steps; ++k) sim->advance_to((warm_up + k) * frame);
  row.ms_per_step = 1e3 * seconds_since(start) / steps;
  row.describe(*sim);
  row.springs = springs_of(*sim);
  if (c.surface) row.surface_ms = surface_time(*sim, options.threads);
  row.stages = profiled_stages(scene, options, frame, warm_up);
  return row;
}

}  // namespace

std::vector<SpringRow> bench_viscoelastic(const DeviceOptions& options, const SpringBench& bench) {
  constexpr int width = 14;  // of names
  const DeviceKind device = options.device == "cuda" ? DeviceKind::cuda : DeviceKind::cpu;
  print(stdout, "{} {:>10} {:>10} {:>11} {:>11} {:>6}  stages, ms per step\n", head_titles(width),
        "springs", "neighbours", "ms per step", "surface, ms", "paper");
  return measure_rows<SpringRow>(
      cases_for(device, bench),
      [&](const SpringCase& c) { return measure(c, options, bench.steps); },
      [&](const SpringRow& r) {
        const bool surface = r.surface_ms > 0;
        return fmt::format("{} {:>10} {:>10.1f} {:>11.3f} {:>11} {:>6}", head_text(r, width),
                           r.springs, r.neighbours, r.ms_per_step,
                           surface ? fmt::format("{:.3f}", r.surface_ms) : "",
                           surface ? fmt::format("{:.0f}", paper_ms) : "");
      });
}

std::string as_json(const SpringRow& row) {
  return fmt::format(
      "{{{}, \"springs\": {}, \"neighbours\": {:.1f}, \"ms_per_step\": {:.4f}, "
      "\"surface_ms\": {:.4f}, \"stages\": {{{}}}}}",
      head_json(row), row.springs, row.neighbours, row.ms_per_step, row.surface_ms,
      stage_json(row.stages));
}

}  // namespace panta::app
