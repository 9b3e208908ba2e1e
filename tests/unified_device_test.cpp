// The unified method: reproducibility, and CPU compared with GPU.
#include <gtest/gtest.h>

#include "panta/engine/devices.h"
#include "unified_scenes.h"

namespace panta {
namespace {

constexpr float spacing = 0.04f;

// A column of liquid falls against grains and boxes.
Scene mixed() {
  Scene scene;
  scene.method = "unified";
  scene.spacing = spacing;
  scene.materials = {material_of(MaterialKind::liquid), material_of(MaterialKind::granular, 1500),
                     material_of(MaterialKind::solid, 400)};
  scene.has_domain = true;
  scene.domain.max = {1.6, 1.6, 0.48};
  scene.domain.walls = {true, true, true, true, true, true};
  for (Surface& wall : scene.domain.surfaces) wall.friction = 0.4f;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.4f, 0.8f, 0.48f})},
                  {1, Shape::box({0.9f, 0, 0}, {1.3f, 0.2f, 0.48f})}};
  for (int k = 0; k < 3; ++k) {
    const float at = 0.5f + 0.3f * static_cast<float>(k);
    scene.solids.push_back(block_at(scene, {at, 0.3f, 0.16f}, 3, 3, 3));
  }
  return scene;
}

class UnifiedDeviceTest : public ::testing::TestWithParam<std::string> {};

TEST_P(UnifiedDeviceTest, EveryRunGivesTheSameBits) {
  const auto run = [&] {
    const auto sim = make_simulation(mixed(), {GetParam(), 2, false});
    sim->advance_to(0.5);
    return sim->snapshot();
  };
  const ParticleFrame first = run(), again = run();
  EXPECT_TRUE(same_bits(first, again));
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedDeviceTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

TEST(UnifiedGpu, FollowsTheCpu) {
  if (!cuda_available()) GTEST_SKIP() << "no GPU";
  const auto cpu = make_simulation(mixed(), {"cpu", 0, false});
  const auto gpu = make_simulation(mixed(), {"cuda", 0, false});
  cpu->advance_to(10 / 120.0);
  gpu->advance_to(10 / 120.0);
  const ParticleFrame a = cpu->snapshot(), b = gpu->snapshot();
  ASSERT_EQ(a.id(), b.id());
  EXPECT_LT(mean_distance(a, b), 0.01 * spacing);
}

// Boxes in a splash move chaotically: their mean position may differ between devices by as much as
// between two runs on the CPU whose liquids start a thousandth of a spacing apart.
TEST(UnifiedGpu, AgreesInTheMean) {
  if (!cuda_available()) GTEST_SKIP() << "no GPU";
  Scene shaken = mixed();
  for (Fluid& fluid : shaken.fluids) fluid.jitter = 1e-3f;
  const auto cpu = make_simulation(mixed(), {"cpu", 0, false});
  const auto gpu = make_simulation(mixed(), {"cuda", 0, false});
  const auto other = make_simulation(shaken, {"cpu", 0, false});
  double apart = 0, spread = 0;  // m, of the boxes, the largest so far
  for (int frame = 1; frame <= 20; ++frame) {
    for (const auto& sim : {cpu.get(), gpu.get(), other.get()}) sim->advance_to(0.1 * frame);
    const ParticleFrame a = cpu->snapshot(), b = gpu->snapshot(), c = other->snapshot();
    for (const std::uint32_t material : {0u, 1u}) {
      const Vec3d difference = middle(a, material) - middle(b, material);
      EXPECT_LT(length(difference), 0.5 * spacing) << "at " << 0.1 * frame << " s, " << material;
    }
    apart = std::max(apart, double(length(middle(a, 2) - middle(b, 2))));
    spread = std::max(spread, double(length(middle(a, 2) - middle(c, 2))));
    EXPECT_LT(apart, std::max(3 * double(spacing), 2 * spread)) << "at " << 0.1 * frame << " s";
  }
}

}  // namespace
}  // namespace panta
