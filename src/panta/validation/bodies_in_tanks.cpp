// Balls in tanks of water: the lighter ones float as deep as they weigh (Archimedes), the heavier
// ones lie on the floor.
//
// Three tanks of different proportions, densities from 300 to 2,500 kg/m3, radii of 3 and 6
// spacings, balls that start inside the water, above it and on the floor, in tanks that are open
// and in closed ones that the water fills to the top. Of all combinations a sample is taken that
// has every value of every property about equally often.
//
// After ten seconds, averaged over half a second:
//   floats  the share of the ball below the water's surface; the surface is where the topmost layer
//           of particles ends, away from the ball
//   sinks   how far the lowest point is above the floor
//   in a closed tank a light ball rises until it touches the ceiling
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "panta/core/error.h"
#include "panta/validation/method_studies.h"
#include "panta/validation/water_column.h"

namespace panta::validation {

namespace {

constexpr double water_density = 1000, settled = 10, averaged = 0.5;  // kg/m3, s, s

enum class Start { inside, above, floor };

struct Tank {
  const char* name;
  double width, depth, length;  // spacings, of the water
};
constexpr Tank tanks[] = {{"tank", 20, 25, 20}, {"wide", 40, 15, 20}, {"deep", 20, 36, 20}};
constexpr double densities[] = {300, 500, 700, 900, 950, 1050, 1200, 2500};

struct Case {
  Tank tank;
  double density, radius;  // kg/m3, m
  Start start;
  bool closed;
};

// In metres. The small size has balls of 3 spacings only, in tanks of little more than half the
// width.
std::vector<Case> every_case(double spacing, StudySize size) {
  std::vector<Case> cases;
  const double unit = size == StudySize::full ? spacing : 0.6 * spacing;
  for (const Tank& t : tanks)
    for (const double density : densities)
      for (const int spacings : {3, 6})
        for (const Start start : {Start::inside, Start::above, Start::floor})
          for (const bool closed : {false, true}) {
            if ((closed && start == Start::above) || (size == StudySize::small && spacings > 3))
              continue;
            const Tank tank{t.name, t.width * unit, t.depth * unit, t.length * unit};
            cases.push_back({tank, density, spacings * spacing, start, closed});
          }
  return cases;
}

// Every fourth of 240, or eight of 120.
std::vector<Case> sample(double spacing, StudySize size) {
  const std::vector<Case> all = every_case(spacing, size);
  const std::size_t stride = size == StudySize::full ? 4 : 16;
  std::vector<Case> chosen;
  for (std::size_t k = 1; k < all.size(); k += stride) chosen.push_back(all[k]);
  return chosen;
}

double start_height(const Case& c, double spacing) {
  if (c.start == Start::floor) return c.radius + 0.1 * spacing;
  return c.start == Start::inside ? 0.5 * c.tank.depth : c.tank.depth + c.radius + spacing;
}

Scene scene_of(const std::string& method, const Case& c, double spacing) {
  const float x = static_cast<float>(0.5 * c.tank.width),
              z = static_cast<float>(0.5 * c.tank.length);
  const float depth = static_cast<float>(c.tank.depth), radius = static_cast<float>(c.radius);
  Scene scene;
  scene.method = method;
  scene.spacing = spacing;
  scene.materials = {{.name = "water", .density = water_density}};
  scene.has_domain = true;
  scene.domain.min = {-x, 0, -z};
  scene.domain.max = {x, c.closed ? depth : depth + 4 * radius + 0.2f, z};
  scene.domain.walls = {true, true, true, true, true, true};
  const Shape ball = Shape::sphere({0, static_cast<float>(start_height(c, spacing)), 0}, radius);
  const Shape water = Shape::box({-x, 0, -z}, {x, depth, z});
  scene.fluids = {{0, c.start == Start::above ? water : subtract(water, ball), {}, usual_jitter}};
  Body body;
  body.name = "ball";
  body.shape = ball;
  body.free = FreeBody{.density = c.density};
  scene.bodies = {body};
  return scene;
}

// Where the water ends away from the ball.
double water_level(const ParticleFrame& frame, const Case& c, const Vec3d& ball, double spacing) {
  const auto away = [&](double x, double z) {
    return std::hypot(x - ball.x, z - ball.z) > c.radius + 2 * spacing;
  };
  std::vector<float> heights;
  for (const Vec3& x : frame.position())
    if (away(x.x, x.z)) heights.push_back(x.y);
  constexpr int looks = 100;  // along each side
  double area = 0;
  for (int i = 0; i < looks; ++i)
    for (int k = 0; k < looks; ++k)
      area +=
          away(c.tank.width * ((i + 0.5) / looks - 0.5), c.tank.length * ((k + 0.5) / looks - 0.5));
  area *= c.tank.width * c.tank.length / (looks * looks);
  return surface_level(heights, area / (spacing * spacing), spacing);
}

// The share of a ball's volume below a level that is `above` its centre.
double share_below(double above, double radius) {
  const double t = std::clamp(above / radius, -1.0, 1.0);
  return 0.25 * (2 + 3 * t - t * t * t);
}

Check check_of(const Case& c, double submerged, double lowest, double highest, double spacing) {
  constexpr const char* starts[] = {"inside", "above", "on the floor"};
  const std::string name = fmt::format("{}{}, {:.0f} kg/m3, radius {:.0f} spacings, {}",
                                       c.tank.name, c.closed ? " closed" : "", c.density,
                                       c.radius / spacing, starts[static_cast<int>(c.start)]);
  if (c.density > water_density)
    return {name + ": above the floor", lowest / spacing, 0.5, "spacings"};
  if (c.closed)
    return {name + ": below the ceiling", (c.tank.depth - highest) / spacing, 0.5, "spacings"};
  return {name + ": error of the submerged share", std::abs(submerged - c.density / water_density),
          0.08, ""};
}

Check run(const std::string& method, const Case& c, double spacing, const DeviceOptions& options) {
  const auto sim = make_simulation(scene_of(method, c, spacing), options);
  constexpr int looks = 5;
  double submerged = 0, height = 0;
  for (int k = 1; k <= looks; ++k) {
    sim->advance_to(settled + averaged * k / looks);
    const ParticleFrame frame = sim->snapshot();
    // The pose is that of the shape's origin; the ball turns about its centre.
    const BodyPose& pose = frame.bodies.at(0);
    const Vec3d at =
        pose.position + to_double(rotation(pose.rotation) *
                                  Vec3{0, static_cast<float>(start_height(c, spacing)), 0});
    height += at.y / looks;
    submerged += share_below(water_level(frame, c, at, spacing) - at.y, c.radius) / looks;
  }
  return check_of(c, submerged, height - c.radius, height + c.radius, spacing);
}

}  // namespace

StudyResult bodies_in_tanks(const std::string& method, const DeviceOptions& options,
                            StudySize size) {
  StudyResult result{method + "/bodies", "Balls float as deep as they weigh, or sink", {}, {}};
  constexpr double spacing = 0.02;
  for (const Case& c : sample(spacing, size))
    result.checks.push_back(run(method, c, spacing, options));
  return result;
}

}  // namespace panta::validation
