// Contacts of the unified method, one pair at a time, against the formulas of the paper and of
// mechanics, on every available device.
#include <gtest/gtest.h>

#include "unified_scenes.h"

namespace panta {
namespace {

constexpr double spacing = 0.05, step = 1.0 / 120;

class UnifiedContactTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};

  ParticleFrame after(const Scene& scene, double time) const {
    const auto sim = make_simulation(scene, options);
    sim->advance_to(time);
    return sim->snapshot();
  }
};

// A single solve per step, without pre-stabilisation.
Scene one_solve(MaterialKind kind) {
  Scene scene = empty_space(kind, spacing);
  scene.solver["substeps"] = 1.0;
  scene.solver["iterations"] = 1.0;
  scene.solver["stabilization"] = 0.0;
  return scene;
}

// Eq. 22 and 4: the lighter one moves farther, and both together by the overlap.
TEST_P(UnifiedContactTest, PairSeparatesByMass) {
  Scene scene = one_solve(MaterialKind::granular);
  scene.materials = {material_of(MaterialKind::granular, 1000),
                     material_of(MaterialKind::granular, 3000)};
  const float gap = 0.8f * float(spacing), overlap = float(spacing) - gap;
  scene.fluids = {grain_at({0, 0, 0}, {}, 0), grain_at({0, gap, 0}, {}, 1)};
  const ParticleFrame frame = after(scene, step);
  ASSERT_EQ(frame.size(), 2u);
  EXPECT_NEAR(frame.position()[0].y, -0.75f * overlap, 1e-6);
  EXPECT_NEAR(frame.position()[1].y, gap + 0.25f * overlap, 1e-6);
  EXPECT_NEAR(1000 * frame.velocity()[0].y + 3000 * frame.velocity()[1].y, 0, 1e-2);
  EXPECT_NEAR(frame.velocity()[0].y, -0.75 * overlap / step, 1e-4);
}

// Two equal grains, one above the other, pass each other by `slip` in a step: final position of the
// upper one relative to the lower one by eq. 22 to 25.
Vec3d position_after_friction(double gap, double slip, double still, double sliding) {
  const Vec3d between{slip, gap, 0}, n = between * (1 / length(between));
  const double depth = spacing - length(between);
  const Vec3d way{slip, 0, 0}, t = way - n * dot(way, n);
  const double held = length(t) < still * depth ? 1 : std::min(sliding * depth / length(t), 1.0);
  return between + n * depth - t * held;
}

TEST_P(UnifiedContactTest, FrictionHoldsBelowItsLimitAndSlidesAbove) {
  constexpr double gap = 0.9 * spacing, still = 0.6, sliding = 0.3;
  for (const double share : {0.1, 0.5, 0.95, 1.2, 3.0}) {
    const double slip = share * still * (spacing - gap);
    Scene scene = one_solve(MaterialKind::granular);
    scene.solver["static_friction"] = still;
    scene.solver["friction"] = sliding;
    scene.solver["rolling"] = 0.0;  // one contact holds
    const float speed = static_cast<float>(0.5 * slip / step);
    scene.fluids = {grain_at({0, 0, 0}, {-speed, 0, 0}),
                    grain_at({0, float(gap), 0}, {speed, 0, 0})};
    const ParticleFrame frame = after(scene, step);
    const Vec3d found = to_double(frame.position()[1] - frame.position()[0]);
    EXPECT_LT(length(found - position_after_friction(gap, slip, still, sliding)), 1e-6) << share;
    EXPECT_LT(length(mean_of(frame.position()) - Vec3d{0, 0.5 * gap, 0}), 1e-6) << share;
  }
}

TEST_P(UnifiedContactTest, GrainsBounceBackWithTheirRestitution) {
  for (const double e : {0.0, 0.3, 0.6, 0.9}) {
    Scene scene = empty_space(MaterialKind::granular, spacing);
    scene.solver["restitution"] = e;
    scene.fluids = {grain_at({-0.1f, 0, 0}, {1, 0, 0}), grain_at({0.1f, 0, 0}, {-1, 0, 0})};
    const ParticleFrame frame = after(scene, 0.3);
    EXPECT_NEAR(frame.velocity()[1].x - frame.velocity()[0].x, 2 * e, 0.1 * 2 * std::max(e, 0.1))
        << e;
    EXPECT_NEAR(frame.velocity()[1].x + frame.velocity()[0].x, 0, 1e-4) << e;
  }
}

