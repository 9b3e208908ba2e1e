// Free rigid bodies in liquids under the unified method, on every device present: Archimedes'
// principle for other densities, sizes and tanks, and momentum.
#include <gtest/gtest.h>

#include <numbers>

#include "unified_scenes.h"

namespace panta {
namespace {

class UnifiedFreeBodyTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};
};

constexpr double water_density = 1000, spacing = 0.025, radius = 3 * spacing;
constexpr double ball_volume = 4.0 / 3 * std::numbers::pi * radius * radius * radius;

Body ball(double density, const Vec3& centre) {
  Body body;
  body.shape = Shape::sphere(centre, static_cast<float>(radius));
  body.free = FreeBody{.density = density};
  return body;
}

struct Bath {
  Vec3d size;
  double depth, start;  // m, of the water; height of the ball at the start
};

Scene scene_of(const Bath& bath, double density) {
  Scene scene = empty_space(MaterialKind::liquid, spacing);
  scene.gravity = {0, -earth_gravity, 0};
  scene.has_domain = true;
  scene.domain.max = bath.size;
  scene.domain.walls.fill(true);
  const Vec3 high = to_float(Vec3d{bath.size.x, bath.depth, bath.size.z});
  const Vec3 centre = to_float(Vec3d{bath.size.x / 2, bath.start, bath.size.z / 2});
  scene.bodies = {ball(density, centre)};
  scene.fluids = {{0, subtract(Shape::box({0, 0, 0}, high), scene.bodies[0].shape)}};
  return scene;
}

// Where the centre of the ball is; poses are of the frame of the scene's shape.
Vec3d centre_of(const Scene& scene, Simulation& sim) {
  const ParticleFrame frame = sim.snapshot();
  const BodyPose& pose = frame.bodies.at(0);
  const ShapeBounds bounds = shape_bounds(scene.bodies[0].shape);
  const Vec3 centre = to_float((bounds.min + bounds.max) * 0.5);
  return pose.position + to_double(rotation(pose.rotation) * centre);
}

// The share of a ball that is below a level.
double below(double height, double level) {
  const double h = std::clamp((height - level) / radius, -1.0, 1.0);
  return 0.5 - 0.75 * h + 0.25 * h * h * h;
}

TEST_P(UnifiedFreeBodyTest, BallsFloatByTheirDensity) {
  const std::pair<Bath, double> cases[] = {{{{0.3, 0.6, 0.3}, 0.3, 0.15}, 0.3},
                                           {{{0.5, 0.35, 0.25}, 0.2, 0.2}, 0.7}};
  for (const auto& [bath, ratio] : cases) {
    const Scene scene = scene_of(bath, ratio * water_density);
    const auto sim = make_simulation(scene, options);
    sim->advance_to(1.5);
    double height = 0;
    for (int k = 1; k <= 10; ++k) {
      sim->advance_to(1.5 + 0.1 * k);
      height += centre_of(scene, *sim).y / 10;
    }
    const double water = double(sim->size()) * spacing * spacing * spacing;
    const double level = (water + ratio * ball_volume) / (bath.size.x * bath.size.z);
    EXPECT_NEAR(below(height, level), ratio, 0.08) << bath.size.x;
  }
}

TEST_P(UnifiedFreeBodyTest, LightBallsRiseAndHeavyOnesSink) {
  const Bath bath{{0.6, 0.35, 0.25}, 0.2, 0.1};
  for (const double ratio : {0.1, 2.5}) {
    const Scene scene = scene_of(bath, ratio * water_density);
    const auto sim = make_simulation(scene, options);
    sim->advance_to(2);
    const double height = centre_of(scene, *sim).y;
    if (ratio > 1) {
      EXPECT_NEAR(height, radius, 0.5 * spacing) << ratio;
    } else {
      EXPECT_GT(height, bath.depth) << ratio;
    }
  }
}

// So heavy that it stays, and held against its weight: the force of the water is the weight of what
// the ball displaces.
TEST_P(UnifiedFreeBodyTest, HeldBallCarriesWeightOfDisplacedLiquid) {
  Scene scene = scene_of({{0.4, 0.6, 0.3}, 0.35, 0.15}, water_density);
  constexpr double mass = 1e7;
  scene.bodies[0].free = FreeBody{.mass = mass};
  const auto sim = make_simulation(scene, options);
  sim->set_body_force(0, {0, mass * earth_gravity, 0}, {});
  sim->advance_to(1);
  sim->advance_to(2);
  const double weight = water_density * ball_volume * earth_gravity;
  const double share = sim->snapshot().bodies.at(0).force_particles.y / weight;
  RecordProperty("share", std::to_string(share));
  EXPECT_NEAR(share, 1, 0.05);
}

// Liquid at rest does not hold bodies of nearly its own density.
TEST_P(UnifiedFreeBodyTest, BallsOfNearlyTheDensityOfWaterRiseAndSink) {
  const Bath bath{{0.5, 0.6, 0.4}, 0.35, 0.175};
  for (const double ratio : {0.9, 1.05}) {
    const Scene scene = scene_of(bath, ratio * water_density);
    const auto sim = make_simulation(scene, options);
    sim->advance_to(5);
    const double height = centre_of(scene, *sim).y;
    RecordProperty("height at " + std::to_string(ratio), std::to_string(height));
    if (ratio > 1) {
      EXPECT_LT(height, radius + spacing) << ratio;
    } else {
      EXPECT_GT(height, bath.depth - radius) << ratio;  // some of it is above the surface
    }
  }
}

// A jet hits a ball in free space.
TEST_P(UnifiedFreeBodyTest, BallAndLiquidConserveMomentum) {
  for (const double ratio : {0.1, 1.0, 8.0}) {
    Scene scene = empty_space(MaterialKind::liquid, spacing);
    scene.bodies = {ball(ratio * water_density, {0, 0.04f, 0.02f})};
    scene.fluids = {{0, Shape::box({-0.5f, -0.05f, -0.05f}, {-0.1f, 0.05f, 0.05f}), {1.5f, 0, 0}}};
    const auto sim = make_simulation(scene, options);
    const Vec3d before = momentum_of(*sim, sim->snapshot());
    sim->advance_to(0.5);
    const ParticleFrame frame = sim->snapshot();
    const Vec3d body = frame.bodies.at(0).velocity * (ratio * water_density * ball_volume);
    EXPECT_GT(body.x, 0.02 * before.x) << ratio;
    // The mass of the ball's mesh is less than a thousandth away from that of a sphere.
    EXPECT_LT(length(momentum_of(*sim, frame) + body - before), 2e-3 * before.x) << ratio;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedFreeBodyTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
