// A drop in the plane with surface tension alone.
//   oscillation  omega^2 = n (n^2 - 1) sigma/(rho R^3), n = 2 (Rayleigh 1879; Lamb, Hydrodynamics)
//   at rest      pressure inside = sigma/R (Laplace)
#include <cmath>

#include "panta/methods/sph_mueller2003/kernels.h"
#include "panta/validation/sph_studies.h"

namespace panta::validation {

namespace {

using sph::pi;
constexpr double radius = 0.1, tension = 1, density = 1, swing = 0.12, viscosity = 0.02;

Scene drop(StudySize size) {
  Scene scene;
  scene.dimensions = 2;
  scene.spacing = radius / (size == StudySize::full ? 28 : 20);
  scene.gravity = {};
  scene.materials = {Material{"fluid", density, viscosity, tension}};
  scene.fluids = {{0, Shape::sphere({0, 0, 0}, float(radius))}};
  scene.solver["support"] = 3.0;
  scene.solver["artificial_viscosity"] = 0.0;
  return scene;
}

// Half the difference of the mean squares of x and y, relative to the round drop's.
double elongation(const ParticleFrame& frame) {
  double xx = 0, yy = 0;
  for (const Vec3& x : frame.position()) xx += double(x.x) * x.x, yy += double(x.y) * x.y;
  return (xx - yy) / (xx + yy);
}

double mean_radius(const ParticleFrame& frame) {
  double rr = 0;
  for (const Vec3& x : frame.position()) rr += double(x.x) * x.x + double(x.y) * x.y;
  return std::sqrt(2 * rr / double(frame.size()));
}

// The angular frequency from the times at which the curve crosses zero.
double frequency(const std::vector<double>& t, const std::vector<double>& a) {
  std::vector<double> crossings;
  for (std::size_t k = 2; k < t.size(); ++k)
    if (a[k - 1] * a[k] < 0)
      crossings.push_back(t[k - 1] + (t[k] - t[k - 1]) * a[k - 1] / (a[k - 1] - a[k]));
  if (crossings.size() < 2) return 0;
  return pi * double(crossings.size() - 1) / (crossings.back() - crossings.front());
}

}  // namespace

StudyResult sph_drop(const DeviceOptions& options, StudySize size) {
  StudyResult result{"sph/drop", "A drop oscillates under surface tension", {}, {}};
  Scene scene = drop(size);
  const double omega = std::sqrt(6 * tension / (density * std::pow(radius, 3)));
  // v = a (x, -y) makes the second mode swing by eps = a/omega.
  const float rate = float(swing * omega);
  scene.fluids[0].velocity_at = [rate](const Vec3& x) { return Vec3{rate * x.x, -rate * x.y, 0}; };
  const auto sim = make_simulation(scene, options);
  std::vector<double> times, shapes;
  const double period = 2 * pi / omega;
  double r = 0;
  for (int frame = 0; frame <= 120; ++frame) {
    times.push_back(period * 2.5 * frame / 120);
    sim->advance_to(times.back());
    const ParticleFrame now = sim->snapshot();
    shapes.push_back(elongation(now));
    r += mean_radius(now) / 121;
  }
  const double measured = frequency(times, shapes);
  result.checks = {{"frequency, relative error", std::abs(measured / omega - 1), 0.1, ""},
                   {"radius, relative error", std::abs(r / radius - 1), 0.05, ""}};
  std::vector<double> theory;
  for (double t : times)
    theory.push_back(swing * std::sin(omega * t) *
                     std::exp(-4 * viscosity / density * t / (radius * radius)));
  result.plots.push_back({.title = "A drop in the plane, second mode",
                          .x_label = "t [s]",
                          .y_label = "elongation",
                          .series = {{"SPH", times, shapes, SeriesStyle::markers},
                                     {"Rayleigh, Lamb", times, theory, SeriesStyle::dashed}}});
  return result;
}

StudyResult sph_laplace(const DeviceOptions& options, StudySize) {
  StudyResult result{"sph/laplace", "The pressure inside a drop at rest", {}, {}};
  Scene scene = drop(StudySize::full);
  scene.materials[0].viscosity = 0.05;
  const auto sim = make_simulation(scene, options);
  double mean = 0;
  int frames = 0;
  std::vector<double> r, p;
  for (int frame = 1; frame <= 20; ++frame) {
    sim->advance_to(0.02 * frame);
    if (frame <= 10) continue;
    const ParticleFrame now = sim->snapshot();
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double distance = length(now.position()[i]);
      if (distance < 0.6 * radius) sum += now.pressure()[i], ++count;
      if (frame == 20) r.push_back(distance / radius), p.push_back(now.pressure()[i]);
    }
    mean += sum / count, ++frames;
  }
  const double jump = mean / frames, expected = tension / radius;
  result.checks.push_back(
      {"pressure jump, relative error", std::abs(jump / expected - 1), 0.1, ""});
  result.plots.push_back(
      {.title = "Pressure in a drop at rest",
       .x_label = "r/R",
       .y_label = "p [Pa]",
       .series = {{"SPH", r, p, SeriesStyle::markers},
                  {"sigma/R", {0, 1}, {expected, expected}, SeriesStyle::dashed}}});
  return result;
}

}  // namespace panta::validation
