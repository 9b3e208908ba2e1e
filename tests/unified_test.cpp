// The unified method from the user's side, on every available device.
#include <gtest/gtest.h>

#include <cmath>

#include "device_list.h"
#include "panta/core/memory.h"
#include "panta/load/load.h"
#include "panta/methods/unified_macklin2014/kernels.h"

namespace panta {
namespace {

class UnifiedTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};
};

Scene water() {
  Scene scene;
  scene.method = "unified";
  scene.spacing = 0.02;
  scene.materials = {Material{}};
  return scene;
}

Scene dam_break() {
  Scene scene = water();
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.2f, 0.4f, 0.12f})}};
  scene.has_domain = true;
  scene.domain.max = {0.6, 0.5, 0.12};
  scene.domain.walls = {true, true, true, true, true, true};
  return scene;
}

// Water forty layers deep in a tank.
Scene tank(int layers = 40) {
  Scene scene = water();
  scene.spacing = 0.05;
  const float height = 0.05f * static_cast<float>(layers);
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.5f, height, 0.5f})}};
  scene.has_domain = true;
  scene.domain.max = {0.5, 2.0 * height, 0.5};
  scene.domain.walls = {true, true, true, true, true, true};
  return scene;
}

double energy(const ParticleFrame& frame) {
  double sum = 0;
  for (std::size_t i = 0; i < frame.size(); ++i)
    sum += 0.5 * dot(frame.velocity()[i], frame.velocity()[i]) + 9.81 * frame.position()[i].y;
  return sum / double(frame.size());
}

TEST_P(UnifiedTest, LatticeIsAtRestDensity) {
  const auto sim = make_simulation(tank(10), options);
  const ParticleFrame frame = sim->snapshot();
  for (std::size_t i = 0; i < frame.size(); ++i) {
    EXPECT_LT(frame.density()[i], 1005) << i;
    const Vec3& x = frame.position()[i];
    const bool inside =
        x.y < 0.35f && std::abs(x.x - 0.25f) < 0.12f && std::abs(x.z - 0.25f) < 0.12f;
    if (inside) {
      EXPECT_NEAR(frame.density()[i], 1000, 1) << i;
    }
  }
}

TEST_P(UnifiedTest, FrameTimesAreExactAndSnapshotsChangeNothing) {
  const auto watched = make_simulation(dam_break(), options);
  const auto left_alone = make_simulation(dam_break(), options);
  for (int frame = 1; frame <= 5; ++frame) {
    const double t = frame / 60.0;
    watched->advance_to(t);
    left_alone->advance_to(t);
    EXPECT_EQ(watched->time(), t);
    watched->snapshot();
    watched->mean_neighbors();
  }
  EXPECT_TRUE(same_bits(watched->snapshot(), left_alone->snapshot()));
}

TEST_P(UnifiedTest, SteadyStepsAllocateNothing) {
  const auto sim = make_simulation(dam_break(), options);
  for (int k = 1; k <= 20; ++k) sim->advance_to(0.05 * k);
  const std::uint64_t before = allocation_count();
  sim->advance_to(1.05);
  sim->advance_to(1.1);
  EXPECT_EQ(allocation_count(), before);
}

TEST_P(UnifiedTest, RestoredRunContinuesBitForBit) {
  const auto whole = make_simulation(dam_break(), options);
  whole->advance_to(0.1);
  State state;
  whole->save(state);
  whole->advance_to(0.2);
  const auto resumed = make_simulation(dam_break(), options);
  resumed->restore(state);
  resumed->advance_to(0.2);
  EXPECT_TRUE(same_bits(whole->snapshot(), resumed->snapshot()));
}

// Pressure corrections of a pair are equal and opposite.
TEST_P(UnifiedTest, MomentumIsConservedInFreeSpace) {
  Scene scene = water();
  scene.gravity = {};
  const auto blob = [](float x) { return Shape::sphere({x, 0, 0}, 0.1f); };
  scene.fluids = {{0, blob(-0.12f), {1, 0.2f, 0}}, {0, blob(0.12f), {-1, 0, 0.1f}}};
  const auto sim = make_simulation(scene, options);
  const auto momentum = [&] {
    Vec3d sum;
    for (const Vec3& v : sim->snapshot().velocity()) sum += to_double(v);
    return sum;
  };
  const Vec3d before = momentum();
  sim->advance_to(0.3);
  EXPECT_LT(length(momentum() - before), 1e-4 * double(sim->size()));
}

TEST_P(UnifiedTest, EnergyNeverGrows) {
  const auto sim = make_simulation(dam_break(), options);
  double last = energy(sim->snapshot());
  for (int frame = 1; frame <= 20; ++frame) {
    sim->advance_to(frame / 20.0);
    const double now = energy(sim->snapshot());
    EXPECT_LT(now, last * 1.002) << frame;
    last = now;
  }
}

