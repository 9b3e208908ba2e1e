// How steep heaps of sand stand, against the friction mu between grains; with the friction that is
// solved for with the contacts (6.1, eq. 22-25) and with the older damping of velocities.
//
// A wall of sand collapses on a rough floor into a ridge, a slice of an endless one: periodic along
// z. Its grains start on a lattice, which would stand by itself, so each gets a velocity at random:
// the lattice is gone before they fall.
//
// The angle is that of the wedge whose grains have the same mean height and mean distance from the
// middle, which are a third of its height and of its half-width. Every grain counts, so that
// neither single grains nor terraces change it much (a line through the flank is some degrees
// steeper, for the foot is flat). Heaps of the same sand still differ by about a degree, so the
// mean of three is taken, from walls of slightly different lengths.
//
// Above mu 0.6 the angle hardly rises any more: grains roll instead of sliding.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "panta/core/random.h"
#include "panta/validation/unified_scenes.h"
#include "panta/validation/unified_studies.h"

namespace panta::validation {

namespace {

constexpr double spacing = 0.02, degree = std::numbers::pi / 180;

struct SandWall {
  int half_width, height, length;  // in grains; its length is along z
  double duration;                 // s, until the heap is looked at
  int heaps;                       // of which the mean is taken
};

// Up to `most` along each axis.
Vec3 random_velocity(const Vec3& x, float most) {
  std::uint64_t cell = 0;
  for (const float place : {x.x, x.y, x.z})
    cell = cell * 4096 + static_cast<std::uint64_t>(std::llround(place / spacing + 1024));
  const auto component = [&](std::uint64_t axis) {
    return most * (2 * random_uniform(0, cell, axis) - 1);
  };
  return {component(0), component(1), component(2)};
}

Scene collapsing_wall(const SandWall& wall, double mu, const std::string& model) {
  Scene scene = above_floor(material_of(MaterialKind::granular, 1600), spacing, 1);
  const float half_width = static_cast<float>(wall.half_width * spacing);
  const float height = static_cast<float>(wall.height * spacing);
  const float length = static_cast<float>(wall.length * spacing);
  Fluid sand{0, Shape::box({-half_width, 0, 0}, {half_width, height, length})};
  sand.jitter = 0.1f;
  sand.velocity_at = [](const Vec3& x) { return random_velocity(x, 1); };
  scene.fluids = {sand};
  scene.domain.min.z = 0;
  scene.domain.max.z = length;
  scene.domain.periodic = {false, false, true};
  scene.solver["friction"] = mu;
  scene.solver["static_friction"] = mu;
  scene.solver["friction_model"] = model;
  scene.solver["substeps"] = 16.0;
  return scene;
}

// In degrees.
double wedge_angle(const ParticleFrame& frame) {
  double height = 0, distance = 0;
  for (const Vec3& x : frame.position()) {
    height += x.y - 0.5 * spacing;
    distance += std::abs(x.x);
  }
  return std::atan(height / distance) / degree;
}

double angle_of_repose(const SandWall& wall, double mu, const std::string& model,
                       const DeviceOptions& options) {
  double mean = 0;
  for (int k = 0; k < wall.heaps; ++k) {
    SandWall other = wall;
    other.length += k;
    const auto sim = make_simulation(collapsing_wall(other, mu, model), options);
    sim->advance_to(wall.duration);
    mean += wedge_angle(sim->snapshot()) / wall.heaps;
  }
  return mean;
}

}  // namespace

StudyResult unified_repose(const DeviceOptions& options, StudySize size) {
  StudyResult result{"unified/repose", "Heaps of sand are as steep as their friction", {}, {}};
  const bool full = size == StudySize::full;
  const SandWall wall = full ? SandWall{8, 18, 12, 2, 3} : SandWall{5, 14, 6, 1.2, 3};
  const std::vector<double> frictions =
      full ? std::vector<double>{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1}
           : std::vector<double>{0.05, 0.3, 0.6};
  Series solved{.name = "friction of positions", .style = SeriesStyle::line_and_markers};
  Series damped{.name = "friction of velocities", .style = SeriesStyle::line_and_markers};
  for (const double mu : frictions) {
    solved.x.push_back(mu), damped.x.push_back(mu);
    solved.y.push_back(angle_of_repose(wall, mu, "positions", options));
    damped.y.push_back(angle_of_repose(wall, mu, "velocities", options));
  }
  double drop = 0, steepest = 0;
  for (const double angle : solved.y) {
    steepest = std::max(steepest, angle);
    drop = std::max(drop, steepest - angle);
  }
  const double steepest_damped = *std::max_element(damped.y.begin(), damped.y.end());
  result.checks = {
      {"fall of the angle below that of a lower mu", drop, 3, "degrees"},
      {"angle at the lowest mu / at the highest", solved.y.front() / solved.y.back(), 0.5, ""},
      {"steepest by velocities / by positions", steepest_damped / solved.y.back(), 0.25, ""}};
  result.plots.push_back({.title = "Angle of repose",
                          .x_label = "mu",
                          .y_label = "angle [degrees]",
                          .series = {solved, damped}});
  return result;
}

}  // namespace panta::validation
