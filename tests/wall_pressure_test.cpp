// The probe of the mean pressure on a patch of a wall.
#include "panta/run/wall_pressure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "file_test_fixture.h"
#include "panta/core/error.h"
#include "panta/load/load.h"
#include "panta/run/probes.h"
#include "still_solver.h"

namespace panta {
namespace {

constexpr double spacing = 0.1;

// Particles on a lattice in [0, 2]^dim, somewhat disturbed, below the level y = `level`, with a
// linear pressure.
std::vector<PressurePoint> lattice(int dimensions, double level = 2) {
  std::vector<PressurePoint> points;
  const int depth = dimensions == 3 ? 20 : 1;
  for (int k = 0; k < depth; ++k)
    for (int j = 0; (j + 0.5) * spacing < level; ++j)
      for (int i = 0; i < 20; ++i) {
        Vec3d x = Vec3d{i + 0.5 + 0.2 * std::sin(3.0 * j), j + 0.5 + 0.2 * std::sin(5.0 * i), 0} *
                  spacing;
        if (dimensions == 3) x.z = (k + 0.5 + 0.1 * std::sin(i + 2.0 * j)) * spacing;
        points.push_back(
            {x, 1000 + 300 * x.x - 500 * x.y + 200 * x.z, std::pow(spacing, dimensions)});
      }
  return points;
}

WallPatch floor_patch(int dimensions, double radius) {
  return {.center = {1, 0, dimensions == 3 ? 1.0 : 0.0},
          .normal = {0, 1, 0},
          .radius = radius,
          .size = {},
          .spacing = spacing,
          .dimensions = dimensions};
}

TEST(WallPressure, LinearPressureIsExtrapolatedToTheWall) {
  EXPECT_NEAR(mean_pressure(floor_patch(2, 0.4), lattice(2)), 1300, 1.5);
  EXPECT_NEAR(mean_pressure(floor_patch(3, 0.4), lattice(3)), 1500, 1.5);
  // Patches up to the end of the floor, where two walls meet, and patches smaller than a spacing.
  EXPECT_NEAR(mean_pressure(floor_patch(2, 1), lattice(2)), 1300, 2);
  EXPECT_NEAR(mean_pressure(floor_patch(3, 0.02), lattice(3)), 1500, 2);
  WallPatch side = floor_patch(3, 0);
  side.center = {2, 1, 1}, side.normal = {-1, 0, 0}, side.size = {0, 2, 2};
  EXPECT_NEAR(mean_pressure(side, lattice(3)), 1300, 2);
  side.normal = Vec3d{-std::sqrt(0.5), std::sqrt(0.5), 0};
  side.size = {}, side.radius = 0.3, side.center = {1, 1, 1};
  EXPECT_NEAR(mean_pressure(side, lattice(3)), 1000, 2);
}

TEST(WallPressure, DryPartsCountAsZero) {
  WallPatch side{.center = {0, 1, 0},
                 .normal = {1, 0, 0},
                 .size = {0, 2, 0},
                 .spacing = spacing,
                 .dimensions = 2};
  EXPECT_EQ(mean_pressure(side, {}), 0);
  std::vector<PressurePoint> half = lattice(2, 1);
  for (PressurePoint& p : half) p.pressure = 1000;
  EXPECT_NEAR(mean_pressure(side, half), 500, 1000 * spacing / 2);  // to a spacing
  side.normal = {-1, 0, 0};  // particles behind the patch are ignored
  side.center.x = -spacing;
  EXPECT_EQ(mean_pressure(side, half), 0);
}

Scene scene_with(const std::string& probe) {
  return parse_scene(R"({"method": "sph", "spacing": 0.1, "materials": {"water": {}},
    "fluids": [{"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}],
    "bodies": [{"name": "plate", "shape": {"box": {"min": [0, -1, 0], "max": [2, 0, 2]}}}],
    "probes": {"it": {"type": "wall_pressure", )" +
                         probe + "}}}",
                     "s.json");
}

TEST(WallPressure, PatchMovesWithItsBody) {
  Scene scene = scene_with(
      R"("at": [0.5, 0, 1], "normal": [0, 2, 0], "size": [0.4, 0, 0.4], "body": "plate")");
  scene.bodies[0].motion.keys = {{0, {}, {}}, {1, {0.5f, 0, 0}, {}}};
  const Simulation sim(scene, std::make_unique<StillSolver>());
  const std::vector<PressurePoint> points = lattice(3);
  ParticleFrame frame;
  frame.resize(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    frame.position()[k] = to_float(points[k].x);
    frame.pressure().resize(points.size());
    frame.pressure()[k] = static_cast<float>(points[k].pressure);
  }
  EXPECT_NEAR(measure_probes(scene, sim, frame).at(0).value.at(0), 1350, 2);
  frame.time = 1;
  EXPECT_NEAR(measure_probes(scene, sim, frame).at(0).value.at(0), 1500, 2);
}

TEST(WallPressure, ErrorsNameTheKeys) {
  const auto message = [](const std::string& probe) {
    return error_message(ErrorKind::usage, [&] { scene_with(probe); });
  };
  const std::string place = R"("at": [0, 0, 0], "normal": [0, 1, 0])";
  expect_contains(message(place), "needs one of 'radius' and 'size'");
  expect_contains(message(place + R"(, "radius": 1, "size": [1, 1, 1])"),
                  "needs one of 'radius' and 'size'");
  expect_contains(message(place + R"(, "size": [1, 1, 0])"), "'probes.it.size'");
  expect_contains(message(R"("at": [0, 0, 0], "radius": 1)"), "'probes.it.normal'");
  expect_contains(message(place + R"(, "radius": 1, "body": "plat")"), "'probes.it.body'");
}

}  // namespace
}  // namespace panta
