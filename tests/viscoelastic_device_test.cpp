// The viscoelastic method: reproducibility, and CPU compared with GPU.
#include <gtest/gtest.h>

#include "panta/engine/devices.h"
#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

constexpr double step = 1.0 / 240;

// Jelly falls into a viscous liquid in which a crate floats; a sticky ball swings through both.
Scene mixed() {
  Scene scene = closed_box({0.7, 0.6, 0.24});
  scene.solver["time_step"] = step;
  scene.materials.push_back(scene.materials[0]);
  scene.materials[0].viscosity = 2;
  scene.materials[1].density = 800;
  scene.materials[1].viscosity = 0.5;
  scene.materials[1].methods["viscoelastic"]["springs"] = 3.0;
  scene.materials[1].methods["viscoelastic"]["plasticity"] = 0.3;
  scene.materials[1].methods["viscoelastic"]["yield"] = 0.1;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.7f, 0.12f, 0.24f})},
                  {1, Shape::box({0.1f, 0.26f, 0.06f}, {0.24f, 0.4f, 0.18f}), {0, -1, 0}}};
  Body crate;
  crate.shape = Shape::box({0.44f, 0.14f, 0.06f}, {0.56f, 0.26f, 0.18f});
  crate.surface.friction = 0.3f;
  crate.free = FreeBody{500, {}, {}};
  Body ball;
  ball.shape = Shape::sphere({0.32f, 0.3f, 0.12f}, 0.05f);
  ball.surface.stickiness = 20000;
  ball.motion.keys = {{0.1, {}, {}}, {0.5, {0, -0.2f, 0}, {}}};
  scene.bodies = {crate, ball};
  return scene;
}

class ViscoelasticDevice : public ::testing::TestWithParam<std::string> {};

TEST_P(ViscoelasticDevice, EveryRunGivesTheSameBits) {
  const auto run = [&] {
    const auto sim = make_simulation(mixed(), {GetParam(), 2, false});
    sim->advance_to(0.4);
    return sim->snapshot();
  };
  const ParticleFrame first = run(), again = run();
  EXPECT_TRUE(same_bits(first, again));
  EXPECT_EQ(first.bodies[0].position, again.bodies[0].position);
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscoelasticDevice, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

TEST(ViscoelasticGpu, FollowsTheCpu) {
  if (!cuda_available()) GTEST_SKIP() << "no GPU";
  const auto cpu = make_simulation(mixed(), {"cpu", 0, false});
  const auto gpu = make_simulation(mixed(), {"cuda", 0, false});
  cpu->advance_to(10 * step);
  gpu->advance_to(10 * step);
  const ParticleFrame a = cpu->snapshot(), b = gpu->snapshot();
  ASSERT_EQ(a.id(), b.id());
  EXPECT_LT(mean_distance(a, b), 0.01 * usual_spacing);
  EXPECT_LT(length(a.bodies[0].position - b.bodies[0].position), 0.01 * usual_spacing);
}

TEST(ViscoelasticGpu, AgreesInTheMean) {
  if (!cuda_available()) GTEST_SKIP() << "no GPU";
  const auto cpu = make_simulation(mixed(), {"cpu", 0, false});
  const auto gpu = make_simulation(mixed(), {"cuda", 0, false});
  for (int frame = 1; frame <= 10; ++frame) {
    cpu->advance_to(0.1 * frame);
    gpu->advance_to(0.1 * frame);
    const ParticleFrame a = cpu->snapshot(), b = gpu->snapshot();
    for (const std::uint32_t material : {0u, 1u}) {
      const Vec3d difference = middle(a, material) - middle(b, material);
      EXPECT_LT(length(difference), 0.5 * usual_spacing) << 0.1 * frame << " s, " << material;
    }
    EXPECT_LT(length(a.bodies[0].position - b.bodies[0].position), 3 * usual_spacing)
        << 0.1 * frame << " s";
  }
}

}  // namespace
}  // namespace panta::viscoelastic
