// panta bench: the time of a step. A row is one scene at one size on one device.
//
// The scene is a block of water in the corner of a tank, released under gravity. After a warm-up,
// several stretches of steps are timed and the median is reported; the stages come from a second,
// profiled run of the same stretch.
//
// The benchmark "sources" is a cube of water that moves through free space by one spacing per step,
// once without changes ("flight") and once with a layer that enters behind it and a layer that is
// removed in front in every step ("sources"): the difference is the cost of emitters and sinks.
//
// The benchmark "surface" is the surface of a block with a sheet and drops above it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "bench_stages.h"
#include "bench_surface.h"
#include "bench_unified.h"
#include "bench_viscoelastic.h"
#include "commands.h"
#include "panta/core/error_format.h"
#include "panta/core/suggest.h"
#include "panta/engine/devices.h"
#include "panta/engine/simulation.h"
#include "print.h"

namespace panta::app {
namespace {

struct Case {
  std::string name;  // sph, flight or sources
  double particles;
  double support;  // in spacings
};

struct Row {
  Case benchmark;
  std::string device;
  int threads = 1;
  std::size_t particles = 0;
  double neighbours = 0;
  int steps = 0;
  double ms_per_step = 0;
  std::vector<StageTime> stages;  // ms per step
};

constexpr double first_time = 0.005;  // s, a few steps: enough to know their length
constexpr float lattice_jitter =
    0.2f;  // so that neighbours are as many and as scattered as in a flow
constexpr double support_31 = 2.1, support_40 = 2.27, support_170 = 3.46;

std::vector<Case> cases_for(DeviceKind device) {
  if (device == DeviceKind::cpu) return {{"sph", 1e5, support_31}, {"sph", 1e6, support_31}};
  return {{"sph", 5e4, support_40},
          {"sph", 1e6, support_40},
          {"sph", 1e7, support_40},
          {"sph", 3.2e7, support_40},
          {"sph", 9e5, support_170}};
}

Scene flight(const Case& c) {
  Scene scene;
  scene.spacing = 0.01;
  const float edge = static_cast<float>(std::round(std::cbrt(c.particles)) * scene.spacing);
  scene.gravity = {};
  scene.materials = {Material{}};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {edge, edge, edge}), {1, 0, 0}}};
  scene.solver["support"] = c.support;
  scene.solver["sound_speed"] = 0.2;          // small enough for such steps
  scene.solver["time_step"] = scene.spacing;  // at 1 m/s a spacing per step
  if (c.name == "flight") return scene;
  Emitter emitter;
  emitter.direction = {1, 0, 0};
  emitter.at = {0, 0.5f * edge, 0.5f * edge};
  emitter.profile = Shape::box({-1, 0, 0}, {1, edge, edge});
  scene.emitters = {emitter};
  scene.sinks = {{"", Shape::plane({edge, 0, 0}, {-1, 0, 0})}};
  return scene;
}

