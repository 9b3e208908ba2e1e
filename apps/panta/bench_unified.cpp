#include "bench_unified.h"
#include "print.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace panta::app {
namespace {

constexpr double frame = 1.0 / 60;  // s
constexpr int warm_up = 60;         // frames
constexpr int samples = 10;         // of the density during a run

constexpr double flex_rest = 0.055;   // m, the spacing of FleX's dam breaks
constexpr double wide_support = 2.1;  // spacings, about 37 neighbours
constexpr double millions = 1e6;

enum class Kind { dam_break, wide_dam_break, sand, pile, rayleigh_taylor };

struct FrameCase {
  Kind kind;
  std::string name;
  double particles;
  double flex = 0;   // ms per frame on an H200
  double paper = 0;  // ms per frame on a GTX 680
};

std::vector<FrameCase> cases_for(DeviceKind device, const FrameBench& bench) {
  const auto dam = [](double particles, double flex) {
    return FrameCase{Kind::dam_break, "dam break", particles, flex};
  };
  if (bench.particles > 0) return {dam(bench.particles, 0)};
  const std::vector<FrameCase> dry = {{Kind::sand, "sand column", 73500, 1.09, 10.2},
                                      {Kind::pile, "pile", 44000, 0.61, 3.8}};
  std::vector<FrameCase> all = {dam(1e5, 1.56), {Kind::wide_dam_break, "dam break, wide", 1e5}};
  if (device == DeviceKind::cuda)
    all = {dam(5e4, 1.40),          dam(1e5, 1.56),
           dam(5e5, 4.69),          dam(millions, 8.68),
           dam(4 * millions, 33.9), {Kind::wide_dam_break, "dam break, wide", millions, 8.68}};
  all.insert(all.end(), dry.begin(), dry.end());
  if (device == DeviceKind::cuda)
    all.push_back({Kind::rayleigh_taylor, "two liquids", 3e5, 0, 150});
  std::erase_if(all, [&](const FrameCase& c) { return c.name.find(bench.row) == c.name.npos; });
  return all;
}

Scene box(double x, double y, double z) {
  Scene scene;
  scene.method = "unified";
  scene.spacing = flex_rest;
  scene.has_domain = true;
  scene.domain.max = {x, y, z};
  scene.domain.walls = {true, true, true, true, true, true};
  scene.solver["time_step"] = 1.0 / 120;  // fixed, so that rows stay comparable
  scene.solver["substeps"] = 4.0;
  scene.solver["max_travel"] = 0.0;
  return scene;
}

// A block as deep as wide and twice as high, in a tank three blocks long.
Scene dam_break(double particles) {
  const double wide = std::round(std::cbrt(particles / 2)) * flex_rest;
  Scene scene = box(3 * wide, 4 * wide, wide);
  scene.materials = {Material{}};
  const float edge = static_cast<float>(wide);
  scene.fluids = {{0, Shape::box({0, 0, 0}, {edge, 2 * edge, edge})}};
  scene.solver["vorticity"] = 1.0;
  return scene;
}

// A column 35 x 35 grains wide; static friction 1, kinetic 0.5.
Scene sand_column(double particles) {
  constexpr int wide = 35;
  const double edge = wide * flex_rest, height = particles / (wide * wide) * flex_rest;
  Scene scene = box(4 * edge, 1.2 * height, 4 * edge);
  Material sand;
  sand.name = "sand";
  sand.kind = MaterialKind::granular;
  scene.materials = {sand};
  const float low = static_cast<float>(1.5 * edge), high = static_cast<float>(2.5 * edge);
  Fluid column;
  column.shape = Shape::box({low, 0, low}, {high, static_cast<float>(height), high});
  column.jitter = 0.02f;
  scene.fluids = {column};
  for (Surface& wall : scene.domain.surfaces) wall.friction = 0.5f;
  scene.solver["static_friction"] = 1.0;
  scene.solver["friction"] = 0.5;
  scene.solver["substeps"] = 3.0;
  return scene;
}

// A thousand bodies of 44 particles, each the union of two balls, fall into a heap.
Scene pile() {
  constexpr int across = 10;
  const double pitch = 5.6 * flex_rest;
  Scene scene = box(1.6 * across * pitch, 3 * across * pitch, 1.6 * across * pitch);
  Material solid;
  solid.name = "solid";
  solid.kind = MaterialKind::solid;
  scene.materials = {solid};
  Solid body;
  const float r = static_cast<float>(1.8 * flex_rest), shift = static_cast<float>(flex_rest);
  const float at = static_cast<float>((0.3 * across + 0.5) * pitch);
  body.shape = unite(Shape::sphere({at, at, at}, r), Shape::sphere({at + 1.5f * shift, at, at}, r));
  body.copies = {across, across, across};
  const float apart = static_cast<float>(pitch);
  body.pitch = {apart, apart, apart};
  body.random_turns = true;
  scene.solids = {body};
  for (Surface& wall : scene.domain.surfaces) wall.friction = 0.5f;
  scene.solver["time_step"] = frame;
  scene.solver["substeps"] = 6.0;
  scene.solver["contact_iterations"] = 1.0;
  scene.solver["contact_relaxation"] = 1.5;
  scene.solver["stabilization"] = 0.0;
  return scene;
}

// Two liquids with a density ratio of four, the heavier one on top.
Scene two_liquids(double particles) {
  const double wide = std::round(std::cbrt(particles / 2)) * flex_rest;
  Scene scene = box(wide, 2 * wide, wide);
  Material light, heavy;
  light.name = "light", heavy.name = "heavy";
  heavy.density = 4 * light.density;
  scene.materials = {light, heavy};
  const float edge = static_cast<float>(wide);
  scene.fluids = {{0, Shape::box({0, 0, 0}, {edge, edge, edge})},
                  {1, Shape::box({0, edge, 0}, {edge, 2 * edge, edge})}};
  for (Fluid& fluid : scene.fluids) fluid.jitter = 0.05f;
  scene.solver["substeps"] = 10.0;
  return scene;
}

Scene scene_of(const FrameCase& c) {
  switch (c.kind) {
    case Kind::wide_dam_break: {
      Scene scene = dam_break(c.particles);
      scene.solver["support"] = wide_support;
      return scene;
    }
    case Kind::sand:
      return sand_column(c.particles);
    case Kind::pile:
      return pile();
    case Kind::rayleigh_taylor:
      return two_liquids(c.particles);
    default:
      return dam_break(c.particles);
  }
}

double density_now(Simulation& sim) {
  const ParticleFrame particles = sim.snapshot();
  double densest = 0;
  for (std::size_t i = 0; i < particles.size(); ++i)
    densest = std::max(densest, particles.density()[i] / sim.rest_density(particles.phase()[i]));
  return densest;
}

FrameRow measure(const FrameCase& c, const DeviceOptions& options, int frames) {
  const Scene scene = scene_of(c);
  FrameRow row;
  row.name = c.name;
  row.device = options.device;
  row.flex = c.flex;
  row.paper = c.paper;
  const auto sim = make_simulation(scene, options);
  int done = 0;
  double spent = 0;
  const auto run_frames = [&](int count) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < count; ++k) sim->advance_to(++done * frame);
    spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (int k = 0; k < samples; ++k) {
    run_frames(warm_up / samples);
    row.densest = std::max(row.densest, density_now(*sim));
  }
  spent = 0;
  for (int k = 0; k < samples; ++k) {
    run_frames(std::max(1, frames / samples));
    row.densest = std::max(row.densest, density_now(*sim));
  }
  row.ms_per_frame = 1e3 * spent / (done - warm_up);
  row.describe(*sim);
  constexpr int profiled_frames = 20;
  row.stages = profiled_stages(scene, options, frame, profiled_frames);
  return row;
}

}  // namespace