TEST_P(UnifiedTest, DeepTankKeepsItsDensityAndVolume) {
  Scene scene = tank();
  scene.solver["substeps"] = 6.0;
  const auto sim = make_simulation(scene, options);
  sim->advance_to(2);
  const ParticleFrame frame = sim->snapshot();
  double error = 0, worst = 0, height = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const double excess = std::max(0.0, frame.density()[i] / 1000.0 - 1);
    error += excess;
    worst = std::max(worst, excess);
    height += frame.position()[i].y;
  }
  EXPECT_LT(error / double(frame.size()), 0.01);
  EXPECT_LT(worst, 0.05);
  EXPECT_NEAR(height / double(frame.size()) / 1.0, 1, 0.02);
}

// Steps are chosen such that a liquid is as stiff at any spacing.
TEST_P(UnifiedTest, ADamBreakIsTheSameAtAnySpacing) {
  double middle[3];
  const double spacings[] = {0.025, 0.02, 0.0125};
  for (int k = 0; k < 3; ++k) {
    Scene scene = dam_break();
    scene.spacing = spacings[k];
    scene.fluids = {{0, Shape::box({0, 0, 0}, {0.2f, 0.4f, 0.1f})}};
    scene.domain.max.z = 0.1;
    const auto sim = make_simulation(scene, options);
    middle[k] = 0;
    for (int frame = 1; frame <= 40; ++frame) {
      sim->advance_to(0.025 * frame);
      const ParticleFrame now = sim->snapshot();
      double height = 0, dense = 0;
      for (std::size_t i = 0; i < now.size(); ++i) {
        EXPECT_LT(now.density()[i], 1100) << spacings[k] << " at " << now.time;
        dense += now.density()[i] > 1050;
        height += now.position()[i].y;
      }
      EXPECT_LE(dense, std::max(2.0, 0.001 * double(now.size())))
          << spacings[k] << " at " << now.time;
      middle[k] += height / double(now.size()) / 40;
    }
  }
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(middle[k] / middle[2], 1, 0.03) << spacings[k];
}

// Bodies and liquids that nearly have the density of what is around them.
TEST(Unified, AdviceNamesOnlyBodiesAndLayersThatHardlyMove) {
  const auto lines_of = [](double body, double radius, double below) {
    Scene scene = tank(20);
    scene.spacing = 0.02;
    scene.materials = {Material{}, Material{}};
    scene.materials[1].density = below;
    Body ball;
    ball.shape = Shape::sphere({0.2f, 0.2f, 0.2f}, static_cast<float>(radius));
    ball.free = FreeBody{.density = body};
    scene.bodies = {ball};
    scene.fluids = {{0, Shape::box({0, 0.2f, 0}, {0.4f, 0.4f, 0.4f})},
                    {1, Shape::box({0, 0, 0}, {0.4f, 0.2f, 0.4f})}};
    return scene_warnings(scene).size();
  };
  EXPECT_EQ(lines_of(900, 0.06, 500), 0u);
  EXPECT_EQ(lines_of(1050, 0.06, 900), 0u);
  EXPECT_EQ(lines_of(1020, 0.12, 950), 0u);
  EXPECT_EQ(lines_of(1020, 0.06, 500), 1u);
  EXPECT_EQ(lines_of(900, 0.06, 980), 1u);
}

TEST(Unified, DeepLiquidsGetAdviceForMoreSubsteps) {
  EXPECT_TRUE(scene_warnings(tank(40)).empty());
  EXPECT_TRUE(scene_warnings(tank(160)).empty());  // steps are chosen
  Scene deep = tank(160);
  deep.solver["time_step"] = 1.0 / 120;
  deep.solver["substeps"] = 4.0;
  const std::vector<std::string> advice = scene_warnings(deep);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_NE(advice[0].find("liquid 8 m deep will be about 20 % too dense"), std::string::npos)
      << advice[0];
  EXPECT_NE(advice[0].find("; 9 would keep that below 5 %"), std::string::npos) << advice[0];
  deep.solver["substeps"] = 10.0;
  EXPECT_TRUE(scene_warnings(deep).empty());
  deep.solver["substeps"] = 4.0;
  deep.gravity = {};
  EXPECT_TRUE(scene_warnings(deep).empty());
}

TEST(Unified, SameBitsForAnyNumberOfThreads) {
  ParticleFrame frames[3];
  const int threads[3] = {1, 2, 5};
  for (int k = 0; k < 3; ++k) {
    const auto sim = make_simulation(dam_break(), {"cpu", threads[k], false});
    sim->advance_to(0.3);
    frames[k] = sim->snapshot();
  }
  EXPECT_TRUE(same_bits(frames[0], frames[1]));
  EXPECT_TRUE(same_bits(frames[0], frames[2]));
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