TEST_P(UnifiedContactTest, GrainBouncesOffAWallWithItsRestitution) {
  for (const float e : {0.0f, 0.3f, 0.6f, 0.9f}) {
    Scene scene = above_floor(MaterialKind::granular, 0, spacing);
    scene.gravity = {};
    scene.domain.surfaces[minus_y].restitution = e;
    scene.fluids = {grain_at({0, 0.2f, 0}, {0.5f, -1, 0})};
    const ParticleFrame frame = after(scene, 0.4);
    EXPECT_NEAR(frame.velocity()[0].y, e, 0.1 * std::max(e, 0.1f)) << e;
    EXPECT_NEAR(frame.velocity()[0].x, 0.5, 1e-4) << e;
  }
}

// Two clouds of grains that collide; the drift of momentum relative to the sum of all initial
// momenta.
double drift_of_a_collision(const std::string& averaging, const DeviceOptions& options) {
  Scene scene = empty_space(MaterialKind::granular, spacing);
  scene.materials.push_back(material_of(MaterialKind::granular, 2500));
  scene.solver["averaging"] = averaging;
  scene.solver["contact_relaxation"] = averaging == "global" ? 0.2 : 1.0;
  scene.fluids = {{0, Shape::box({-0.3f, 0, 0}, {-0.05f, 0.25f, 0.25f}), {1, 0.1f, 0}, 0.1f},
                  {1, Shape::box({0.05f, 0.05f, 0}, {0.3f, 0.3f, 0.25f}), {-1, 0, 0}, 0.1f}};
  const auto sim = make_simulation(scene, options);
  const ParticleFrame before = sim->snapshot();
  double size = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    size += sim->particle_mass(before.phase()[i]) * double(length(before.velocity()[i]));
  sim->advance_to(0.5);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_LT(mean_of(frame.velocity(), 0, 125).x, 0) << "the lighter cloud was not thrown back";
  return length(momentum_of(*sim, frame) - momentum_of(*sim, before)) / size;
}

TEST_P(UnifiedContactTest, CollisionsKeepMomentum) {
  EXPECT_LT(drift_of_a_collision("global", options), 1e-5);
  EXPECT_LT(drift_of_a_collision("symmetric", options), 1e-5);
  // Corrections divided by the number of contacts of each particle are no longer equal and
  // opposite.
  const double drift = drift_of_a_collision("local", options);
  RecordProperty("local_drift", std::to_string(drift));
  EXPECT_LT(drift, 0.1);
}

// The largest speed after a first step with an initial overlap, relative to that without
// pre-stabilisation.
double overlap_speed(Scene scene, const DeviceOptions& options, double iterations = -1) {
  const auto speed = [&] {
    const auto sim = make_simulation(scene, options);
    sim->advance_to(step);
    return fastest_of(sim->snapshot());
  };
  scene.solver["stabilization"] = 0.0;
  const double without = speed();
  EXPECT_GT(without, 0.5);
  scene.solver.erase("stabilization");
  if (iterations >= 0) scene.solver["stabilization"] = iterations;
  return speed() / without;
}

// Fig. 4.
TEST_P(UnifiedContactTest, OverlappingGrainsSeparateWithoutSpeed) {
  Scene grains = empty_space(MaterialKind::granular, spacing);
  grains.fluids = {grain_at({0, 0, 0}),
                   grain_at({0.8f * float(spacing), 0.1f * float(spacing), 0})};
  EXPECT_LT(overlap_speed(grains, options), 0.01);
  Scene sunk = above_floor(MaterialKind::granular, 0.5f, spacing);
  sunk.gravity = {};
  sunk.fluids = {grain_at({0, 0.1f * float(spacing), 0})};
  EXPECT_LT(overlap_speed(sunk, options), 0.01);
}

