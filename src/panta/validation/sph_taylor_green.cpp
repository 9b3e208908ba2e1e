// Taylor-Green vortices in a periodic unit square, U = 1 m/s, rho = 1 kg/m3, Re = U L/nu = 100:
// u = -U exp(b t) cos(2 pi x) sin(2 pi y), v = U exp(b t) sin(2 pi x) cos(2 pi y), b = -8 pi^2/Re.
//
// Particles start shaken off their lattice: a perfect one resists the first shear like a crystal,
// and the energy it takes to break it up is lost to the vortices.
#include <cmath>

#include "panta/methods/sph_mueller2003/kernels.h"
#include "panta/run/stats.h"
#include "panta/validation/sph_studies.h"

namespace panta::validation {

namespace {

using sph::pi;
constexpr double reynolds = 100;

Vec3 vortices(const Vec3& x) {
  const double kx = 2 * pi * x.x, ky = 2 * pi * x.y;
  return {float(-std::cos(kx) * std::sin(ky)), float(std::sin(kx) * std::cos(ky)), 0};
}

}  // namespace

StudyResult sph_taylor_green(const DeviceOptions& options, StudySize size) {
  StudyResult result{"sph/taylor_green", "Taylor-Green vortices decay at Re = 100", {}, {}};
  Scene scene;
  scene.dimensions = 2;
  scene.spacing = size == StudySize::full ? 0.01 : 0.02;
  scene.gravity = {};
  scene.materials = {Material{"fluid", 1, 1 / reynolds, 0}};
  scene.has_domain = true;
  scene.domain.max = {1, 1, 0};
  scene.domain.periodic = {true, true, false};
  scene.fluids.push_back({0, Shape::box({0, 0, -1}, {1, 1, 1}), {}, 0.5f, vortices});
  scene.solver["support"] = 4.5;
  scene.solver["sound_speed"] = 10.0;
  scene.solver["artificial_viscosity"] = 0.0;
  scene.solver["negative_pressure"] = true;
  const auto sim = make_simulation(scene, options);
  std::vector<double> times, energies, logs, exact;
  for (int frame = 0; frame <= 50; ++frame) {
    const double t = 0.02 * frame;
    sim->advance_to(t);
    const FrameStats stats = compute_stats(*sim, sim->snapshot(), scene.gravity);
    times.push_back(t);
    energies.push_back(stats.kinetic_energy / 0.25);
    logs.push_back(std::log(energies.back()));
    exact.push_back(std::exp(-16 * pi * pi / reynolds * t));
  }
  const double rate = fitted_slope(times, logs) / 2, expected = -8 * pi * pi / reynolds;
  result.checks.push_back({"decay rate, relative error", std::abs(rate / expected - 1), 0.05, ""});
  result.plots.push_back({.title = "Taylor-Green vortices: kinetic energy",
                          .x_label = "t [s]",
                          .y_label = "E/E0",
                          .series = {{"SPH", times, energies, SeriesStyle::markers},
                                     {"exp(2 b t)", times, exact, SeriesStyle::dashed}},
                          .y_log = true});
  return result;
}

}  // namespace panta::validation
