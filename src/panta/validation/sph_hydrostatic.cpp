// A column of water at rest: p = rho g (H - y).
#include <algorithm>
#include <cmath>

#include "panta/validation/sph_studies.h"

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

// Where half of the topmost layer lies above, plus half a spacing.
double surface_height(const ParticleFrame& frame, double spacing) {
  std::vector<float> y;
  for (const Vec3& x : frame.position) y.push_back(x.y);
  const std::size_t layer = static_cast<std::size_t>(std::llround(std::pow(width / spacing, 2)));
  std::nth_element(y.begin(), y.end() - static_cast<std::ptrdiff_t>(layer / 2), y.end());
  return *(y.end() - static_cast<std::ptrdiff_t>(layer / 2)) + spacing / 2;
}

struct Profile {
  std::vector<double> y, p;
};

Profile pressure_profile(const ParticleFrame& frame, double spacing) {
  const std::size_t bins = static_cast<std::size_t>(height / spacing);
  std::vector<double> y(bins), p(bins), n(bins);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const auto bin = static_cast<std::size_t>(frame.position[i].y / spacing);
    if (bin >= bins) continue;
    y[bin] += frame.position[i].y, p[bin] += frame.pressure[i], ++n[bin];
  }
  Profile profile;
  for (std::size_t b = 0; b < bins; ++b)
    if (n[b] > 0) profile.y.push_back(y[b] / n[b]), profile.p.push_back(p[b] / n[b]);
  return profile;
}

}  // namespace

StudyResult sph_hydrostatic(const DeviceOptions& options, StudySize size) {
  StudyResult result{"sph/hydrostatic", "A column of water stays at rest for 5 s", {}, {}};
  const double spacing = size == StudySize::full ? 0.0125 : 0.025;
  const auto sim = make_simulation(column(spacing), options);
  sim->advance(5);
  const ParticleFrame frame = sim->snapshot();
  const FrameStats stats = compute_stats(*sim, frame, {0, -g, 0});
  const Profile profile = pressure_profile(frame, spacing);
  // Extrapolated to the floor from the lower half.
  const std::size_t half = profile.y.size() / 2;
  const std::vector<double> low_y(profile.y.begin(), profile.y.begin() + std::ptrdiff_t(half));
  const std::vector<double> low_p(profile.p.begin(), profile.p.begin() + std::ptrdiff_t(half));
  const double slope = fitted_slope(low_y, low_p);
  double mean_y = 0, mean_p = 0;
  for (std::size_t k = 0; k < half; ++k)
    mean_y += low_y[k] / double(half), mean_p += low_p[k] / double(half);
  const double bottom = mean_p - slope * mean_y;
  double squares = 0;
  for (std::size_t k = 0; k < profile.y.size(); ++k)
    squares += std::pow(profile.p[k] - density * g * (height - profile.y[k]), 2);
  const double full = density * g * height;
  result.checks = {
      {"surface height, relative error", std::abs(surface_height(frame, spacing) / height - 1),
       0.02, ""},
      {"bottom pressure, relative error", std::abs(bottom / full - 1), 0.05, ""},
      {"pressure profile, L2 error / rho g H", std::sqrt(squares / double(profile.y.size())) / full,
       0.02, ""},
      {"fastest particle / sqrt(g H)", stats.max_speed / std::sqrt(g * height), 0.01, ""}};
  result.plots.push_back(
      {.title = "Pressure in a column at rest",
       .x_label = "y [m]",
       .y_label = "p [Pa]",
       .series = {{"SPH after 5 s", profile.y, profile.p, SeriesStyle::markers},
                  {"rho g (H - y)", {0, height}, {full, 0}, SeriesStyle::dashed}}});
  return result;
}

}  // namespace panta::validation
