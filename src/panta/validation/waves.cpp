// A standing wave in a tank of half a wavelength: the liquid starts level, with the velocities of
// the linear wave
//   eta = a sin(omega t) cos(k x),   omega^2 = g k tanh(k h),
//   u = -a omega cosh(k y)/sinh(k h) sin(k x),   v = a omega sinh(k y)/sinh(k h) cos(k x),
// with k a = 0.08, where the amplitude changes the period by less than 0.1 %. The centre of mass
// follows eta sideways. Reported: its period, and how much of the amplitude a period takes. The
// viscosity of water takes less than 1 % (exp(-2 nu k^2 t)).
#include <cmath>
#include <numbers>

#include "panta/validation/method_studies.h"

namespace panta::validation {

namespace {

constexpr double gravity = 9.81, wavelength = 1, depth = 0.3, steepness = 0.08;
constexpr double k = 2 * std::numbers::pi / wavelength;

Scene tank(const std::string& method, double spacing, double omega) {
  Scene scene;
  scene.method = method;
  scene.dimensions = 2;
  scene.spacing = spacing;
  scene.materials = {{.name = "water"}};
  Fluid water{0, Shape::box({0, 0, -1}, {float(wavelength / 2), float(depth), 1})};
  const double scale = steepness / k * omega / std::sinh(k * depth);
  water.velocity_at = [scale](const Vec3& x) {
    return Vec3{float(-scale * std::cosh(k * x.y) * std::sin(k * x.x)),
                float(scale * std::sinh(k * x.y) * std::cos(k * x.x)), 0};
  };
  scene.fluids = {water};
  scene.has_domain = true;
  scene.domain.max = {wavelength / 2, 2 * depth, 0};
  scene.domain.walls = {true, true, true, true, false, false};
  return scene;
}

// Where a curve passes through zero, and its extremes between these times.
struct Swings {
  std::vector<double> zero, extreme;
};

Swings swings_of(const std::vector<double>& t, const std::vector<double>& x) {
  Swings swings;
  double farthest = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    farthest = std::max(farthest, std::abs(x[i]));
    if ((x[i - 1] < 0) == (x[i] < 0)) continue;
    swings.zero.push_back(t[i - 1] + (t[i] - t[i - 1]) * x[i - 1] / (x[i - 1] - x[i]));
    swings.extreme.push_back(farthest);
    farthest = 0;
  }
  return swings;
}

}  // namespace

StudyResult waves(const std::string& method, const DeviceOptions& options, StudySize size) {
  const bool full = size == StudySize::full;
  const double spacing = full ? 0.01 : 0.02, periods = full ? 6 : 3;
  const double omega = std::sqrt(gravity * k * std::tanh(k * depth));
  const double period = 2 * std::numbers::pi / omega;
  const auto sim = make_simulation(tank(method, spacing, omega), options);
  std::vector<double> t, x, exact;
  for (int frame = 1; frame <= periods * 50; ++frame) {
    sim->advance_to(frame * period / 50);
    const ParticleFrame now = sim->snapshot();
    double sum = 0;
    for (const Vec3& at : now.position()) sum += at.x;
    t.push_back(sim->time() / period);
    x.push_back(wavelength / 4 - sum / static_cast<double>(now.size()));
    // The centre moves by the integral of eta x over the volume.
    exact.push_back(steepness / k * 2 / (k * k) / (wavelength / 2 * depth) *
                    std::sin(omega * sim->time()));
  }
  const Swings swings = swings_of(t, x);
  StudyResult result{method + "/waves", "A standing wave in a tank", {}, {}};
  const std::size_t found = swings.zero.size();
  double measured = std::nan(""), lost = std::nan("");
  if (found > 3) {
    measured = 2 * (swings.zero.back() - swings.zero.front()) / static_cast<double>(found - 1);
    // The first extreme is at a quarter of a period, the next ones are half a period apart.
    lost = 1 - std::pow(swings.extreme.back() / swings.extreme.front(),
                        2 / static_cast<double>(found - 1));
  }
  result.checks = {{"period, relative error", std::abs(measured - 1), 0.02, ""},
                   {"amplitude lost in a period", lost, 1, ""}};
  result.plots = {{.title = "Standing wave",
                   .x_label = "t / T",
                   .y_label = "centre of mass, sideways [m]",
                   .series = {{method, t, x}, {"linear theory", t, exact, SeriesStyle::dashed}}}};
  return result;
}

}  // namespace panta::validation
