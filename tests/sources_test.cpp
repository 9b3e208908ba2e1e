// Emitters and sinks: amount and uniformity of the inflow, and exact counts.
#include "panta/sources/sources.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "device_list.h"

namespace panta {
namespace {

constexpr double spacing = 0.02;

Emitter jet(Shape profile, Vec3 at, Vec3 direction, float speed) {
  Emitter emitter;
  emitter.name = "jet";
  emitter.at = at;
  emitter.direction = direction;
  emitter.profile = std::move(profile);
  emitter.speed = speed;
  return emitter;
}

// A jet along x in free space.
Scene jet_scene(float half_width = 0.1f, float speed = 1) {
  Scene scene;
  scene.spacing = spacing;
  scene.gravity = {};
  scene.materials = {Material{}};
  scene.emitters = {jet(Shape::box({-1, -half_width, -half_width}, {1, half_width, half_width}),
                        {0, 0, 0}, {1, 0, 0}, speed)};
  return scene;
}

TEST(PatternTest, PointsCoverTheProfile) {
  const double pi = std::numbers::pi;
  struct Case {
    Shape profile;
    double area;
  };
  const std::vector<Case> cases = {
      {Shape::sphere({}, 0.07f), pi * 0.07 * 0.07},
      {Shape::cylinder({0, -1, 0}, {0, 1, 0}, 0.033f), pi * 0.033 * 0.033},
      {Shape::box({-0.1f, -1, -0.06f}, {0.1f, 1, 0.06f}), 0.2 * 0.12},
      {subtract(Shape::box({-0.1f, -1, -0.1f}, {0.1f, 1, 0.1f}), Shape::box({0, -2, 0}, {1, 2, 1})),
       0.04 - 0.01},
      {Shape::torus({}, {0, 1, 0}, 0.1f, 0.03f), pi * (0.13 * 0.13 - 0.07 * 0.07)}};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    SCOPED_TRACE(k);
    const EmitterPattern pattern =
        make_pattern(jet(cases[k].profile, {}, {0, -1, 0}, 1), spacing, 3, 2 * spacing);
    EXPECT_NEAR(pattern.area / cases[k].area, 1, 0.004);
    const double pitch2 = pattern.area / static_cast<double>(pattern.points.size());
    EXPECT_NEAR(pitch2 * pattern.layer, spacing * spacing * spacing, 1e-12);
    EXPECT_NEAR(std::sqrt(pitch2) / spacing, 1, 0.1);
    EXPECT_NEAR(pattern.depth / pattern.layer, std::round(pattern.depth / pattern.layer), 1e-5);
    EXPECT_GE(pattern.depth, 2 * spacing);
    for (const Vec3& x : pattern.points) EXPECT_NEAR(x.y, pattern.depth, 1e-6);
  }
}

TEST(PatternTest, TooSmallProfileIsRefused) {
  EXPECT_THROW(make_pattern(jet(Shape::plane({}, {0, 1, 0}), {}, {0, -1, 0}, 1), spacing, 3, 0.04),
               Error);
  EXPECT_THROW(
      make_pattern(jet(Shape::sphere({1, 1, 1}, 0.01f), {}, {0, -1, 0}, 1), spacing, 3, 0.04),
      Error);
}

class SourcesTest : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene, int threads = 1) {
    return make_simulation(scene, {GetParam(), threads, false});
  }
};

TEST_P(SourcesTest, EmitsFluxTimesTime) {
  for (const float speed : {0.5f, 2.0f}) {
    Scene scene = jet_scene(0.07f, speed);
    scene.emitters[0].profile = Shape::sphere({}, 0.07f);
    const auto sim = start(scene);
    const EmitterPattern pattern = make_pattern(scene.emitters[0], spacing, 3, 2 * spacing);
    const double per_layer = static_cast<double>(pattern.points.size());
    const double rate = pattern.area * speed / std::pow(spacing, 3);
    for (const double t : {0.1, 0.2, 0.4}) {
      sim->advance_to(t);
      EXPECT_NEAR(static_cast<double>(sim->emitted()), rate * t, per_layer) << t;
      EXPECT_EQ(sim->size(), sim->emitted());
    }
    const ParticleFrame frame = sim->snapshot();
    EXPECT_EQ(std::set<std::uint32_t>(frame.id().begin(), frame.id().end()).size(), frame.size());
  }
}

TEST_P(SourcesTest, InflowIsAtRestDensityWithoutGapsOrOverlaps) {
  const auto sim = start(jet_scene());
  sim->advance_to(0.35);
  const ParticleFrame frame = sim->snapshot();
  int in_core = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Vec3 x = frame.position()[i];
    double nearest = 1e9;
    for (std::size_t j = 0; j < frame.size(); ++j)
      if (j != i) nearest = std::min(nearest, double(length(frame.position()[j] - x)));
    EXPECT_GT(nearest, 0.9 * spacing);
    EXPECT_LT(nearest, 1.1 * spacing);
    if (x.x < 0 || x.x > 0.2f || std::abs(x.y) > 0.05f || std::abs(x.z) > 0.05f) continue;
    ++in_core;
    EXPECT_NEAR(frame.density()[i], 1000, 20);
    EXPECT_NEAR(frame.velocity()[i].x, 1, 0.02);
  }
  EXPECT_GT(in_core, 100);
}

