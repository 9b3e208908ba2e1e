// Blocks on ramps and conveyors against Coulomb's law, on every available device.
#include <gtest/gtest.h>

#include "unified_scenes.h"

namespace panta {
namespace {

class UnifiedFrictionTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};
};

// A block of 6 x 4 x 6 particles on a floor; gravity is tilted instead of the floor.
Scene block_on_a_ramp(float friction, double slope) {
  Scene scene = above_floor(MaterialKind::solid, friction);
  const double angle = std::atan(slope);
  scene.gravity = {earth_gravity * std::sin(angle), -earth_gravity * std::cos(angle), 0};
  scene.solids = {block_at(scene, {0, 0, 0}, 6, 4, 6)};
  return scene;
}

// The same on a plank with this slope down to the right.
Scene block_on_a_plank(float friction, double slope) {
  Scene scene = empty_space(MaterialKind::solid);
  scene.gravity = {0, -earth_gravity, 0};
  const Quat tilt = axis_angle({0, 0, 1}, static_cast<float>(-std::atan(slope)));
  Body plank;
  plank.shape = Shape::box({-20, -1, -2}, {20, 0, 2}).rotated(tilt);
  plank.surface.friction = friction;
  scene.bodies = {plank};
  scene.solids = {block_at(scene, {0, 0, 0}, 6, 4, 6)};
  scene.solids[0].shape = scene.solids[0].shape.rotated(tilt);
  return scene;
}

struct Slide {
  double at_half, at_one, at_two;  // m, along the ramp
};
Slide slide(const Scene& scene, const DeviceOptions& options) {
  const auto sim = make_simulation(scene, options);
  const Vec3d start = mean_of(sim->snapshot().position());
  const auto moved = [&](double time) {
    sim->advance_to(time);
    return length(mean_of(sim->snapshot().position()) - start);
  };
  const double half = moved(0.5), one = moved(1);
  return {half, one, moved(2)};
}

TEST_P(UnifiedFrictionTest, BlockHoldsOnASlopeBelowItsFriction) {
  for (const auto make : {block_on_a_ramp, block_on_a_plank})
    for (const double share : {0.5, 0.8, 0.95}) {
      const Scene scene = make(0.5f, 0.5 * share);
      const Slide moved = slide(scene, options);
      RecordProperty("creep", std::to_string((moved.at_two - moved.at_one) / scene.spacing));
      EXPECT_LT(moved.at_two, 0.1 * scene.spacing) << share;
      EXPECT_LT(moved.at_two - moved.at_one, 0.02 * scene.spacing) << share;
    }
}

// g (sin - mu cos), from the distances at three times, so that the start has no influence.
TEST_P(UnifiedFrictionTest, BlockSlidesOnASteeperSlopeByCoulombsLaw) {
  for (const auto make : {block_on_a_ramp, block_on_a_plank})
    for (const double slope : {0.7, 1.0}) {
      constexpr double mu = 0.5;
      const Slide moved = slide(make(float(mu), slope), options);
      const double angle = std::atan(slope);
      const double expected = earth_gravity * (std::sin(angle) - mu * std::cos(angle));
      const double found = (moved.at_two - 2 * moved.at_one) / 1.0;  // s(2) - 2 s(1) + s(0)
      EXPECT_NEAR(found / expected, 1, 0.05) << slope;
      EXPECT_NEAR(moved.at_one / (0.5 * expected), 1, 0.05) << slope;
    }
}

TEST_P(UnifiedFrictionTest, WithoutFrictionBlockSlidesFreely) {
  const Slide moved = slide(block_on_a_ramp(0, 0.3), options);
  EXPECT_NEAR(moved.at_one / (0.5 * earth_gravity * std::sin(std::atan(0.3))), 1, 0.02);
}

// Acceleration mu g until it has the belt's speed.
TEST_P(UnifiedFrictionTest, ConveyorAcceleratesABlockToItsSpeed) {
  for (const bool on_a_body : {false, true}) {
    Scene scene = on_a_body ? block_on_a_plank(0.3f, 0) : block_on_a_ramp(0.3f, 0);
    Surface& belt = on_a_body ? scene.bodies[0].surface : scene.domain.surfaces[minus_y];
    belt.velocity = {1, 0, 0};
    const auto sim = make_simulation(scene, options);
    sim->advance_to(0.2);
    EXPECT_NEAR(mean_of(sim->snapshot().velocity()).x, 0.3 * earth_gravity * 0.2, 0.06);
    sim->advance_to(1);
    const ParticleFrame frame = sim->snapshot();
    EXPECT_NEAR(mean_of(frame.velocity()).x, 1, 0.02);
    for (const Vec3& v : frame.velocity()) EXPECT_NEAR(v.x, 1, 0.05);
  }
}

TEST_P(UnifiedFrictionTest, GrainStopsAfterTheDistanceOfCoulombFriction) {
  Scene scene = above_floor(MaterialKind::granular, 0.4f);
  scene.fluids = {grain_at({0, 0.025f, 0}, {2, 0, 0})};
  const auto sim = make_simulation(scene, options);
  sim->advance_to(1.5);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_NEAR(frame.position()[0].x / (2.0 * 2 / (2 * 0.4 * earth_gravity)), 1, 0.05);
  EXPECT_LT(length(frame.velocity()[0]), 1e-3);
}

// Between bodies the solver applies the friction: a block on a slab that the floor holds. At first
// the spheres are on top of each other and slip into the hollows in between; there the block has to
// stay. (While it slides, spheres climb over spheres, so Coulomb's law does not apply.)
TEST_P(UnifiedFrictionTest, BlockOnABlockSlidesOnlyAboveItsFriction) {
  for (const double slope : {0.4, 1.5}) {
    Scene scene = above_floor(MaterialKind::solid, 20);
    const double angle = std::atan(slope);
    scene.gravity = {earth_gravity * std::sin(angle), -earth_gravity * std::cos(angle), 0};
    scene.solver["static_friction"] = 0.6;
    scene.solver["friction"] = 0.5;
    scene.solids = {block_at(scene, {0, 0, 0}, 30, 2, 8),
                    block_at(scene, {0.1f, 0.1f, 0.1f}, 4, 2, 4)};
    const auto sim = make_simulation(scene, options);
    const auto ahead = [&] {
      const ParticleFrame frame = sim->snapshot();
      return mean_of(frame.position(), 480).x - mean_of(frame.position(), 0, 480).x;
    };
    if (slope < 1) sim->advance_to(0.5);
    const double start = ahead();
    sim->advance_to(slope < 1 ? 1.0 : 0.5);
    const double moved = ahead() - start;
    RecordProperty("slope_" + std::to_string(slope), std::to_string(moved / scene.spacing));
    if (slope < 1) {
      EXPECT_LT(std::abs(moved), 0.1 * scene.spacing);
    } else {
      EXPECT_GT(moved, 2 * scene.spacing);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedFrictionTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
