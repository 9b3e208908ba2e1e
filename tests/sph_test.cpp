// The SPH method from the user's side, on every available device.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "device_list.h"
#include "panta/core/memory.h"
#include "panta/engine/devices.h"
#include "panta/run/stats.h"

namespace panta {
namespace {

class SphTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};
};

// Water released in the corner of a tank.
Scene dam_break(double spacing = 0.02) {
  Scene scene;
  scene.spacing = spacing;
  scene.materials = {Material{}};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.2f, 0.4f, 0.12f})}};
  scene.has_domain = true;
  scene.domain.max = {0.6, 0.5, 0.12};
  scene.domain.walls = {true, true, true, true, true, true};
  return scene;
}

double front(const ParticleFrame& frame) {
  double x = 0;
  for (const Vec3& p : frame.position()) x = std::max(x, double(p.x));
  return x;
}

TEST_P(SphTest, StartsAtRestDensity) {
  const auto sim = make_simulation(dam_break(), options);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_EQ(frame.size(), 10u * 20 * 6);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    EXPECT_LT(frame.density()[i], 1015) << i;  // free surfaces have less, corners a little more
    EXPECT_EQ(frame.velocity()[i], Vec3{});
  }
  const Vec3 inside{0.09f, 0.19f, 0.05f};
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (length(frame.position()[i] - inside) < 0.02f) {
      EXPECT_NEAR(frame.density()[i], 1000, 0.1);
    }
}

TEST_P(SphTest, FrameTimesAreExactAndSnapshotsChangeNothing) {
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
  EXPECT_EQ(watched->steps(), left_alone->steps());
  EXPECT_TRUE(same_bits(watched->snapshot(), left_alone->snapshot()));
}

TEST_P(SphTest, RunsAreReproducible) {
  ParticleFrame frames[2];
  for (ParticleFrame& frame : frames) {
    const auto sim = make_simulation(dam_break(), options);
    sim->advance_to(0.1);
    frame = sim->snapshot();
  }
  EXPECT_TRUE(same_bits(frames[0], frames[1]));
}

TEST_P(SphTest, SteadyStepsAllocateNothing) {
  const auto sim = make_simulation(dam_break(), options);
  sim->advance_to(0.02);
  sim->advance_to(0.04);
  const std::uint64_t before = allocation_count();
  sim->advance_to(0.06);
  sim->advance_to(0.08);
  EXPECT_EQ(allocation_count(), before);
}

TEST_P(SphTest, ParticlesStayInside) {
  Scene scene = dam_break();
  const auto sim = make_simulation(scene, options);
  for (int frame = 1; frame <= 30; ++frame) {
    sim->advance_to(frame / 30.0);
    for (const Vec3& x : sim->snapshot().position())
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_GE(x[axis], scene.domain.min[axis]);
        ASSERT_LE(x[axis], scene.domain.max[axis]);
      }
  }
}

TEST_P(SphTest, FixedStepsAreKept) {
  Scene scene = dam_break();
  scene.solver["time_step"] = 1e-4;
  const auto sim = make_simulation(scene, options);
  sim->advance_to(0.01);
  EXPECT_EQ(sim->steps(), 100u);
  EXPECT_NEAR(sim->last_dt(), 1e-4, 1e-12);
}

TEST_P(SphTest, TaitMatchesTheLinearEquation) {
  Scene scene = dam_break();
  const auto linear = make_simulation(scene, options);
  scene.solver["state_equation"] = std::string("tait");
  const auto tait = make_simulation(scene, options);
  linear->advance_to(0.2);
  tait->advance_to(0.2);
  EXPECT_NEAR(front(tait->snapshot()) / front(linear->snapshot()), 1, 0.02);
}

TEST_P(SphTest, KernelsAndTensionOfThePaperRun) {
  Scene scene = dam_break();
  scene.materials[0].surface_tension = 0.072;
  scene.solver["kernels"] = std::string("mueller2003");
  scene.solver["surface_tension"] = std::string("mueller2003");
  const auto sim = make_simulation(scene, options);
  sim->advance_to(0.2);
  EXPECT_NEAR(front(sim->snapshot()), 0.5, 0.12);
}

// Only the outermost layers have normals, and these point away from the fluid.
TEST_P(SphTest, SurfaceParticlesHaveOutwardNormals) {
  Scene scene;
  scene.spacing = 0.05;
  scene.gravity = {};
  scene.materials = {Material{}};
  scene.fluids = {{0, Shape::sphere({0, 0, 0}, 0.5f)}};
  scene.solver["sound_speed"] = 1.0;
  const ParticleFrame frame = make_simulation(scene, options)->snapshot();
  int surface = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const float r = length(frame.position()[i]);
    if (r < 0.4f) {
      EXPECT_EQ(frame.normal()[i], Vec3{});
    }
    if (r > 0.46f) {
      EXPECT_GT(dot(frame.normal()[i], frame.position()[i]) / r, 0.8f);
      ++surface;
    }
  }
  EXPECT_GT(surface, 100);
}

