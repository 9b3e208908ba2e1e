// Plane Poiseuille and Couette flow from rest, against the series solutions and with the numbers of
// Morris, Fox and Zhu 1997 (J. Comput. Phys. 136, 214-226): L = 1 mm, nu = 1e-6 m2/s,
// rho = 1000 kg/m3; body force 1e-4 m/s2 or lid speed 1.25e-5 m/s, Re = 0.0125.
#include <fmt/format.h>

#include <cmath>

#include "panta/methods/sph_mueller2003/kernels.h"
#include "panta/validation/sph_studies.h"

namespace panta::validation {

namespace {

using sph::pi;

constexpr double gap = 1e-3, nu = 1e-6, force = 1e-4, top_speed = 1.25e-5;
const std::vector<double> times = {0.0225, 0.045, 0.1125, 0.225, 1.0};

double poiseuille(double y, double t) {
  double u = force * y * (gap - y) / (2 * nu);
  for (int n = 0; n < 60; ++n) {
    const double k = 2 * n + 1;
    u -= 4 * force * gap * gap / (nu * pi * pi * pi * k * k * k) * std::sin(pi * y * k / gap) *
         std::exp(-k * k * pi * pi * nu * t / (gap * gap));
  }
  return u;
}

double couette(double y, double t) {
  double u = top_speed * y / gap;
  for (int n = 1; n < 120; ++n)
    u += 2 * top_speed / (n * pi) * (n % 2 ? -1 : 1) * std::sin(n * pi * y / gap) *
         std::exp(-nu * n * n * pi * pi * t / (gap * gap));
  return u;
}

Scene channel(StudySize size) {
  Scene scene;
  scene.dimensions = 2;
  scene.spacing = gap / (size == StudySize::full ? 40 : 20);
  scene.gravity = {};
  scene.materials = {Material{"water", 1000, 1000 * nu, 0}};
  const double length = 16 * scene.spacing;
  scene.has_domain = true;
  scene.domain.max = {length, gap, 0};
  scene.domain.periodic = {true, false, false};
  scene.domain.walls = {false, false, true, true, false, false};
  for (Surface& s : scene.domain.surfaces) s.no_slip = true;
  scene.fluids = {{0, Shape::box({0, 0, -1}, {float(length), float(gap), 1})}};
  scene.solver["sound_speed"] = 20 * top_speed;
  scene.solver["artificial_viscosity"] = 0.0;
  scene.solver["negative_pressure"] = true;
  scene.solver["max_time_step"] = times.front() / 16;  // implicit steps resolve the sudden start
  return scene;
}

StudyResult run_channel(const std::string& name, const std::string& title, const Scene& scene,
                        double (*exact)(double, double), const DeviceOptions& options) {
  StudyResult result{name, title, {}, {}};
  Plot plot{.title = title, .x_label = "y/L", .y_label = "u/Vmax", .series = {}};
  const auto sim = make_simulation(scene, options);
  double worst = 0;
  for (const double t : times) {
    sim->advance_to(t);
    const ParticleFrame frame = sim->snapshot();
    Series points{fmt::format("SPH, t = {} s", t), {}, {}, SeriesStyle::markers};
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const double y = frame.position()[i].y, u = frame.velocity()[i].x;
      worst = std::max(worst, std::abs(u - exact(y, t)) / top_speed);
      points.x.push_back(y / gap), points.y.push_back(u / top_speed);
    }
    Series curve{"", {}, {}, SeriesStyle::dashed};
    for (int k = 0; k <= 100; ++k)
      curve.x.push_back(k / 100.0), curve.y.push_back(exact(gap * k / 100, t) / top_speed);
    plot.series.push_back(points);
    plot.series.push_back(curve);
  }
  plot.series.back().name = "series solution";
  result.checks.push_back({"largest error of any particle / Vmax", worst, 0.015, ""});
  result.plots.push_back(plot);
  return result;
}

}  // namespace

StudyResult sph_poiseuille(const DeviceOptions& options, StudySize size) {
  Scene scene = channel(size);
  scene.gravity = {force, 0, 0};
  return run_channel("sph/poiseuille", "Plane Poiseuille flow from rest", scene, poiseuille,
                     options);
}

StudyResult sph_couette(const DeviceOptions& options, StudySize size) {
  Scene scene = channel(size);
  scene.domain.surfaces[plus_y].velocity = {float(top_speed), 0, 0};
  return run_channel("sph/couette", "Plane Couette flow from rest", scene, couette, options);
}

}  // namespace panta::validation
