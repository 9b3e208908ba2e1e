// A heavy liquid on a lighter one: how fast a wave on the interface grows. Water of density 3 over
// 1 in a tank of one wavelength, both half a wavelength deep, with air above, from the lattices
// that they start on and a slow eddy,
//   u = V sin(k x) sign(y) exp(-k|y|),   v = V cos(k x) exp(-k|y|),
// whose amplitude is V/n sinh(n t) with
//   n = sqrt(A g k + nu^2 k^4) - nu k^2,   A = (rho_1 - rho_2)/(rho_1 + rho_2),
// nu that of the material. The amplitude a is the interface's Fourier component, found from where
// the heavy particles are: a = -2/L sum spacing^2 cos(k x). The rate is the slope of its logarithm
// between k a = 0.1 and 0.5.
#include <cmath>
#include <numbers>

#include "panta/validation/method_studies.h"

namespace panta::validation {

namespace {

constexpr double gravity = 9.81, wavelength = 1, viscosity = 1e-3;
constexpr double heavy = 1500, light = 500;
constexpr double k = 2 * std::numbers::pi / wavelength;
constexpr double first = 0.1, last = 0.5, start = 0.03;  // k a

double growth_rate() {
  const double atwood = (heavy - light) / (heavy + light), nu = viscosity / (0.5 * (heavy + light));
  return std::sqrt(atwood * gravity * k + nu * nu * k * k * k * k) - nu * k * k;
}

Scene layers(const std::string& method, double spacing) {
  Scene scene;
  scene.method = method;
  scene.dimensions = 2;
  scene.spacing = spacing;
  scene.materials = {{.name = "heavy", .density = heavy, .viscosity = viscosity},
                     {.name = "light", .density = light, .viscosity = viscosity}};
  constexpr float width = wavelength, depth = wavelength / 2;
  scene.fluids = {{0, Shape::box({0, depth, -1}, {width, 2 * depth, 1})},
                  {1, Shape::box({0, 0, -1}, {width, depth, 1})}};
  const double speed = start / k * growth_rate();
  for (Fluid& fluid : scene.fluids)
    fluid.velocity_at = [speed](const Vec3& x) {
      const double y = x.y - depth, decay = speed * std::exp(-k * std::abs(y));
      return Vec3{float(std::copysign(decay, y) * std::sin(k * x.x)),
                  float(decay * std::cos(k * x.x)), 0};
    };
  scene.has_domain = true;
  scene.domain.max = {width, 2.5 * depth, 0};
  scene.domain.walls = {true, true, true, true, false, false};
  return scene;
}

double amplitude(const ParticleFrame& frame, double spacing) {
  double sum = 0;
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (frame.phase()[i] == 0) sum += std::cos(k * double(frame.position()[i].x));
  return -2 / wavelength * spacing * spacing * sum;
}

}  // namespace

StudyResult rayleigh_taylor(const std::string& method, const DeviceOptions& options,
                            StudySize size) {
  const double spacing = size == StudySize::full ? 0.00625 : 0.025, n = growth_rate();
  const auto sim = make_simulation(layers(method, spacing), options);
  std::vector<double> t, ka, log_t, log_a, theory;
  constexpr double step = 0.04;  // of 1/n
  for (int frame = 1; frame * step < 10; ++frame) {
    sim->advance_to(frame * step / n);
    const double now = k * amplitude(sim->snapshot(), spacing);
    t.push_back(frame * step);
    ka.push_back(now);
    theory.push_back(start * std::sinh(frame * step));
    if (now > last) break;
    if (now < first) {
      log_t.clear(), log_a.clear();  // from where it stays above
      continue;
    }
    log_t.push_back(sim->time());
    log_a.push_back(std::log(now));
  }
  const double rate = log_t.size() > 3 && ka.back() > last ? fitted_slope(log_t, log_a) : 0;
  StudyResult result{method + "/rayleigh_taylor", "A heavy liquid on a lighter one", {}, {}};
  result.checks = {{"growth rate, relative error", std::abs(rate / n - 1), 0.1, ""}};
  result.plots = {{.title = "Rayleigh-Taylor: amplitude of the interface",
                   .x_label = "n t",
                   .y_label = "k a",
                   .series = {{method, t, ka}, {"theory", t, theory, SeriesStyle::dashed}},
                   .y_log = true}};
  return result;
}

}  // namespace panta::validation
