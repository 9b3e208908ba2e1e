// A cube in water floats with that share of its volume below the surface which its density is of
// the water's (Archimedes). Both are measured, averaged over a second after it has come to
// rest: the level where the topmost layer of the water ends, away from the cube; and the share of
// the cube's particles below it, each a ball's worth of one spacing, however the cube is turned.
#include <algorithm>
#include <cmath>

#include "panta/validation/unified_scenes.h"
#include "panta/validation/unified_studies.h"
#include "panta/validation/water_column.h"

namespace panta::validation {

namespace {

constexpr double half_tank = 0.35, cube = 0.2, water_depth = 0.4, water_density = 1000;

Scene bath(double ratio, double spacing) {
  Scene scene = unified_scene(material_of(MaterialKind::liquid, water_density), spacing);
  scene.materials.push_back(material_of(MaterialKind::solid, water_density * ratio));
  scene.has_domain = true;
  scene.domain.min = {-half_tank, 0, -half_tank};
  scene.domain.max = {half_tank, 1, half_tank};
  scene.domain.walls = {true, true, true, true, true, true};
  const float wide = static_cast<float>(half_tank), side = static_cast<float>(cube);
  scene.fluids = {
      {0, Shape::box({-wide, 0, -wide}, {wide, static_cast<float>(water_depth), wide})}};
  const float low = static_cast<float>(water_depth);  // it lies on the water and sinks in
  scene.solids = {block_at(scene, {-side / 2, low, -side / 2}, {side, side, side})};
  return scene;
}

// The share of the cube that is under water.
double submerged(const ParticleFrame& frame, double spacing) {
  std::vector<float> water;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Vec3& x = frame.position()[i];
    if (frame.phase()[i] == 0 && std::max(std::abs(x.x), std::abs(x.z)) > 0.8 * cube)
      water.push_back(x.y);
  }
  const double area = 4 * half_tank * half_tank - std::pow(1.6 * cube, 2);
  const double level = surface_level(water, area / (spacing * spacing), spacing);
  double below = 0, count = 0;
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (frame.phase()[i] == 1) {
      below += std::clamp((level - frame.position()[i].y) / spacing + 0.5, 0.0, 1.0);
      count += 1;
    }
  return below / count;
}

double floating_depth(double ratio, double spacing, double settled, const DeviceOptions& options) {
  const auto sim = make_simulation(bath(ratio, spacing), options);
  constexpr int looks = 20;
  double mean = 0;
  for (int k = 1; k <= looks; ++k) {
    sim->advance_to(settled + 0.05 * k);
    mean += submerged(sim->snapshot(), spacing) / looks;
  }
  return mean;
}

}  // namespace

StudyResult unified_floating(const DeviceOptions& options, StudySize size) {
  StudyResult result{"unified/floating", "Cubes float as deep as they weigh", {}, {}};
  const bool full = size == StudySize::full;
  const std::vector<double> ratios =
      full ? std::vector<double>{0.1, 0.25, 0.5, 0.75, 0.9} : std::vector<double>{0.25, 0.5, 0.75};
  Series found{.name = "unified", .x = ratios, .style = SeriesStyle::markers};
  for (const double ratio : ratios) {
    found.y.push_back(floating_depth(ratio, full ? 0.025 : 0.05, full ? 3 : 2, options));
    if (ratio == 0.25 || ratio == 0.5 || ratio == 0.75)
      result.checks.push_back(
          {"submerged at density ratio " + std::to_string(ratio).substr(0, 4) + ", error",
           std::abs(found.y.back() - ratio), 0.1, ""});
  }
  result.plots.push_back({.title = "Floating cubes",
                          .x_label = "density / that of water",
                          .y_label = "share of the volume under water",
                          .series = {found, {"Archimedes", {0, 1}, {0, 1}, SeriesStyle::dashed}}});
  return result;
}

}  // namespace panta::validation
