// Solids in liquids: Archimedes, momentum, sand in water, on every device present.
#include <gtest/gtest.h>

#include "unified_scenes.h"

namespace panta {
namespace {

constexpr double spacing = 0.05;

class UnifiedCouplingTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 2, false};
};

// A cube of 4 x 4 x 4 particles in a tank 14 wide; it starts half way in.
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

// The level of the liquid away from the cube: where its topmost layer ends.
double level(const ParticleFrame& frame) {
  std::vector<double> heights;
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (frame.phase[i] == 0 &&
        std::max(std::abs(frame.position[i].x), std::abs(frame.position[i].z)) > 0.2f)
      heights.push_back(frame.position[i].y);
  std::sort(heights.begin(), heights.end());
  const std::size_t tenth = heights.size() / 20;  // half of a layer of ten
  return heights[heights.size() - 1 - tenth] + 0.5 * spacing;
}

// The share of the cube's volume below the level, whichever way it is turned.
double submerged(const ParticleFrame& frame) {
  const double surface = level(frame);
  double below = 0, count = 0;
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (frame.phase[i] == 1) {
      below += std::clamp((surface - frame.position[i].y) / spacing + 0.5, 0.0, 1.0);
      count += 1;
    }
  return below / count;
}

TEST_P(UnifiedCouplingTest, BodiesFloatAsDeepAsTheirDensitySays) {
  for (const double ratio : {0.25, 0.5, 0.75}) {
    const auto sim = make_simulation(bath(ratio), options);
    sim->advance(2);
    double mean = 0;
    for (int k = 1; k <= 10; ++k) {
      sim->advance(2 + 0.05 * k);
      mean += submerged(sim->snapshot()) / 10;
    }
    RecordProperty("ratio_" + std::to_string(ratio), std::to_string(mean));
    EXPECT_NEAR(mean, ratio, 0.1) << ratio;
  }
}

TEST_P(UnifiedCouplingTest, HeavyBodiesSink) {
  const auto sim = make_simulation(bath(1.5), options);
  sim->advance(2.5);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_LT(mean_of(frame.position, frame.size() - 64).y, 0.13);
  EXPECT_EQ(submerged(frame), 1);
}

// A drop hits a block in free space.
TEST_P(UnifiedCouplingTest, BodyAndLiquidTogetherKeepTheirMomentum) {
  for (const double ratio : {0.5, 1.0, 3.0}) {
    Scene scene = empty_space(MaterialKind::liquid, spacing);
    scene.materials.push_back(material_of(MaterialKind::solid, 1000 * ratio));
    scene.fluids = {{0, Shape::box({-0.5f, 0, 0}, {-0.1f, 0.25f, 0.25f}), {1.5f, 0, 0}}};
    scene.solids = {block_at(scene, {0, 0.05f, 0}, 4, 4, 4)};
    const auto sim = make_simulation(scene, options);
    const ParticleFrame before = sim->snapshot();
    const Vec3d start = momentum_of(*sim, before);
    sim->advance(0.5);
    const ParticleFrame frame = sim->snapshot();
    const double drift = length(momentum_of(*sim, frame) - start) / length(start);
    RecordProperty("drift_" + std::to_string(ratio), std::to_string(drift));
    EXPECT_LT(drift, 0.01) << ratio;
    EXPECT_GT(mean_of(frame.velocity, frame.size() - 64).x, 0.1) << ratio;
  }
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
    sim->advance(3);
    const ParticleFrame frame = sim->snapshot();
    double height = 0, count = 0;
    for (std::size_t i = 0; i < frame.size(); ++i)
      if (frame.phase[i] == 1) height += frame.position[i].y, count += 1;
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
