// A plate in free flight turns once per second for ten seconds, in steps of 1/120 s.
//
// The velocity of a substep of length d may be the plain difference of places, v = (x' - x) / d. A
// point that has turned by the angle a about the origin then goes to x + (x - R(-a) x), which is at
// the angle atan(sin a / (2 - cos a)) = a - a^3 + ... from x: matching the shape keeps that angle
// and takes the point back to its circle. After n substeps 1/a^2 has grown by 2 n, and the share
//   1 / sqrt(1 + 2 w^2 t d)
// is left of the spin w: 36 % here. With `rigid_velocity` momentum it should keep everything.
// Momentum is kept to rounding: 1200 steps of 1e-7 at most.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/validation/unified_scenes.h"
#include "panta/validation/unified_studies.h"

namespace panta::validation {

namespace {

constexpr double turns_per_second = 1, duration = 10, step = 1.0 / 120;
constexpr double spin = 2 * std::numbers::pi * turns_per_second;

Scene turning_plate(const std::string& rigid_velocity) {
  Scene scene = unified_scene(material_of(MaterialKind::solid, 1000), 0.05);
  scene.gravity = {};
  scene.solids = {block_at(scene, {-0.2f, -0.2f, -0.1f}, {0.4f, 0.4f, 0.2f})};
  scene.solids[0].spin = {0, 0, static_cast<float>(spin)};
  scene.solids[0].velocity = {0.3f, -0.1f, 0.2f};
  scene.solver["time_step"] = step;
  scene.solver["substeps"] = 1.0;
  scene.solver["rigid_velocity"] = rigid_velocity;
  return scene;
}

struct Flight {
  std::vector<double> t, angular;  // shares of the angular momentum at the start, along it
  double momentum_drift = 0;       // the largest, as a share of the momentum
};

// About the centre of mass, of particles of mass one.
Vec3d angular_momentum(const ParticleFrame& frame) {
  const Vec3d centre = mean_of(frame.position());
  Vec3d sum;
  for (std::size_t i = 0; i < frame.size(); ++i)
    sum += cross(to_double(frame.position()[i]) - centre, to_double(frame.velocity()[i]));
  return sum;
}

Flight fly(const std::string& rigid_velocity, const DeviceOptions& options) {
  Flight flight;
  const auto sim = make_simulation(turning_plate(rigid_velocity), options);
  const ParticleFrame start = sim->snapshot();
  const Vec3d spun = angular_momentum(start), moved = mean_of(start.velocity());
  for (int frame = 0; frame <= 10 * duration; ++frame) {
    sim->advance_to(0.1 * frame);
    const ParticleFrame now = sim->snapshot();
    flight.t.push_back(sim->time());
    flight.angular.push_back(dot(angular_momentum(now), spun) / dot(spun, spun));
    flight.momentum_drift =
        std::max(flight.momentum_drift, length(mean_of(now.velocity()) - moved) / length(moved));
  }
  return flight;
}

}  // namespace

// The same at both sizes: it takes a second.
StudyResult unified_spin(const DeviceOptions& options, StudySize) {
  StudyResult result{"unified/spin", "A plate turns once per second for 10 s", {}, {}};
  const Flight kept = fly("momentum", options), plain = fly("positions", options);
  double worst = 0;
  for (const double share : kept.angular) worst = std::max(worst, std::abs(share - 1));
  std::vector<double> expected;
  for (const double t : plain.t) expected.push_back(1 / std::sqrt(1 + 2 * spin * spin * t * step));
  result.checks = {
      {"momentum, change", kept.momentum_drift, 2e-4, ""},
      {"angular momentum, change, from momentum", worst, 0.01, ""},
      {"share left, from positions, against 36 %", std::abs(plain.angular.back() - 0.36), 0.05, ""},
      {"the same against the closed form", std::abs(plain.angular.back() - expected.back()), 0.01,
       ""}};
  result.plots.push_back(
      {.title = "Spin of a plate in free flight",
       .x_label = "t [s]",
       .y_label = "angular momentum / at the start",
       .series = {{"velocities from momentum", kept.t, kept.angular},
                  {"from positions", plain.t, plain.angular},
                  {"from positions, closed form", plain.t, expected, SeriesStyle::dashed}}});
  return result;
}

}  // namespace panta::validation