TEST_P(SourcesTest, PulsesAndLimits) {
  Scene scene = jet_scene();
  Emitter& emitter = scene.emitters[0];
  emitter.start = 0.05;
  emitter.pulse_period = 0.2;
  emitter.pulse_on = 0.1;
  const double rate = 0.04 / std::pow(spacing, 3), layer = 100;
  auto sim = start(scene);
  sim->advance_to(0.04);
  EXPECT_EQ(sim->emitted(), 0u);
  sim->advance_to(0.65);  // on for three times 0.1 s
  EXPECT_NEAR(static_cast<double>(sim->emitted()), rate * 0.3, 1.01 * layer);
  emitter.pulse_period = 0;
  emitter.most_volume = 0.04 * 0.2;  // runs dry after 0.2 m
  sim = start(scene);
  sim->advance_to(0.65);
  EXPECT_EQ(sim->emitted(), 1000u);
  Scene refilled = scene;
  refilled.emitters[0].most_volume = 0.04 * 0.4;
  sim->change(refilled);
  sim->advance_to(0.7);  // it continues at the same rate
  EXPECT_NEAR(static_cast<double>(sim->emitted()), 1000 + rate * 0.05, 1.01 * layer);
  emitter.most_volume = 1e30;
  emitter.stop = 0.25;
  sim = start(scene);
  sim->advance_to(0.65);
  EXPECT_NEAR(static_cast<double>(sim->emitted()), rate * 0.2, 1.01 * layer);
}

// Rain of fluid into a sink.
Scene flow_through() {
  Scene scene = jet_scene(0.06f);
  scene.gravity = {0, -9.81, 0};
  scene.has_domain = true;
  scene.domain.min = {-0.3, -0.3, -0.3};
  scene.domain.max = {0.6, 0.3, 0.3};
  scene.domain.walls = {true, true, true, true, true, true};
  scene.fluids = {{0, Shape::box({-0.3f, -0.3f, -0.3f}, {0.0f, -0.2f, 0.3f})}};
  scene.sinks = {{"drain", Shape::box({0.3f, -1, -1}, {1, 1, 1})}};
  return scene;
}

TEST_P(SourcesTest, MassBalances) {
  const auto sim = start(flow_through());
  const std::uint64_t initial = sim->size();
  EXPECT_GT(initial, 1000u);
  std::uint64_t removed = 0;
  for (int frame = 1; frame <= 20; ++frame) {
    sim->advance_to(frame * 0.05);
    const ParticleFrame particles = sim->snapshot();
    EXPECT_EQ(particles.size(), sim->size());
    EXPECT_EQ(particles.size(), initial + sim->emitted() - sim->removed());
    EXPECT_EQ(std::set<std::uint32_t>(particles.id().begin(), particles.id().end()).size(),
              particles.size());
    EXPECT_GE(sim->removed(), removed);
    removed = sim->removed();
    for (const Vec3& x : particles.position()) EXPECT_LT(x.x, 0.3f + 1e-5f);
  }
  EXPECT_GT(removed, 500u);
}

TEST_P(SourcesTest, SameBitsForAnyNumberOfThreads) {
  if (GetParam() != "cpu") GTEST_SKIP() << "of the CPU";
  ParticleFrame frames[2];
  for (const int threads : {1, 3}) {
    const auto sim = start(flow_through(), threads);
    sim->advance_to(0.6);
    frames[threads == 3] = sim->snapshot();
  }
  EXPECT_TRUE(same_bits(frames[0], frames[1]));
}

TEST_P(SourcesTest, MovingWallPushesTheFluid) {
  Scene scene;
  scene.spacing = spacing;
  scene.materials = {Material{}};
  scene.has_domain = true;
  scene.domain.max = {1, 0.4, 0.12};
  scene.domain.walls = {true, true, true, false, true, true};
  scene.fluids = {{0, Shape::box({0.1f, 0, 0}, {0.5f, 0.12f, 0.12f})}};
  Body piston;
  piston.shape = Shape::box({-0.2f, -0.1f, -0.1f}, {0.1f, 0.6f, 0.3f});
  piston.motion.keys = {{0, {0, 0, 0}, {}}, {1, {0.2f, 0, 0}, {}}};
  scene.bodies = {piston};
  const auto sim = start(scene);
  const std::size_t before = sim->size();
  sim->advance_to(1);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_EQ(frame.size(), before);
  for (const Vec3& x : frame.position()) {
    EXPECT_GT(x.x, 0.3f);
    EXPECT_LT(x.x, 1.0f);
    EXPECT_GT(x.y, 0.0f);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SourcesTest, ::testing::ValuesIn(devices()));

}  // namespace
}  // namespace panta
