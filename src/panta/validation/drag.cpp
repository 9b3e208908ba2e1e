// Spheres that move through liquid, under every method, with default parameters.
//
// Terminal velocity: spheres of 20 mm sink along the axis of a tube (8 diameters wide, 4 at the
// small size). In unbounded
// liquid the drag is that of Schiller and Naumann (1933), Cd = 24/Re (1 + 0.15 Re^0.687). A tube of
// diameter D slows a sphere of diameter d by (Di Felice 1996)
//   ((1 - x) / (1 - 0.33 x))^a,  x = d/D,  (3.3 - a) / (a - 0.85) = 0.1 Re,
// Re that of the unbounded liquid; for small Re this is the factor of Faxen within 2 %.
//
// Added mass: a sphere as dense as the liquid, at rest in the middle of a tank, is pulled sideways
// by a force F. At first it is accelerated as F / (m + m_a), m_a = m/2 (b^3 + 2 R^3) / (b^3 - R^3)
// for a sphere of radius R in the middle of a sphere of radius b, here half the width of the tank.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "panta/validation/method_studies.h"

namespace panta::validation {

namespace {

constexpr double gravity = 9.81, liquid_density = 1000;  // m/s2, kg/m3

struct Sinker {
  const char* name;
  double density, viscosity;  // kg/m3, Pa s
  double run;                 // diameters that it sinks, the last two of which are measured
};
constexpr Sinker sinkers[] = {{"A", 1300, 1, 4}, {"B", 1500, 0.3, 6}, {"C", 2000, 0.1, 12}};
constexpr double diameter = 0.02;  // m
constexpr double margin = 3;       // diameters, from the ends of the tube

double reynolds(const Sinker& s, double speed) {
  return liquid_density * speed * diameter / s.viscosity;
}

// Weight and drag balance: v^2 = 4 (rho_s/rho - 1) g d / (3 Cd), by iteration.
double speed_in_unbounded_liquid(const Sinker& s) {
  double v = 0.01;
  for (int k = 0; k < 200; ++k) {
    const double re = reynolds(s, v), cd = 24 / re * (1 + 0.15 * std::pow(re, 0.687));
    v = std::sqrt(v *
                  std::sqrt(4 * (s.density / liquid_density - 1) * gravity * diameter / (3 * cd)));
  }
  return v;
}

double expected_speed(const Sinker& s, double tube) {
  const double v = speed_in_unbounded_liquid(s), re = reynolds(s, v), x = 1 / tube;
  const double a = (3.3 + 0.085 * re) / (1 + 0.1 * re);
  return v * std::pow((1 - x) / (1 - 0.33 * x), a);
}

Body sphere(const Vec3& centre, double radius, double density) {
  Body body;
  body.name = "sphere";
  body.shape = Shape::sphere(centre, static_cast<float>(radius));
  body.surface.no_slip = true;
  body.free = FreeBody{.density = density};
  return body;
}

Scene tube_of_liquid(const std::string& method, const Sinker& s, double tube, double spacing) {
  const float radius = static_cast<float>(0.5 * tube * diameter);
  const float height = static_cast<float>((s.run + 2 * margin) * diameter);
  Scene scene;
  scene.method = method;
  scene.spacing = spacing;
  scene.materials = {{.name = "liquid", .density = liquid_density, .viscosity = s.viscosity}};
  Body wall;
  wall.name = "tube";
  wall.hollow = true;
  wall.shape = Shape::cylinder({0, 0, 0}, {0, height + 0.1f, 0}, radius);
  wall.surface.no_slip = true;
  const Vec3 centre{0, static_cast<float>(height - margin * diameter), 0};
  scene.bodies = {wall, sphere(centre, diameter / 2, s.density)};
  scene.fluids = {
      {0, subtract(Shape::cylinder({0, 0, 0}, {0, height, 0}, radius), scene.bodies[1].shape)}};
  return scene;
}

// Mean over the last two diameters of the run.
double terminal_speed(const std::string& method, const Sinker& s, double tube, double spacing,
                      const DeviceOptions& options) {
  const auto sim = make_simulation(tube_of_liquid(method, s, tube, spacing), options);
  const double start = (s.run + margin) * diameter, look = 0.1 * diameter / expected_speed(s, tube);
  double begin = -1, from = 0;
  for (int k = 1; k < 10 * (s.run + 20); ++k) {
    sim->advance_to(k * look);
    const BodyPose pose = sim->snapshot().bodies.at(0);
    const double y =
        pose.position.y + double((rotation(pose.rotation) * Vec3{0, float(start), 0}).y);
    const double sunk = (start - y) / diameter;
    if (begin < 0 && sunk >= s.run - 2) begin = sim->time(), from = sunk;
    if (sunk >= s.run) return (sunk - from) * diameter / (sim->time() - begin);
  }
  return 0;  // it did not sink so far
}

// m_a / m of the sphere.
double added_mass(const std::string& method, double radius, double spacing,
                  const DeviceOptions& options) {
  constexpr double settle = 0.5, skipped = 0.03, looked = 0.12;  // s
  const float half = static_cast<float>(4 * radius);
  Scene scene;
  scene.method = method;
  scene.spacing = spacing;
  scene.materials = {{.name = "water", .density = liquid_density}};
  scene.has_domain = true;
  scene.domain.min = {-half, 0, -half};
  scene.domain.max = {half, 3 * half, half};
  scene.domain.walls = {true, true, true, false, true, true};
  const double mass = liquid_density * 4.0 / 3 * std::numbers::pi * std::pow(radius, 3);
  Body ball = sphere({0, half, 0}, radius, liquid_density);
  ball.surface.no_slip = false;
  ball.free->mass = mass;
  scene.bodies = {ball};
  scene.fluids = {{0, subtract(Shape::box({-half, 0, -half}, {half, 2 * half, half}), ball.shape)}};
  const auto sim = make_simulation(scene, options);
  sim->advance_to(settle);
  const double force = 2 * mass;
  sim->set_body_force(0, {force, 0, 0}, {});
  sim->advance_to(settle + skipped);
  const double before = sim->snapshot().bodies.at(0).velocity.x;
  sim->advance_to(settle + looked);
  const double gained = sim->snapshot().bodies.at(0).velocity.x - before;
  return force * (looked - skipped) / gained / mass - 1;
}

}  // namespace

StudyResult drag(const std::string& method, const DeviceOptions& options, StudySize size) {
  StudyResult result{method + "/drag", "Terminal velocity and added mass of spheres", {}, {}};
  const bool full = size == StudySize::full;
  const double across = full ? 12 : 8, tube = full ? 8 : 4;  // spacings, diameters
  for (const Sinker& s : sinkers) {
    if (!full && s.run > sinkers[0].run) continue;
    const double v = terminal_speed(method, s, tube, diameter / across, options);
    result.checks.push_back({fmt::format("sphere {}, Re {:.0f}: error of the terminal velocity",
                                         s.name, reynolds(s, speed_in_unbounded_liquid(s))),
                             std::abs(v / expected_speed(s, tube) - 1), 0.1, ""});
  }
  const double b3 = 64, expected = 0.5 * (b3 + 2) / (b3 - 1);  // b = 4 R
  const double spacing = 0.02, radius = 0.5 * across * spacing;
  result.checks.push_back(
      {fmt::format("radius {:.0f} spacings: error of the added mass", radius / spacing),
       std::abs(added_mass(method, radius, spacing, options) / expected - 1), 0.15, ""});
  return result;
}

}  // namespace panta::validation
