// Forces in the unified method's liquids against closed forms, on every available device.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "device_list.h"
#include "panta/core/error.h"
#include "panta/methods/unified_macklin2014/kernels.h"
#include "panta/run/wall_pressure.h"

namespace panta {
namespace {

constexpr double pi = std::numbers::pi, spacing = 0.02;

class UnifiedLiquidTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};
};

Scene weightless(double surface_tension = 0) {
  Scene scene;
  scene.method = "unified";
  scene.spacing = spacing;
  scene.gravity = {};
  Material water;
  water.surface_tension = surface_tension;
  scene.materials = {water};
  return scene;
}

Vec3d mean(const std::vector<Vec3>& values) {
  Vec3d sum;
  for (const Vec3& v : values) sum += to_double(v) * (1.0 / double(values.size()));
  return sum;
}

// The radius of a sphere of the same volume.
double drop_radius(std::size_t particles) {
  return std::cbrt(0.75 / pi * double(particles)) * spacing;
}

TEST_P(UnifiedLiquidTest, SurfaceTensionTurnsACubeIntoASphere) {
  Scene scene = weightless(1);
  scene.fluids = {{0, Shape::box({-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f})}};
  const auto sim = make_simulation(scene, options);
  sim->advance_to(3);
  const ParticleFrame frame = sim->snapshot();
  // Its extent along the axes and the diagonals.
  double nearest = 1e30, farthest = 0;
  for (int k = 1; k < 27; ++k) {
    const Vec3d way{double(k % 3 - 1), double(k / 3 % 3 - 1), double(k / 9 - 1)};
    double reach = 0;
    for (const Vec3& x : frame.position())
      reach = std::max(reach, dot(to_double(x), way) / std::max(length(way), 1e-9));
    if (k != 13) nearest = std::min(nearest, reach);
    farthest = std::max(farthest, reach);
  }
  EXPECT_LT(farthest - nearest, spacing);  // more than three for the cube
  EXPECT_NEAR(farthest / drop_radius(frame.size()), 1, 0.06);
  EXPECT_LT(length(mean(frame.velocity())), 1e-4);
}

// Half a period of a drop that starts with the velocities of its slowest oscillation, by Rayleigh:
// omega^2 = 8 sigma / (rho R^3).
TEST_P(UnifiedLiquidTest, DropOscillatesAtRayleighsFrequency) {
  constexpr double sigma = 2;
  Scene scene = weightless(sigma);
  Fluid drop{0, Shape::sphere({0, 0, 0}, 0.16f)};
  const float rate = static_cast<float>(0.2 * std::sqrt(8 * sigma / (1000 * std::pow(0.16, 3))));
  drop.jitter = 0.06f;
  drop.velocity_at = [=](const Vec3& x) {
    return Vec3{rate * x.x, -0.5f * rate * x.y, -0.5f * rate * x.z};
  };
  scene.fluids = {drop};
  const auto sim = make_simulation(scene, options);
  const double omega = std::sqrt(8 * sigma / (1000 * std::pow(drop_radius(sim->size()), 3)));
  const auto elongation = [&] {
    double q = 0;
    for (const Vec3& x : sim->snapshot().position()) q += x.x * x.x - 0.5 * (x.y * x.y + x.z * x.z);
    return q;
  };
  sim->advance_to(0.1);
  while (elongation() > 0 && sim->time() < 5) sim->advance_to(sim->time() + 1.0 / 60);
  EXPECT_NEAR(sim->time() / (pi / omega), 1, 0.15);
}

TEST_P(UnifiedLiquidTest, TooLargeTensionIsRefusedWithARemedy) {
  Scene scene = weightless(1000);
  scene.fluids = {{0, Shape::sphere({0, 0, 0}, 0.05f)}};
  scene.solver["time_step"] = 1.0 / 120;
  try {
    make_simulation(scene, options);
    FAIL() << "1000 N/m was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("solver.time_step"), std::string::npos);
  }
}