// Two columns side by side: the denser one ends up below.
TEST_P(SphTest, DenserFluidSinks) {
  Scene scene = dam_break();
  scene.materials = {Material{"oil", 700, 0.01, 0}, Material{"water", 1000, 0.01, 0}};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.2f, 0.16f, 0.12f})},
                  {1, Shape::box({0.2f, 0, 0}, {0.4f, 0.16f, 0.12f})}};
  scene.domain.max = {0.4, 0.5, 0.12};
  const auto sim = make_simulation(scene, options);
  sim->advance_to(1.5);
  const ParticleFrame frame = sim->snapshot();
  double height[2] = {}, count[2] = {};
  for (std::size_t i = 0; i < frame.size(); ++i)
    height[frame.phase()[i]] += frame.position()[i].y, ++count[frame.phase()[i]];
  EXPECT_EQ(count[0], count[1]);
  EXPECT_GT(height[0] / count[0], height[1] / count[1] + 0.03);
}

TEST_P(SphTest, SwirlRotatesTheWater) {
  Scene scene;
  scene.spacing = 0.01;
  scene.materials = {Material{}};
  const Shape glass = Shape::cylinder({0, 0, 0}, {0, 0.2f, 0}, 0.05f);
  scene.bodies = {{glass, true, {}}};
  scene.fluids = {{0, Shape::cylinder({0, 0, 0}, {0, 0.08f, 0}, 0.05f)}};
  ForceField swirl;
  swirl.radius = 0.08f;
  swirl.rate = 8;
  swirl.strength = 20;
  scene.fields = {swirl};
  const auto sim = make_simulation(scene, options);
  sim->advance_to(1);
  const ParticleFrame frame = sim->snapshot();
  double spin = 0, inertia = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Vec3 x = frame.position()[i];
    ASSERT_LE(std::hypot(x.x, x.z), 0.05);
    spin += cross(x, frame.velocity()[i]).y;
    inertia += x.x * x.x + x.z * x.z;
  }
  EXPECT_GT(spin / inertia, 4);  // of 8 rad/s: walls and fading reach hold it back
  EXPECT_LT(spin / inertia, 8.5);
}

TEST_P(SphTest, ExplosionIsReported) {
  Scene scene = dam_break();
  scene.solver["time_step"] = 0.005;  // ten times too long
  const auto sim = make_simulation(scene, options);
  try {
    sim->advance_to(1);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::simulation);
    EXPECT_NE(std::string(error.what()).find("particle"), std::string::npos) << error.what();
  }
}

TEST_P(SphTest, NanIsReported) {
  Scene scene = dam_break();
  scene.fluids[0].velocity_at = [](const Vec3& x) {
    return x.x < 0.02f && x.y < 0.02f ? Vec3{std::nanf(""), 0, 0} : Vec3{};
  };
  const auto sim = make_simulation(scene, options);
  EXPECT_THROW(sim->advance_to(0.1), Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, SphTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

TEST(SphCpu, SameBitsForAnyNumberOfThreads) {
  ParticleFrame frames[3];
  for (int threads = 1; threads <= 3; ++threads) {
    Scene scene = dam_break();
    scene.materials[0].surface_tension = 0.072;
    const auto sim = make_simulation(scene, {"cpu", threads, false});
    sim->advance_to(0.15);
    frames[threads - 1] = sim->snapshot();
  }
  EXPECT_TRUE(same_bits(frames[0], frames[1]));
  EXPECT_TRUE(same_bits(frames[0], frames[2]));
}

TEST(SphCpu, ImpossibleScenesAreRefused) {
  Scene still = dam_break();
  still.gravity = {};
  EXPECT_THROW(make_simulation(still, {"cpu", 1, false}),
               Error);  // no speed to guess a sound speed from
  Scene typo = dam_break();
  typo.solver["suport"] = 2.0;
  try {
    make_simulation(typo, {"cpu", 1, false});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'support'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(make_simulation(dam_break(), {"gpu", 1, false}), Error);
}

TEST(SphGpu, FollowsTheCpu) {
  if (!cuda_available()) GTEST_SKIP() << "no GPU";
  Scene scene = dam_break();
  scene.solver["time_step"] = 4e-4;
  const auto cpu = make_simulation(scene, {"cpu", 0, false});
  const auto gpu = make_simulation(scene, {"cuda", 0, false});
  cpu->advance_to(100 * 4e-4);
  gpu->advance_to(100 * 4e-4);
  const ParticleFrame a = cpu->snapshot(), b = gpu->snapshot();
  ASSERT_EQ(a.id(), b.id());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, double(length(a.position()[i] - b.position()[i])));
  EXPECT_LT(worst, 0.01 * scene.spacing);  // the stated tolerance over 100 steps
}

TEST(SphGpu, AgreesInTheMeanOverThreeSeconds) {
  if (!cuda_available()) GTEST_SKIP() << "no GPU";
  const Scene scene = dam_break();
  const auto cpu = make_simulation(scene, {"cpu", 0, false});
  const auto gpu = make_simulation(scene, {"cuda", 0, false});
  for (int frame = 1; frame <= 30; ++frame) {
    cpu->advance_to(0.1 * frame);
    gpu->advance_to(0.1 * frame);
    const ParticleFrame a = cpu->snapshot(), b = gpu->snapshot();
    const FrameStats s = compute_stats(*cpu, a, scene.gravity),
                     t = compute_stats(*gpu, b, scene.gravity);
    EXPECT_NEAR(front(b), front(a), 0.05) << frame;
    EXPECT_NEAR(t.center_of_mass.y, s.center_of_mass.y, 0.012) << frame;
    EXPECT_NEAR(t.kinetic_energy + t.potential_energy, s.kinetic_energy + s.potential_energy,
                0.05 * std::abs(s.potential_energy))
        << frame;
  }
}

}  // namespace
}  // namespace panta
