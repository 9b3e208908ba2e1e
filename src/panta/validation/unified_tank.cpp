// Water forty layers deep at rest: as dense as it should be, as high as it was, and
// p = rho g (H - y). How stiff it is depends on layers g time_step^2 / (substeps^2 spacing): six
// substeps are enough here, at a spacing of 5 cm. Pressures are means of half a second.
#include <algorithm>
#include <cmath>

#include "panta/run/stats.h"
#include "panta/validation/unified_scenes.h"
#include "panta/validation/unified_studies.h"
#include "panta/validation/water_column.h"

namespace panta::validation {

namespace {

constexpr int layers = 40;
constexpr double spacing = 0.05, depth = layers * spacing, density = 1000;

Scene tank(int across) {
  Scene scene = unified_scene(material_of(MaterialKind::liquid, density), spacing);
  const double width = across * spacing;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {float(width), float(depth), float(width)})}};
  scene.has_domain = true;
  scene.domain.max = {width, 1.5 * depth, width};
  scene.domain.walls = {true, true, true, true, true, true};
  scene.solver["time_step"] = 1.0 / 120;
  scene.solver["substeps"] = 6.0;
  return scene;
}

// The profile with the mean pressure of the next half second, in which pressure waves pass.
LayerProfile mean_profile(Simulation& sim) {
  constexpr int times = 10;
  LayerProfile mean = layer_profile(sim.snapshot(), spacing, depth);
  for (int k = 1; k < times; ++k) {
    sim.advance_to(sim.time() + 0.05);
    const LayerProfile now = layer_profile(sim.snapshot(), spacing, depth);
    const std::size_t layers_now = std::min(mean.y.size(), now.y.size());
    for (std::size_t i = 0; i < layers_now; ++i) mean.pressure[i] += now.pressure[i];
  }
  for (double& p : mean.pressure) p /= times;
  return mean;
}

}  // namespace

StudyResult unified_tank(const DeviceOptions& options, StudySize size) {
  StudyResult result{"unified/tank", "A tank forty layers deep at rest", {}, {}};
  const int across = size == StudySize::full ? 20 : 8;
  const auto sim = make_simulation(tank(across), options);
  sim->advance_to(size == StudySize::full ? 5 : 1.5);
  const ParticleFrame frame = sim->snapshot();
  const FrameStats stats = compute_stats(*sim, frame, {0, -earth_gravity, 0});
  const LayerProfile profile = mean_profile(*sim);
  std::vector<float> heights;
  for (const Vec3& x : frame.position()) heights.push_back(x.y);
  const double level = surface_level(heights, across * across, spacing);
  const double bottom = density * earth_gravity * depth;
  double squares = 0;
  for (std::size_t k = 0; k < profile.y.size(); ++k)
    squares += std::pow(profile.pressure[k] - density * earth_gravity * (depth - profile.y[k]), 2);
  result.checks = {{"density error, mean", stats.density_error_mean, 0.01, ""},
                   {"density error, largest", stats.density_error_max, 0.05, ""},
                   {"volume by the surface, relative error", std::abs(level / depth - 1), 0.02, ""},
                   {"volume by the centre of mass, rel. error",
                    std::abs(2 * stats.center_of_mass.y / depth - 1), 0.02, ""},
                   {"pressure profile, L2 error / rho g H",
                    std::sqrt(squares / double(profile.y.size())) / bottom, 0.1, ""}};
  result.plots = {{.title = "Pressure in a tank forty layers deep",
                   .x_label = "y [m]",
                   .y_label = "p [Pa]",
                   .series = {{"unified", profile.y, profile.pressure, SeriesStyle::markers},
                              {"rho g (H - y)", {0, depth}, {bottom, 0}, SeriesStyle::dashed}}},
                  {.title = "Density in a tank forty layers deep",
                   .x_label = "y [m]",
                   .y_label = "density [kg/m3]",
                   .series = {{"unified", profile.y, profile.density, SeriesStyle::markers},
                              {"at rest", {0, depth}, {density, density}, SeriesStyle::dashed}}}};
  return result;
}

}  // namespace panta::validation