std::vector<FrameRow> bench_unified(const DeviceOptions& options, const FrameBench& bench) {
  constexpr int width = 16;  // of names
  const DeviceKind device = options.device == "cuda" ? DeviceKind::cuda : DeviceKind::cpu;
  print(stdout, "{} {:>10} {:>12} {:>8} {:>6} {:>6}  stages, ms per frame\n", head_titles(width),
        "neighbours", "ms per frame", "densest", "FleX", "paper");
  const auto other = [](double ms) { return ms > 0 ? fmt::format("{:.4g}", ms) : ""; };
  return measure_rows<FrameRow>(
      cases_for(device, bench),
      [&](const FrameCase& c) { return measure(c, options, bench.frames); },
      [&](const FrameRow& r) {
        return fmt::format("{} {:>10.1f} {:>12.4f} {:>8.3f} {:>6} {:>6}", head_text(r, width),
                           r.neighbours, r.ms_per_frame, r.densest, other(r.flex), other(r.paper));
      });
}

std::string as_json(const FrameRow& row) {
  const std::string stages = stage_json(row.stages);
  return fmt::format(
      "{{{}, \"neighbours\": {:.1f}, \"ms_per_frame\": {:.4f}, \"densest\": {:.4f}, \"flex_ms\": "
      "{}, "
      "\"paper_ms\": {}, \"stages\": {{{}}}}}",
      head_json(row), row.neighbours, row.ms_per_frame, row.densest, row.flex, row.paper, stages);
}

}  // namespace panta::app
