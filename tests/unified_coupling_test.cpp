// Solids in liquids: Archimedes, momentum, sand in water, on every device present.
#include <gtest/gtest.h>

#include "unified_scenes.h"

namespace panta {
namespace {

constexpr double spacing = 0.05;

class UnifiedCouplingTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};
};

// A cube of 4 x 4 x 4 particles in a tank 14 wide; it starts half immersed.
Scene bath(double ratio) {
  Scene scene = empty_space(MaterialKind::liquid, spacing);
  scene.gravity = {0, -earth_gravity, 0};
  scene.materials.push_back(material_of(MaterialKind::solid, 1000 * ratio));
  scene.has_domain = true;
  scene.domain.min = {-0.35, 0, -0.35};
  scene.domain.max = {0.35, 2, 0.35};
  scene.domain.walls = {true, true, true, true, true, true};
  scene.fluids = {{0, Shape::box({-0.35f, 0, -0.35f}, {0.35f, 0.5f, 0.35f})}};
  scene.solids = {block_at(scene, {-0.1f, 0.4f, -0.1f}, 4, 4, 4)};
  return scene;
}

// The level of the liquid away from the cube: the upper end of its top layer.
double level(const ParticleFrame& frame) {
  std::vector<double> heights;
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (frame.phase()[i] == 0 &&
        std::max(std::abs(frame.position()[i].x), std::abs(frame.position()[i].z)) > 0.2f)
      heights.push_back(frame.position()[i].y);
  std::sort(heights.begin(), heights.end());
  const std::size_t tenth = heights.size() / 20;  // half of a layer of ten
  return heights[heights.size() - 1 - tenth] + 0.5 * spacing;
}

// The fraction of the cube's volume below the level, for any rotation.
double submerged(const ParticleFrame& frame) {
  const double surface = level(frame);
  double below = 0, count = 0;
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (frame.phase()[i] == 1) {
      below += std::clamp((surface - frame.position()[i].y) / spacing + 0.5, 0.0, 1.0);
      count += 1;
    }
  return below / count;
}

// The immersed fraction of a body of this density at rest.
double floating_depth(double ratio, const DeviceOptions& options) {
  const auto sim = make_simulation(bath(ratio), options);
  sim->advance_to(1.5);
  double mean = 0;
  for (int k = 1; k <= 10; ++k) {
    sim->advance_to(1.5 + 0.05 * k);
    mean += submerged(sim->snapshot()) / 10;
  }
  ::testing::Test::RecordProperty("submerged", std::to_string(mean));
  return mean;
}

TEST_P(UnifiedCouplingTest, LightBodyFloatsHigh) {
  EXPECT_NEAR(floating_depth(0.25, options), 0.25, 0.1);
}

TEST_P(UnifiedCouplingTest, BodyOfHalfTheDensityFloatsHalfImmersed) {
  EXPECT_NEAR(floating_depth(0.5, options), 0.5, 0.1);
}

TEST_P(UnifiedCouplingTest, HeavierBodyFloatsDeeper) {
  EXPECT_NEAR(floating_depth(0.75, options), 0.75, 0.1);
}

TEST_P(UnifiedCouplingTest, HeavyBodiesSink) {
  const auto sim = make_simulation(bath(1.5), options);
  sim->advance_to(2);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_LT(mean_of(frame.position(), frame.size() - 64).y, 0.13);
  EXPECT_EQ(submerged(frame), 1);
}

// The drift of momentum in a collision, relative to the initial momentum.
double drift_of(const Scene& scene, const DeviceOptions& options) {
  const auto sim = make_simulation(scene, options);
  const ParticleFrame before = sim->snapshot();
  double size = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    size += sim->particle_mass(before.phase()[i]) * double(length(before.velocity()[i]));
  const Vec3d start = momentum_of(*sim, before);
  sim->advance_to(0.4);
  return length(momentum_of(*sim, sim->snapshot()) - start) / size;
}

// A body with suddenly more contacts than in the previous iteration applies only a part of their
// corrections, to limit its speed: this limits the momentum lost by that.
//
// A drop hits a block in free space.
TEST_P(UnifiedCouplingTest, BodyAndLiquidConserveMomentum) {
  for (const double ratio : {0.5, 1.0, 3.0}) {
    Scene scene = empty_space(MaterialKind::liquid, spacing);
    scene.materials.push_back(material_of(MaterialKind::solid, 1000 * ratio));
    scene.fluids = {{0, Shape::box({-0.5f, 0, 0}, {-0.1f, 0.25f, 0.25f}), {1.5f, 0, 0}}};
    scene.solids = {block_at(scene, {0, 0.05f, 0}, 4, 4, 4)};
    const double drift = drift_of(scene, options);
    RecordProperty("drift_" + std::to_string(ratio), std::to_string(drift));
    EXPECT_LT(drift, 0.05) << ratio;
  }
}

TEST_P(UnifiedCouplingTest, CollidingBodiesConserveMomentum) {
  for (const float aside : {0.0f, 0.07f}) {
    Scene scene = empty_space(MaterialKind::solid, spacing);
    scene.solids = {block_at(scene, {-0.3f, 0, 0}, 4, 4, 4),
                    block_at(scene, {0, aside, 0}, 6, 3, 3)};
    scene.solids[0].velocity = {2, 0, 0};
    const double drift = drift_of(scene, options);
    RecordProperty("aside_" + std::to_string(aside), std::to_string(drift));
    EXPECT_LT(drift, 0.01) << aside;
  }
}

TEST_P(UnifiedCouplingTest, GrainsAndBodyConserveMomentum) {
  Scene scene = empty_space(MaterialKind::solid, spacing);
  scene.materials.push_back(material_of(MaterialKind::granular));
  scene.solids = {block_at(scene, {0, 0, 0}, 4, 6, 6)};
  scene.fluids = {{1, Shape::box({-0.4f, 0, 0}, {-0.1f, 0.2f, 0.2f}), {2, 0, 0}, 0.05f}};
  const double drift = drift_of(scene, options);
  RecordProperty("drift", std::to_string(drift));
  EXPECT_LT(drift, 0.1);
}

// Grains heavier than water end on the ground, lighter ones at the surface.
TEST_P(UnifiedCouplingTest, GrainsSinkOrFloatByTheirDensity) {
  for (const double ratio : {0.4, 2.0}) {
    Scene scene = bath(1);
    scene.solids.clear();
    scene.materials[1] = material_of(MaterialKind::granular, 1000 * ratio);
    scene.fluids = {{0, Shape::box({-0.35f, 0, -0.35f}, {0.35f, 0.2f, 0.35f})},
                    {1, Shape::box({-0.1f, 0.2f, -0.1f}, {0.1f, 0.25f, 0.1f})},
                    {0, Shape::box({-0.35f, 0.25f, -0.35f}, {0.35f, 0.45f, 0.35f})}};
    const auto sim = make_simulation(scene, options);
    sim->advance_to(2);
    const ParticleFrame frame = sim->snapshot();
    double height = 0, count = 0;
    for (std::size_t i = 0; i < frame.size(); ++i)
      if (frame.phase()[i] == 1) height += frame.position()[i].y, count += 1;
    height /= count;
    if (ratio > 1) {
      EXPECT_LT(height, 0.075);
    } else {
      EXPECT_GT(height, 0.35);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedCouplingTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