// Two layers under a ceiling. Its work of adhesion, rho a h / 2, is five times the surface
// tension: the liquid wets it.
TEST_P(UnifiedLiquidTest, LiquidHangsUnderAnAdhesiveCeiling) {
  for (const float adhesion : {0.0f, 900.0f}) {
    Scene scene = weightless(0.8);
    scene.spacing = 0.005;
    scene.solver["time_step"] = 1.0 / 480;
    scene.gravity = {0, -9.81, 0};
    scene.has_domain = true;
    scene.domain.min = {-1, -9, -1};
    scene.domain.max = {1, 0, 1};
    scene.domain.walls[plus_y] = true;
    scene.domain.surfaces[plus_y].adhesion = adhesion;
    scene.fluids = {{0, Shape::box({-0.0125f, -0.01f, -0.0125f}, {0.0125f, 0, 0.0125f})}};
    const auto sim = make_simulation(scene, options);
    sim->advance_to(1);
    for (const Vec3& x : sim->snapshot().position()) {
      if (adhesion > 0) {
        EXPECT_GT(x.y, -0.01);
      } else {
        EXPECT_LT(x.y, -0.9 * 0.5 * 9.81);
      }
    }
  }
}

// The heavier liquid has the same stiffness as the lighter one.
TEST_P(UnifiedLiquidTest, HeavyLiquidUnderALightOneKeepsItsDensity) {
  Scene scene = weightless();
  scene.gravity = {0, -9.81, 0};
  scene.spacing = 0.05;
  Material heavy, light;
  heavy.name = "heavy", light.name = "light";
  light.density = 0.1 * heavy.density;
  scene.materials = {heavy, light};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.5f, 0.5f, 0.5f})},
                  {1, Shape::box({0, 0.5f, 0}, {0.5f, 1, 0.5f})}};
  scene.has_domain = true;
  scene.domain.max = {0.5, 1.5, 0.5};
  scene.domain.walls = {true, true, true, true, true, true};
  const auto sim = make_simulation(scene, options);
  double worst = 0;
  for (int k = 1; k <= 10; ++k) {
    sim->advance_to(0.1 * k);
    const ParticleFrame frame = sim->snapshot();
    for (std::size_t i = 0; i < frame.size(); ++i)
      worst = std::max(worst, frame.density()[i] / sim->rest_density(frame.phase()[i]) - 1);
  }
  EXPECT_LT(worst, 0.08);
  double height[2] = {};
  const ParticleFrame frame = sim->snapshot();
  for (std::size_t i = 0; i < frame.size(); ++i)
    height[frame.phase()[i]] += frame.position()[i].y / 1000.0;
  EXPECT_NEAR(height[0], 0.25, 0.01);
  EXPECT_NEAR(height[1], 0.75, 0.02);
}

// A tank of eight layers. Frames give the pressure that carries the liquid, at the walls, too, and
// so does the probe.
TEST_P(UnifiedLiquidTest, PressureIsHydrostaticUpToTheWalls) {
  constexpr float wide = 10 * spacing, depth = 8 * spacing;
  Scene scene = weightless();
  scene.gravity = {0, -9.81, 0};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {wide, depth, wide}), {}, 0.1f}};
  scene.has_domain = true;
  scene.domain.max = {wide, 2 * depth, wide};
  scene.domain.walls.fill(true);
  const auto sim = make_simulation(scene, options);
  double error[2] = {}, expected[2] = {},
         probed = 0;  // of the bottom layers and those at the sides
  constexpr int looks = 10;
  for (int k = 1; k <= looks; ++k) {
    sim->advance_to(2 + 0.1 * k);
    const ParticleFrame frame = sim->snapshot();
    std::vector<PressurePoint> points;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const Vec3 x = frame.position()[i];
      const double p = frame.pressure()[i], exact = 1000 * 9.81 * (depth - x.y);
      points.push_back({to_double(x), p, spacing * spacing * spacing});
      const bool at_side = std::min(std::min(x.x, wide - x.x), std::min(x.z, wide - x.z)) < spacing;
      if (x.y > (at_side ? 5 * spacing : spacing)) continue;
      error[at_side] += p - exact;
      expected[at_side] += exact;
    }
    const WallPatch patch{.center = {wide / 2, 0, wide / 2},
                          .normal = {0, 1, 0},
                          .size = {wide / 2, 0, wide / 2},
                          .spacing = spacing,
                          .dimensions = 3};
    probed += mean_pressure(patch, points) / (looks * 1000 * 9.81 * depth);
  }
  EXPECT_NEAR(error[0] / expected[0], 0, 0.06);
  EXPECT_NEAR(error[1] / expected[1], 0, 0.06);
  EXPECT_NEAR(probed, 1, 0.06);
}

