// A block on a ramp: it holds where tan(angle) < mu and slides with g (sin - mu cos) above.
//
// The acceleration is s(2 T) - 2 s(T) + s(0) over T^2, with s the distance that the block's centre
// has moved, so that how it comes into contact at the start does not count.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/validation/unified_scenes.h"
#include "panta/validation/unified_studies.h"

namespace panta::validation {

namespace {

constexpr double mu = 0.5, spacing = 0.05, degree = std::numbers::pi / 180;

Scene block_on_a_ramp(double angle) {
  Scene scene = unified_scene(material_of(MaterialKind::solid, 600), spacing);
  const Quat tilt = axis_angle({0, 0, 1}, static_cast<float>(-angle));
  Body ramp;
  ramp.shape = Shape::box({-20, -1, -2}, {20, 0, 2}).rotated(tilt);
  ramp.surface.friction = static_cast<float>(mu);
  scene.bodies = {ramp};
  scene.solids = {block_at(scene, {0, 0, 0}, {0.3f, 0.2f, 0.3f})};
  scene.solids[0].shape = scene.solids[0].shape.rotated(tilt);
  return scene;
}

struct Slide {
  double acceleration = 0;  // m/s2
  double moved = 0;         // m, all in all
};

Slide slide(double angle, const DeviceOptions& options) {
  constexpr double half_time = 0.75;
  const auto sim = make_simulation(block_on_a_ramp(angle), options);
  const Vec3d start = mean_of(sim->snapshot().position());
  sim->advance_to(half_time);
  const double half_way = length(mean_of(sim->snapshot().position()) - start);
  sim->advance_to(2 * half_time);
  const double moved = length(mean_of(sim->snapshot().position()) - start);
  return {(moved - 2 * half_way) / (half_time * half_time), moved};
}

double coulomb(double angle) {
  return std::max(0.0, earth_gravity * (std::sin(angle) - mu * std::cos(angle)));
}

}  // namespace

StudyResult unified_ramp(const DeviceOptions& options, StudySize size) {
  StudyResult result{"unified/ramp", "A block on a ramp holds or slides", {}, {}};
  const std::vector<double> angles =
      size == StudySize::full
          ? std::vector<double>{5, 10, 15, 20, 25, 26, 28, 30, 35, 40, 45, 50, 55, 60}
          : std::vector<double>{15, 25, 30, 45};
  Series found{.name = "unified", .style = SeriesStyle::markers};
  double creep = 0, error = 0;
  for (const double degrees : angles) {
    const double angle = degrees * degree, expected = coulomb(angle);
    const Slide block = slide(angle, options);
    found.x.push_back(degrees);
    found.y.push_back(block.acceleration);
    if (expected == 0) creep = std::max(creep, block.moved / spacing);
    if (expected > 0) error = std::max(error, std::abs(block.acceleration / expected - 1));
  }
  Series theory{.name = "g (sin - mu cos)", .style = SeriesStyle::dashed};
  for (double degrees = 0; degrees <= 60; degrees += 0.5) {
    theory.x.push_back(degrees);
    theory.y.push_back(coulomb(degrees * degree));
  }
  result.checks = {{"acceleration, largest relative error", error, 0.05, ""},
                   {"moved in 1.5 s below atan(mu) / spacing", creep, 0.1, ""}};
  result.plots.push_back({.title = "A block on a ramp, mu = 0.5",
                          .x_label = "angle [degrees]",
                          .y_label = "acceleration [m/s2]",
                          .series = {found, theory}});
  return result;
}

}  // namespace panta::validation
