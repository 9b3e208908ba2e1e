// Viscosity in Pa s under every method, with default parameters.
//
// Shear waves, vx = U sin(k y) in a periodic box of 20 spacings, decay as exp(-nu k^2 t); from the
// lattice and from displaced particles, at two spacings for each viscosity, U = 0.4 nu/spacing.
//
// A cylinder of thick liquid that is released on a no-slip floor spreads as
//   R = 0.894 (g V^3 / (3 nu))^(1/8) t^(1/8)                                    (Huppert 1982),
// R from the second moment, 3/7 R^2 for the profile (1 - r^2/R^2)^(1/3), when it has twice the
// radius it started with; a quarter of it between free-slip walls.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "panta/validation/method_studies.h"

namespace panta::validation {

namespace {

Scene liquid(const std::string& method, double pascal_seconds, double spacing) {
  Scene scene;
  scene.method = method;
  scene.spacing = spacing;
  scene.gravity = {};
  scene.materials = {{.name = "liquid", .viscosity = pascal_seconds}};
  scene.has_domain = true;
  return scene;
}

// The decay rate over nu k^2.
double decay(const std::string& method, double pascal_seconds, double spacing, float jitter,
             const DeviceOptions& options) {
  const double nu = pascal_seconds / 1000, side = 20 * spacing, k = 2 * std::numbers::pi / side;
  const double fastest = 0.4 * nu / spacing, rate = nu * k * k, end = 0.5 / rate;
  const float size = static_cast<float>(side);
  Scene scene = liquid(method, pascal_seconds, spacing);
  scene.domain.max = {side, side, side};
  scene.domain.periodic = {true, true, true};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {size, size, size})}};
  scene.fluids[0].jitter = jitter;
  scene.fluids[0].velocity_at = [=](const Vec3& x) {
    return Vec3{static_cast<float>(fastest * std::sin(k * x.y)), 0, 0};
  };
  if (method == "sph") scene.solver["sound_speed"] = 10 * fastest;
  const auto sim = make_simulation(scene, options);
  const auto amplitude = [&] {
    const ParticleFrame frame = sim->snapshot();
    double sum = 0;
    for (std::size_t i = 0; i < frame.size(); ++i)
      sum += frame.velocity()[i].x * std::sin(k * frame.position()[i].y);
    return sum;
  };
  const double before = amplitude();
  sim->advance_to(end);
  return std::log(before / amplitude()) / (end * rate);
}

// R over that of Huppert.
double spread(const std::string& method, double pascal_seconds, double spacing, int layers,
              const DeviceOptions& options) {
  constexpr double g = 9.81;
  const double radius = layers * spacing;
  Scene scene = liquid(method, pascal_seconds, spacing);
  scene.gravity = {0, -g, 0};
  scene.domain.max = {4 * radius, 2 * radius, 4 * radius};
  scene.domain.walls = {true, false, true, false, true, false};
  scene.domain.surfaces[minus_y].no_slip = true;
  scene.fluids = {{0, Shape::cylinder({0, 0, 0}, {0, float(radius), 0}, float(radius))}};
  const auto sim = make_simulation(scene, options);
  const double volume = 4 * double(sim->size()) * std::pow(spacing, 3);
  const double scale =
      0.894 * std::pow(g * std::pow(volume, 3) / (3 * pascal_seconds / 1000), 0.125);
  sim->advance_to(std::pow(2 * radius / scale, 8));
  double moment = 0;
  for (const Vec3& x : sim->snapshot().position()) moment += double(x.x) * x.x + double(x.z) * x.z;
  return std::sqrt(7.0 / 3 * moment / double(sim->size())) / (2 * radius);
}

}  // namespace

StudyResult thick_liquids(const std::string& method, const DeviceOptions& options, StudySize size) {
  StudyResult result{method + "/viscosity", "Shear waves and spreading, 0.1 to 1000 Pa s", {}, {}};
  const bool full = size == StudySize::full;
  for (const double pascal_seconds : {0.1, 1.0, 10.0, 100.0, 1000.0})
    for (const double share : {0.063, 0.126})
      for (const float jitter : {0.0f, 0.2f}) {
        const double spacing = share * std::sqrt(pascal_seconds / 1000);
        result.checks.push_back(
            {fmt::format("wave, {} Pa s, spacing {:.2g} m, jitter {}: error of the viscosity",
                         pascal_seconds, spacing, jitter),
             std::abs(decay(method, pascal_seconds, spacing, jitter, options) - 1), 0.1, ""});
      }
  for (const double pascal_seconds : {20.0, 50.0, 200.0})
    for (const int layers : full ? std::vector<int>{12, 20} : std::vector<int>{12})
      result.checks.push_back({fmt::format("spreading, {} Pa s, {} layers: error of the radius",
                                           pascal_seconds, layers),
                               std::abs(spread(method, pascal_seconds, 0.02, layers, options) - 1),
                               0.04, ""});
  return result;
}

}  // namespace panta::validation