// A cube of particles in a tank twice as long.
Scene tank(const Case& c) {
  Scene scene;
  scene.spacing = 0.01;
  const double side = std::round(std::cbrt(c.particles)) * scene.spacing;
  scene.materials = {Material{}};
  const float edge = static_cast<float>(side);
  scene.fluids = {{0, Shape::box({0, 0, 0}, {edge, edge, edge}), {}, lattice_jitter}};
  scene.has_domain = true;
  scene.domain.max = {2 * side, 1.5 * side, side};
  scene.domain.walls = {true, true, true, true, true, true};
  scene.solver["support"] = c.support;
  return scene;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Advances by about `steps` steps; returns milliseconds per step.
double timed_stretch(Simulation& sim, int steps) {
  const double dt = sim.last_dt();
  const std::uint64_t before = sim.steps();
  const auto start = std::chrono::steady_clock::now();
  sim.advance_to(sim.time() + dt * steps);
  return 1e3 * seconds_since(start) / double(sim.steps() - before);
}

Row measure(const Case& c, const DeviceOptions& options, int steps, int repeats) {
  const Scene scene = c.name == "sph" ? tank(c) : flight(c);
  Row row{c, options.device, 1, 0, 0, steps, 0, {}};
  {
    const auto sim = make_simulation(scene, options);
    sim->advance_to(first_time);
    timed_stretch(*sim, 2 * steps);  // warm-up
    std::vector<double> times;
    for (int k = 0; k < repeats; ++k) times.push_back(timed_stretch(*sim, steps));
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    row.ms_per_step = times[static_cast<std::size_t>(repeats / 2)];
    row.threads = sim->threads();
    row.particles = sim->size();
    row.neighbours = sim->mean_neighbors();
  }
  DeviceOptions profiled = options;
  profiled.profile = true;
  const auto sim = make_simulation(scene, profiled);
  sim->advance_to(first_time);
  timed_stretch(*sim, steps);
  sim->stages();
  const std::uint64_t before = sim->steps();
  timed_stretch(*sim, steps);
  row.stages = sim->stages();
  for (StageTime& stage : row.stages) stage.ms /= double(sim->steps() - before);
  return row;
}

std::string as_json(const Row& row) {
  const std::string stages = stage_json(row.stages);
  return fmt::format(
      "{{\"name\": \"{}\", \"device\": \"{}\", \"threads\": {}, \"particles\": {}, "
      "\"neighbours\": {:.1f}, \"steps\": {}, \"ms_per_step\": {:.4f}, \"stages\": {{{}}}}}",
      row.benchmark.name, row.device, row.threads, row.particles, row.neighbours, row.steps,
      row.ms_per_step, stages);
}

void write_json(const std::string& path, const std::vector<std::string>& rows) {
  std::ofstream out(path);
  out << "[\n";
  for (std::size_t k = 0; k < rows.size(); ++k)
    out << "  " << rows[k] << (k + 1 < rows.size() ? ",\n" : "\n");
  out << "]\n";
  out.flush();
  if (!out) throw Error(ErrorKind::io, "cannot write '{}'", path);
}

std::vector<Case> cases_of(const std::string& name, const Arguments& args, DeviceKind device) {
  const bool cpu = device == DeviceKind::cpu;
  const double particles = args.number("--particles", cpu ? 1e5 : 1e6, 1e3);
  const double support = args.number("--support", cpu ? support_31 : support_40, 1.2);
  if (name == "sources") return {{"flight", particles, support}, {"sources", particles, support}};
  if (!args.has("--particles")) return cases_for(device);
  return {{"sph", particles, support}};
}

std::vector<std::string> chosen_names(const Arguments& args) {
  const std::vector<std::string> known = {"sph", "sources", "unified", "viscoelastic", "surface"};
  for (const std::string& name : args.operands())
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(ErrorKind::usage, "unknown benchmark '{}'{}", name, suggestion(name, known));
  return args.operands().empty() ? known : args.operands();
}

// The rows of steps, as JSON.
std::vector<std::string> bench_steps(const std::vector<Case>& cases, const Arguments& args,
                                     const DeviceOptions& options) {
  const int steps = args.integer("--steps", 20, 1), repeats = args.integer("--repeats", 5, 1);
  std::vector<std::string> rows;
  if (cases.empty()) return rows;
  print(stdout, "{:<10} {:<6} {:>7} {:>10} {:>10} {:>12}  stages, ms\n", "name", "device",
        "threads", "particles", "neighbours", "ms per step");
  for (const Case& c : cases) {
    const Row r = measure(c, options, steps, repeats);
    const std::string stages = stage_text(r.stages);
    print(stdout, "{:<10} {:<6} {:>7} {:>10} {:>10.1f} {:>12.4f}  {}\n", c.name, r.device,
          r.threads, r.particles, r.neighbours, r.ms_per_step, stages);
    std::fflush(stdout);
    rows.push_back(as_json(r));
  }
  return rows;
}

SurfaceBench surface_bench(const Arguments& args, const DeviceOptions& options) {
  SurfaceBench bench;
  bench.particles = args.number("--particles", bench.particles, 1e3);
  bench.threads = options.threads;
  bench.repeats = args.integer("--repeats", 5, 1);
  bench.cuda = options.device == "cuda";
  if (args.has("--particles")) bench.on_cuda_alone = 0;
  return bench;
}

int bench(const Arguments& args) {
  DeviceOptions options;
  options.device = args.text("--device", "auto");
  options.threads = args.integer("--threads", 0, 0, most_threads);
  if (options.device == "auto") options.device = cuda_available() ? "cuda" : "cpu";
  const DeviceKind device = options.device == "cuda" ? DeviceKind::cuda : DeviceKind::cpu;
  const std::vector<std::string> names = chosen_names(args);
  print(stdout, "{}\n", describe_device(device));
  std::vector<Case> cases;
  for (const std::string& name : names)
    if (name == "sph" || name == "sources")
      for (const Case& c : cases_of(name, args, device)) cases.push_back(c);
  std::vector<std::string> rows = bench_steps(cases, args, options);
  const auto chosen = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const RowChoice choice{.particles = args.number("--particles", 0, 0),
                         .row = args.text("--row", "")};
  if (chosen("unified"))
    for (const FrameRow& row : bench_unified(options, {choice, args.integer("--steps", 300, 1)}))
      rows.push_back(as_json(row));
  if (chosen("viscoelastic"))
    for (const SpringRow& row :
         bench_viscoelastic(options, {choice, args.integer("--steps", 60, 1)}))
      rows.push_back(as_json(row));
  if (chosen("surface"))
    for (const SurfaceRow& row : bench_surface(surface_bench(args, options)))
      rows.push_back(as_json(row));
  if (args.has("--json")) write_json(args.text("--json"), rows);
  return exit_done;
}

}  // namespace

Command bench_command() {
  return {
      {"bench",
       "[NAME...]",
       0,
       8,
       "measure run times (names: sph, sources, unified, viscoelastic, "
       "surface)",
       {{"--json", "FILE", "write the rows as JSON"},
        {"--device", "NAME", "auto, cpu or cuda"},
        {"--threads", "N", "CPU threads, 0 for all cores"},
        {"--particles", "N", "one row of about this size instead of the standard ones"},
        {"--row", "TEXT", "unified, viscoelastic: rows that have this in their name"},
        {"--support", "S", "kernel support in spacings for --particles"},
        {"--steps", "N", "steps per stretch (20); unified: frames (300), viscoelastic: steps (60)"},
        {"--repeats", "N", "stretches; the median counts (5)"}}},
      bench};
}

}  // namespace panta::app