Scene overlapping_blocks() {
  Scene scene = empty_space(MaterialKind::solid, spacing);
  scene.solids = {block_at(scene, {0, 0, 0}, 4, 4, 4),
                  block_at(scene, {0.02f, 0.18f, 0.01f}, 4, 4, 4)};
  return scene;
}

TEST_P(UnifiedContactTest, OverlappingBodiesSeparateWithoutSpeed) {
  const Scene blocks = overlapping_blocks();
  for (const double iterations : {1.0, 4.0, 10.0})
    RecordProperty("after_" + std::to_string(int(iterations)),
                   std::to_string(overlap_speed(blocks, options, iterations)));
  EXPECT_LT(overlap_speed(blocks, options, 30), 0.01);
}

TEST_P(UnifiedContactTest, OverlappingBodiesSeparateWithoutSpeedByDefault) {
  EXPECT_LT(overlap_speed(overlapping_blocks(), options), 0.01);
}

// Eq. 17 to 20: overlapping bodies separate at the nearest surface.
TEST_P(UnifiedContactTest, OverlappingBlocksSeparateAtTheNearestSurface) {
  Scene scene = empty_space(MaterialKind::solid, spacing);
  scene.solver["stabilization"] = 30.0;
  scene.solids = {block_at(scene, {0, 0, 0}, 6, 6, 6), block_at(scene, {0, 0.22f, 0}, 6, 6, 6)};
  const ParticleFrame frame = after(scene, 1);
  const Vec3d apart = mean_of(frame.position(), 216) - mean_of(frame.position(), 0, 216);
  EXPECT_NEAR(apart.y, 0.3, 0.1 * spacing);
  EXPECT_LT(std::hypot(apart.x, apart.z), 0.1 * spacing);
  EXPECT_LT(fastest_of(frame), 0.1);
}

// Fig. 6: two interlocked bodies at nearly the same place. Such large overlaps give speeds of tens
// of metres per second; the test is only that they separate.
TEST_P(UnifiedContactTest, InterlockedBodiesSeparate) {
  const auto hook = [](const Vec3& at, float turn) {
    const Shape u = unite(unite(Shape::box({-0.2f, -0.05f, -0.05f}, {0.2f, 0.05f, 0.05f}),
                                Shape::box({-0.2f, -0.05f, -0.05f}, {-0.1f, 0.25f, 0.05f})),
                          Shape::box({0.1f, -0.05f, -0.05f}, {0.2f, 0.25f, 0.05f}));
    return u.rotated(axis_angle({1, 0, 0}, turn)).moved(at);
  };
  Scene hooks = empty_space(MaterialKind::solid, spacing);
  hooks.solids.resize(2);
  hooks.solids[0].shape = hook({0, 0, 0}, 0);
  hooks.solids[1].shape = hook({0.12f, 0.03f, 0}, 1.2f);
  Scene blocks = empty_space(MaterialKind::solid, spacing);
  blocks.solids = {block_at(blocks, {0, 0, 0}, 4, 4, 4),
                   block_at(blocks, {0.05f, 0.02f, 0.03f}, 4, 4, 4)};
  for (const Scene& scene : {hooks, blocks}) {
    const auto sim = make_simulation(scene, options);
    const std::size_t half = sim->size() / 2;
    double fastest = 0;
    for (int k = 1; k <= 60; ++k) {
      sim->advance_to(k / 30.0);
      fastest = std::max(fastest, fastest_of(sim->snapshot()));
    }
    const ParticleFrame frame = sim->snapshot();
    double nearest = 1e30;
    for (std::size_t i = 0; i < half; ++i)
      for (std::size_t j = half; j < frame.size(); ++j)
        nearest = std::min(nearest, double(length(frame.position()[i] - frame.position()[j])));
    RecordProperty("fastest", std::to_string(fastest));
    EXPECT_LT(fastest, 50);
    EXPECT_GT(nearest, 0.9 * spacing);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedContactTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
