// A pool of water that is left alone for 20 seconds: it comes to rest, its surface is level, and
// its energy never grows. Two spacings, in an open tank and in a box that is full to the top.
//
// Two liquids of different density in one tank: the lighter one ends on top, wherever it starts.
// Measured by the distance of the centres of mass, as a share of that of two separate layers.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "panta/run/stats.h"
#include "panta/validation/method_studies.h"
#include "panta/validation/water_column.h"

namespace panta::validation {

namespace {

constexpr double gravity = 9.81;
constexpr Vec3 size_of_pool = {0.3f, 0.16f, 0.2f};

Scene pool(const std::string& method, double spacing, bool full) {
  Scene scene;
  scene.method = method;
  scene.spacing = spacing;
  scene.materials = {{.name = "water"}};
  scene.has_domain = true;
  scene.domain.max = to_double(size_of_pool);
  if (!full) scene.domain.max.y *= 2;
  scene.domain.walls = {true, true, true, true, true, true};
  scene.fluids = {{0, Shape::box({0, 0, 0}, size_of_pool), {}, usual_jitter}};
  return scene;
}

void rest(const std::string& method, double spacing, bool full, const DeviceOptions& options,
          double duration, StudyResult& result) {
  const Scene scene = pool(method, spacing, full);
  const auto sim = make_simulation(scene, options);
  double lowest_energy = 1e300, gain = 0, squares = 0;
  constexpr double looks_per_second = 10;
  const int looks = static_cast<int>(duration * looks_per_second), last = looks / 4;
  std::vector<float> heights;
  for (int k = 1; k <= looks; ++k) {
    sim->advance_to(k / looks_per_second);
    const ParticleFrame frame = sim->snapshot();
    const FrameStats s = compute_stats(*sim, frame, scene.gravity);
    const double energy = s.kinetic_energy + s.potential_energy;
    gain = std::max(gain, energy - lowest_energy);
    lowest_energy = std::min(lowest_energy, energy);
    if (k > looks - last) squares += 2 * s.kinetic_energy / s.mass / last;
    if (k == looks)
      for (const Vec3& x : frame.position()) heights.push_back(x.y);
  }
  const double depth = size_of_pool.y,
               mass = 1000.0 * size_of_pool.x * size_of_pool.y * size_of_pool.z;
  const std::string name = fmt::format("{} at {:g} m: ", full ? "full box" : "pool", spacing);
  result.checks.push_back(
      {name + "rms speed / sqrt(g H)", std::sqrt(squares / (gravity * depth)), 0.001, ""});
  result.checks.push_back(
      {name + "energy gained / (m g H)", gain / (mass * gravity * depth), 0.001, ""});
  if (full) return;
  const double per_layer = size_of_pool.x * size_of_pool.z / (spacing * spacing);
  const double level = surface_level(heights, per_layer, spacing);
  result.checks.push_back(
      {name + "surface from where it was", std::abs(level - depth) / spacing, 0.5, "spacings"});
}

// The lighter liquid's share of the way on top; 1: two separate layers, -1: upside down.
double parted(const ParticleFrame& frame, double depth) {
  double sum[2] = {}, count[2] = {};
  for (std::size_t i = 0; i < frame.size(); ++i) {
    sum[frame.phase()[i]] += frame.position()[i].y;
    count[frame.phase()[i]] += 1;
  }
  return (sum[1] / count[1] - sum[0] / count[0]) / (0.5 * depth);
}

void two_liquids(const std::string& method, double ratio, bool light_below,
                 const DeviceOptions& options, double spacing, StudyResult& result) {
  constexpr float width = 0.2f, depth = 0.3f;
  Scene scene;
  scene.method = method;
  scene.spacing = spacing;
  scene.materials = {{.name = "water"}, {.name = "oil", .density = 1000 * ratio}};
  scene.has_domain = true;
  scene.domain.max = {width, 1.3f * depth, width};
  scene.domain.walls = {true, true, true, true, true, true};
  const Shape lower = Shape::box({0, 0, 0}, {width, 0.5f * depth, width}),
              upper = Shape::box({0, 0.5f * depth, 0}, {width, depth, width});
  scene.fluids = {{0, light_below ? upper : lower, {}, usual_jitter},
                  {1, light_below ? lower : upper, {}, usual_jitter}};
  const auto sim = make_simulation(scene, options);
  sim->advance_to(20);
  result.checks.push_back(
      {fmt::format("density ratio {:g}, light liquid {}: 1 - distance of centres", ratio,
                   light_below ? "below" : "above"),
       1 - parted(sim->snapshot(), depth), light_below ? 0.2 : 0.1, ""});
}

}  // namespace

StudyResult liquid_at_rest(const std::string& method, const DeviceOptions& options,
                           StudySize size) {
  StudyResult result{
      method + "/rest", "Liquids left alone come to rest, the lighter one on top", {}, {}};
  if (size == StudySize::small) {
    rest(method, 0.04, false, options, 8, result);
    return result;
  }
  for (const double spacing : {0.02, 0.01})
    for (const bool full : {false, true}) rest(method, spacing, full, options, 20, result);
  for (const double ratio : {0.5, 0.7, 0.8, 0.9, 0.95})
    for (const bool light_below : {false, true})
      two_liquids(method, ratio, light_below, options, 0.02, result);
  return result;
}

}  // namespace panta::validation
