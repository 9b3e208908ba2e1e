// How steep heaps of sand stand, against the friction mu between grains; with the friction that is
// solved for with the contacts (6.1, eq. 22-25) and with the older damping of velocities.
//
// A wall of sand collapses on a rough floor into a ridge, a slice of an endless one: periodic along
// z. Its grains start on a lattice, which would stand by itself, so each gets a velocity at random:
// the lattice is gone before they fall.
//
// The flank is found column by column, one spacing wide, both sides together: the height of a
// column is the median of the topmost grains along z, so that loose grains do not count, and
// columns lower than two grains are beyond the foot. The angle is that of the line through the
// columns between a fifth and four fifths of the highest by Theil and Sen: the median of the slopes
// between all pairs of columns, which a bump or a terrace hardly changes. Heaps of the same sand
// differ by up to four degrees either way, so the mean of three is taken, from walls of slightly
// different lengths.
//
// Friction must be solved for well enough to hold: with 8 substeps instead of 16 a wall of 24
// layers ends at about 31 degrees for every mu above 0.4.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>

#include "panta/core/random.h"
#include "panta/validation/unified_scenes.h"
#include "panta/validation/unified_studies.h"

namespace panta::validation {

namespace {

constexpr double spacing = 0.02, degree = std::numbers::pi / 180;

struct SandWall {
  int half_width, height, length;  // in grains; its length is along z
  double duration;                 // s, until the heap is looked at
  int heaps;                       // of which the mean is taken
};

// Up to `most` along each axis.
Vec3 random_velocity(const Vec3& x, float most) {
  std::uint64_t cell = 0;
  for (const float place : {x.x, x.y, x.z})
    cell = cell * 4096 + static_cast<std::uint64_t>(std::llround(place / spacing + 1024));
  const auto component = [&](std::uint64_t axis) {
    return most * (2 * random_uniform(0, cell, axis) - 1);
  };
  return {component(0), component(1), component(2)};
}

Scene collapsing_wall(const SandWall& wall, double mu, const std::string& model) {
  Scene scene = above_floor(material_of(MaterialKind::granular, 1600), spacing, 1);
  const float half_width = static_cast<float>(wall.half_width * spacing);
  const float height = static_cast<float>(wall.height * spacing);
  const float length = static_cast<float>(wall.length * spacing);
  Fluid sand{0, Shape::box({-half_width, 0, 0}, {half_width, height, length})};
  sand.jitter = 0.1f;
  sand.velocity_at = [](const Vec3& x) { return random_velocity(x, 1); };
  scene.fluids = {sand};
  scene.domain.min.z = 0;
  scene.domain.max.z = length;
  scene.domain.periodic = {false, false, true};
  scene.solver["friction"] = mu;
  scene.solver["static_friction"] = mu;
  scene.solver["friction_model"] = model;
  scene.solver["substeps"] = 16.0;
  return scene;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Heights of the flank, in spacings, in columns of |x| one spacing wide.
std::vector<double> flank(const ParticleFrame& frame) {
  std::map<std::pair<int, int>, double> top;  // by column along x and place along z
  for (const Vec3& x : frame.position()) {
    const std::pair<int, int> place{static_cast<int>(std::floor(x.x / spacing)),
                                    static_cast<int>(std::floor(x.z / spacing))};
    top[place] = std::max(top[place], x.y / spacing + 0.5);
  }
  std::vector<double> heights;
  for (int column = 0;; ++column) {
    std::vector<double> tops;
    for (const auto& [place, height] : top)
      if (place.first == column || place.first == -1 - column) tops.push_back(height);
    if (tops.empty() || median(tops) < 2) return heights;
    heights.push_back(median(tops));
  }
}

// In degrees; zero where the heap is too flat to have a flank.
double flank_angle(const std::vector<double>& heights) {
  if (heights.empty()) return 0;
  const double highest = *std::max_element(heights.begin(), heights.end());
  std::vector<double> slopes;
  for (std::size_t i = 0; i < heights.size(); ++i)
    for (std::size_t j = i + 1; j < heights.size(); ++j)
      if (std::max(heights[i], heights[j]) < 0.8 * highest &&
          std::min(heights[i], heights[j]) > 0.2 * highest)
        slopes.push_back((heights[i] - heights[j]) / double(j - i));
  return slopes.empty() ? 0 : std::atan(median(slopes)) / degree;
}

double angle_of_repose(const SandWall& wall, double mu, const std::string& model,
                       const DeviceOptions& options) {
  double mean = 0;
  for (int k = 0; k < wall.heaps; ++k) {
    SandWall other = wall;
    other.length += k;
    const auto sim = make_simulation(collapsing_wall(other, mu, model), options);
    sim->advance_to(wall.duration);
    mean += flank_angle(flank(sim->snapshot())) / wall.heaps;
  }
  return mean;
}

}  // namespace

StudyResult unified_repose(const DeviceOptions& options, StudySize size) {
  StudyResult result{"unified/repose", "Heaps of sand are as steep as their friction", {}, {}};
  const bool full = size == StudySize::full;
  const SandWall wall = full ? SandWall{8, 18, 12, 2, 3} : SandWall{5, 14, 6, 1.2, 1};
  const std::vector<double> frictions =
      full ? std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1}
           : std::vector<double>{0.1, 0.3, 0.6};
  Series solved{.name = "friction of positions", .style = SeriesStyle::line_and_markers};
  Series damped{.name = "friction of velocities", .style = SeriesStyle::line_and_markers};
  for (const double mu : frictions) {
    solved.x.push_back(mu), damped.x.push_back(mu);
    solved.y.push_back(angle_of_repose(wall, mu, "positions", options));
    damped.y.push_back(angle_of_repose(wall, mu, "velocities", options));
  }
  // Above 0.4 grains roll rather than slide, and it hardly changes.
  double drop = 0, steepest = 0;
  for (const double angle : solved.y) {
    steepest = std::max(steepest, angle);
    drop = std::max(drop, steepest - angle);
  }
  const double steepest_damped = *std::max_element(damped.y.begin(), damped.y.end());
  result.checks = {
      {"fall of the angle below that of a lower mu", drop, 3, "degrees"},
      {"angle at the lowest mu / at the highest", solved.y.front() / solved.y.back(), 0.5, ""},
      {"steepest by velocities / by positions", steepest_damped / solved.y.back(), 0.25, ""}};
  result.plots.push_back({.title = "Angle of repose",
                          .x_label = "mu",
                          .y_label = "angle [degrees]",
                          .series = {solved, damped}});
  return result;
}

}  // namespace panta::validation