// The rms speed of a pool eight layers deep that has settled around a body, over sqrt(g depth).
double rest_speed_around(const Shape& shape, const DeviceOptions& options) {
  constexpr float wide = 14 * spacing, depth = 8 * spacing;
  Scene scene = weightless();
  scene.gravity = {0, -9.81, 0};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {wide, depth, wide}), {}, 0.1f}};
  Body body;
  body.shape = shape;
  scene.bodies = {body};
  scene.has_domain = true;
  scene.domain.max = {wide, 2 * depth, wide};
  scene.domain.walls.fill(true);
  const auto sim = make_simulation(scene, options);
  double squares = 0;
  std::size_t count = 0;
  for (int k = 1; k <= 10; ++k) {
    sim->advance_to(3 + 0.2 * k);
    for (const Vec3& v : sim->snapshot().velocity()) squares += dot(v, v), ++count;
  }
  return std::sqrt(squares / static_cast<double>(count) / (9.81 * depth));
}

// At convex edges of a body and where it meets a side of the domain, neighbours have different
// walls.
TEST_P(UnifiedLiquidTest, PoolsAroundBodiesComeToRest) {
  constexpr float s = spacing;
  const Shape box = Shape::box({5 * s, 0, 5 * s}, {9 * s, 5 * s, 9 * s});
  const Shape slope = Shape::plane({5 * s, 0, 0}, {-0.3162f, 0.9487f, 0});
  EXPECT_LT(rest_speed_around(box, options), 0.009);
  EXPECT_LT(rest_speed_around(slope, options), 0.009);
}

// Of two liquids the lighter one does not stay on the floor and at the walls below.
TEST_P(UnifiedLiquidTest, ALightLiquidLeavesTheFloor) {
  constexpr float wide = 8 * spacing, depth = 12 * spacing;
  Scene scene = weightless();
  scene.gravity = {0, -9.81, 0};
  Material oil;
  oil.name = "oil";
  oil.density = 500;
  scene.materials.push_back(oil);
  scene.fluids = {{0, Shape::box({0, depth / 2, 0}, {wide, depth, wide}), {}, 0.1f},
                  {1, Shape::box({0, 0, 0}, {wide, depth / 2, wide}), {}, 0.1f}};
  scene.has_domain = true;
  scene.domain.max = {wide, 1.3f * depth, wide};
  scene.domain.walls.fill(true);
  const auto sim = make_simulation(scene, options);
  sim->advance_to(6);
  const ParticleFrame frame = sim->snapshot();
  double below = 0;
  for (std::size_t i = 0; i < frame.size(); ++i)
    below += frame.phase()[i] == 1 && frame.position()[i].y < depth / 2;
  EXPECT_LT(below / (0.5 * double(frame.size())), 0.15);
}

TEST_P(UnifiedLiquidTest, EachMaterialHasItsGravityFactor) {
  Scene scene = weightless();
  scene.gravity = {0, -9.81, 0};
  scene.materials = {Material{}, Material{}, Material{}};
  scene.materials[1].weight = 0;
  scene.materials[2].weight = -0.5;
  for (int k = 0; k < 3; ++k)
    scene.fluids.push_back({k, Shape::sphere({static_cast<float>(k), 0, 0}, 0.05f)});
  const auto sim = make_simulation(scene, options);
  sim->advance_to(0.5);
  const ParticleFrame frame = sim->snapshot();
  const double expected[3] = {-9.81 * 0.5, 0, 0.5 * 9.81 * 0.5};
  for (std::size_t i = 0; i < frame.size(); ++i)
    EXPECT_NEAR(frame.velocity()[i].y, expected[frame.phase()[i]], 0.05) << i;
}

TEST_P(UnifiedLiquidTest, OnlySlowParticlesSleep) {
  Scene scene = weightless();
  scene.solver["sleep_speed"] = 0.1;
  scene.solver["smoothing"] = 0.0;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.02f, 0.02f, 0.02f}), {0.05f, 0, 0}},
                  {0, Shape::box({0, 1, 0}, {0.02f, 1.02f, 0.02f}), {0.2f, 0, 0}}};
  const auto sim = make_simulation(scene, options);
  const ParticleFrame before = sim->snapshot();
  sim->advance_to(0.5);
  const ParticleFrame after = sim->snapshot();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const double moved = after.position()[i].x - before.position()[i].x;
    EXPECT_NEAR(moved, before.position()[i].y < 0.5f ? 0 : 0.1, 1e-3) << i;
  }
}

