// A column of water at rest: p = rho g (H - y).
#include <cmath>

#include "panta/run/stats.h"
#include "panta/validation/sph_studies.h"
#include "panta/validation/water_column.h"

namespace panta::validation {

namespace {

constexpr double height = 0.4, width = 0.2, g = 9.81, density = 1000;

Scene column(double spacing) {
  Scene scene;
  scene.spacing = spacing;
  scene.materials = {Material{}};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {float(width), float(height), float(width)})}};
  scene.has_domain = true;
  scene.domain.max = {width, 1.5 * height, width};
  scene.domain.walls = {true, true, true, true, true, true};
  return scene;
}

}  // namespace

StudyResult sph_hydrostatic(const DeviceOptions& options, StudySize size) {
  StudyResult result{"sph/hydrostatic", "A column of water stays at rest for 5 s", {}, {}};
  const double spacing = size == StudySize::full ? 0.0125 : 0.025;
  const auto sim = make_simulation(column(spacing), options);
  sim->advance_to(5);
  const ParticleFrame frame = sim->snapshot();
  const FrameStats stats = compute_stats(*sim, frame, {0, -g, 0});
  const LayerProfile profile = layer_profile(frame, spacing, height);
  std::vector<float> heights;
  for (const Vec3& x : frame.position()) heights.push_back(x.y);
  const double level = surface_level(heights, std::pow(width / spacing, 2), spacing);
  // Extrapolated to the floor from the lower half.
  const std::size_t half = profile.y.size() / 2;
  const std::vector<double> low_y(profile.y.begin(), profile.y.begin() + std::ptrdiff_t(half));
  const std::vector<double> low_p(profile.pressure.begin(),
                                  profile.pressure.begin() + std::ptrdiff_t(half));
  const double slope = fitted_slope(low_y, low_p);
  double mean_y = 0, mean_p = 0;
  for (std::size_t k = 0; k < half; ++k)
    mean_y += low_y[k] / double(half), mean_p += low_p[k] / double(half);
  const double bottom = mean_p - slope * mean_y;
  double squares = 0;
  for (std::size_t k = 0; k < profile.y.size(); ++k)
    squares += std::pow(profile.pressure[k] - density * g * (height - profile.y[k]), 2);
  const double full = density * g * height;
  result.checks = {
      {"surface height, relative error", std::abs(level / height - 1), 0.02, ""},
      {"bottom pressure, relative error", std::abs(bottom / full - 1), 0.05, ""},
      {"pressure profile, L2 error / rho g H", std::sqrt(squares / double(profile.y.size())) / full,
       0.02, ""},
      {"fastest particle / sqrt(g H)", stats.max_speed / std::sqrt(g * height), 0.01, ""}};
  result.plots.push_back(
      {.title = "Pressure in a column at rest",
       .x_label = "y [m]",
       .y_label = "p [Pa]",
       .series = {{"SPH after 5 s", profile.y, profile.pressure, SeriesStyle::markers},
                  {"rho g (H - y)", {0, height}, {full, 0}, SeriesStyle::dashed}}});
  return result;
}

}  // namespace panta::validation