// u = sin(k y) decays as exp(-nu k^2 t). In the plane the lattice is in equilibrium, so that a slow
// wave is visible.
TEST_P(UnifiedLiquidTest, ShearWaveDecaysByItsViscosity) {
  constexpr double width = 0.32, k = 2 * pi / width, viscosity = 2;  // Pa s
  Scene scene = weightless();
  scene.materials[0].viscosity = viscosity;
  scene.solver["smoothing"] = 0.0;
  scene.has_domain = true;
  scene.dimensions = 2;
  scene.domain.max = {0.16, width, 0};
  scene.domain.periodic = {true, true, false};
  Fluid fluid{0, Shape::box({0, 0, -1}, {0.16f, 0.32f, 1})};
  fluid.velocity_at = [](const Vec3& x) {
    return Vec3{static_cast<float>(0.002 * std::sin(k * x.y)), 0, 0};
  };
  scene.fluids = {fluid};
  const auto sim = make_simulation(scene, options);
  const auto amplitude = [&] {
    const ParticleFrame frame = sim->snapshot();
    double sum = 0;
    for (std::size_t i = 0; i < frame.size(); ++i)
      sum += 2 * frame.velocity()[i].x * std::sin(k * frame.position()[i].y) / double(frame.size());
    return sum;
  };
  const double before = amplitude();
  sim->advance_to(1);
  const double rate = std::log(before / amplitude());
  EXPECT_NEAR(rate / (viscosity / 1000 * k * k), 1, 0.1);
}

// A box without walls under pressure. A yield stress of 1 % of it stops this flow in half a second.
TEST_P(UnifiedLiquidTest, SlowShearUnderPressureDoesNotStop) {
  constexpr float wide = 12 * spacing;
  constexpr double turn = 2 * pi / wide, speed = 0.2;
  Scene scene = weightless();
  Fluid water{0, Shape::box({0, 0, 0}, {wide, wide, wide})};
  water.jitter = 0.3f;
  water.velocity_at = [](const Vec3& x) {
    return Vec3{static_cast<float>(speed * std::sin(turn * x.y)), 0, 0};
  };
  scene.fluids = {water};
  scene.has_domain = true;
  scene.domain.max = {wide, wide, wide};
  scene.domain.periodic = {true, true, true};
  const auto sim = make_simulation(scene, options);
  sim->advance_to(1);
  const ParticleFrame frame = sim->snapshot();
  double kept = 0, pressure = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    kept += 2 * frame.velocity()[i].x * std::sin(turn * frame.position()[i].y);
    pressure += frame.pressure()[i];
  }
  EXPECT_GT(pressure / double(frame.size()), 500);
  EXPECT_GT(kept / (speed * double(frame.size())), 0.6);
}

TEST_P(UnifiedLiquidTest, VorticityConfinementSpinsAVortexWithoutDrift) {
  double spins[2];
  for (const int with : {0, 1}) {
    Scene scene = weightless();
    scene.solver["vorticity"] = with ? 1.0 : 0.0;
    Fluid fluid{0, Shape::cylinder({0, 0, -0.1f}, {0, 0, 0.1f}, 0.12f)};
    fluid.velocity_at = [](const Vec3& x) {
      const float turn = 2 * std::exp(-(x.x * x.x + x.y * x.y) / (0.06f * 0.06f));
      return Vec3{-turn * x.y, turn * x.x, 0};
    };
    scene.fluids = {fluid};
    const auto sim = make_simulation(scene, options);
    sim->advance_to(0.2);
    const ParticleFrame frame = sim->snapshot();
    spins[with] = 0;
    for (std::size_t i = 0; i < frame.size(); ++i)
      spins[with] += (frame.position()[i].x * frame.velocity()[i].y -
                      frame.position()[i].y * frame.velocity()[i].x) /
                     double(frame.size());
    EXPECT_LT(length(mean(frame.velocity())), 1e-3);
  }
  EXPECT_GT(spins[1], spins[0]);
}

// A single particle lacks all density except its own.
TEST_P(UnifiedLiquidTest, FreeSurfaceDragGrowsWithMissingDensity) {
  Scene scene = weightless();
  scene.solver["free_surface_drag"] = 2.0;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.02f, 0.02f, 0.02f}), {1, 0, 0}}};
  const auto sim = make_simulation(scene, options);
  ASSERT_EQ(sim->size(), 1u);
  const auto kernel = unified::make_density_kernel(1.82 * spacing, spacing, 3);
  const double own = kernel.inverse_full / kernel.rest;
  sim->advance_to(0.5);
  EXPECT_NEAR(sim->snapshot().velocity()[0].x, std::exp(-2 * (1 - own) * 0.5), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedLiquidTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
