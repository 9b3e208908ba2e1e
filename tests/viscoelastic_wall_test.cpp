// Walls: no leaks, friction and no-slip, sticky walls; stability with long steps.
#include <gtest/gtest.h>

#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

constexpr double frame = 1.0 / 30;

class ViscoelasticWalls : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene) const {
    return make_simulation(scene, {GetParam(), 1, false});
  }
};

// One step per frame, as in the paper.
Scene dam_break() {
  Scene scene = closed_box({0.8, 0.5, 0.2});
  scene.solver["time_step"] = frame;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.3f, 0.3f, 0.2f})}};
  return scene;
}

// A ball of liquid at 3 m/s into a pool.
Scene splash() {
  Scene scene = closed_box({0.4, 0.5, 0.4});
  scene.solver["time_step"] = frame;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.4f, 0.1f, 0.4f})},
                  {0, Shape::sphere({0.2f, 0.25f, 0.2f}, 0.08f), {0, -3, 0}}};
  return scene;
}

int outside(const ParticleFrame& seen, const Vec3d& size) {
  int count = 0;
  for (const Vec3& x : seen.position())
    for (int axis = 0; axis < 3; ++axis)
      if (!(double(x[axis]) > -1e-6 && double(x[axis]) < size[axis] + 1e-6)) ++count;
  return count;
}

TEST_P(ViscoelasticWalls, ClosedBoxLosesNoParticleAtOneStepPerFrame) {
  for (const std::string& form : relaxations(GetParam()))
    for (Scene scene : {dam_break(), splash()}) {
      scene.solver["relaxation"] = form;
      const auto sim = start(scene);
      const std::size_t all = sim->size();
      for (int k = 1; k <= 45; ++k) {
        sim->advance_to(k * frame);
        const ParticleFrame seen = sim->snapshot();
        ASSERT_EQ(seen.size(), all);
        ASSERT_TRUE(all_finite(seen));
        ASSERT_EQ(outside(seen, scene.domain.max), 0) << form << ", frame " << k;
        ASSERT_LT(fastest_of(seen), 10) << form << ", frame " << k;
      }
      EXPECT_EQ(sim->steps(), 45u);
    }
}

// Ten times the stiffness of the paper, more than the step allows.
TEST_P(ViscoelasticWalls, TooLargeStiffnessIsLimitedWithAWarning) {
  Scene scene = splash();
  scene.solver["stiffness"] = 0.04;
  const std::vector<std::string> told = advice(scene);
  ASSERT_FALSE(told.empty());
  EXPECT_NE(told[0].find("softer"), std::string::npos) << told[0];
  const auto sim = start(scene);
  for (int k = 1; k <= 30; ++k) {
    sim->advance_to(k * frame);
    ASSERT_LT(fastest_of(sim->snapshot()), 10) << k;
  }
  RecordProperty("clamped", std::to_string(counter(*sim, "clamped")));
  EXPECT_EQ(outside(sim->snapshot(), scene.domain.max), 0);
}

// Balls of liquid that collide at three times the speed of sound compress each other to twice their
// density, where sound is too fast for the steps: the collision must not add energy.
TEST_P(ViscoelasticWalls, SupersonicCollisionGainsNoEnergy) {
  for (const std::string& form : relaxations(GetParam())) {
    Scene scene = free_space();
    scene.solver["time_step"] = 1.0 / 300;
    scene.solver["relaxation"] = form;
    const double speed = 1.5 * make_setup(scene).sound_speed;
    scene.fluids = {
        {0, Shape::sphere({-0.21f, 0, 0}, 0.2f), {static_cast<float>(speed), 0, 0}},
        {0, Shape::sphere({0.21f, 0.005f, 0}, 0.2f), {static_cast<float>(-speed), 0, 0}}};
    const auto sim = start(scene);
    const double before = energy_of(sim->snapshot());
    for (int k = 1; k <= 20; ++k) {
      sim->advance_to(0.01 * k);
      const ParticleFrame seen = sim->snapshot();
      if (k == 5) RecordProperty(form + "_energy", std::to_string(energy_of(seen) / before));
      ASSERT_LT(energy_of(seen), 1.01 * before) << form << ", frame " << k;
      ASSERT_LT(fastest_of(seen), 2.5 * speed) << form << ", frame " << k;
    }
    EXPECT_EQ(counter(*sim, "clamped"), 0u) << form;
  }
}

// Particles all at one position are displaced by at most half a support per step, and counted.
TEST_P(ViscoelasticWalls, LimitedDisplacementsAreCounted) {
  Scene scene = free_space();
  scene.solver["time_step"] = frame;
  scene.fluids = {blob(scene, 7, 7, 7)};
  scene.fluids[0].velocity_at = [](const Vec3& x) { return x * -28.0f; };
  const auto sim = start(scene);
  EXPECT_EQ(counter(*sim, "clamped"), 0u);
  sim->advance_to(3 * frame);
  EXPECT_GT(counter(*sim, "clamped"), 0u);
  EXPECT_TRUE(all_finite(sim->snapshot()));
}

// A plate thinner than a spacing that moves three times its thickness per step.
TEST_P(ViscoelasticWalls, NoParticlePassesAThinPlate) {
  Scene scene = closed_box({0.6, 0.3, 0.12});
  scene.solver["time_step"] = frame;
  scene.fluids = {{0, Shape::box({0.12f, 0, 0}, {0.6f, 0.1f, 0.12f})}};
  Body plate;
  plate.shape = Shape::box({0.09f, -0.1f, -0.1f}, {0.1f, 0.5f, 0.3f});
  plate.motion.keys = {{0.1, {}, {}}, {0.3, {0.2f, 0, 0}, {}}};
  scene.bodies = {plate};
  const auto sim = start(scene);
  for (int k = 1; k <= 20; ++k) {
    sim->advance_to(k * frame);
    const double front = 0.1 + place_at(plate.motion, k * frame).position.x;
    for (const Vec3& x : sim->snapshot().position()) ASSERT_GT(x.x, front - 1e-4) << k;
  }
}

// v = v0 - mu g t until it rests.
TEST_P(ViscoelasticWalls, FrictionSlowsAParticleByCoulombsLaw) {
  for (const float mu : {0.0f, 0.1f, 0.3f}) {
    Scene scene = closed_box({4, 1, 1});
    scene.domain.surfaces[minus_y].friction = mu;
    scene.fluids = {particle_at({0.5f, 0.5f * float(scene.spacing), 0.5f}, {1, 0, 0})};
    const auto sim = start(scene);
    sim->advance_to(0.2);
    EXPECT_NEAR(sim->snapshot().velocity()[0].x, 1 - mu * 9.81 * 0.2, 0.02) << mu;
    sim->advance_to(1.5);
    const double left = std::max(0.0, 1 - mu * 9.81 * 1.5);
    EXPECT_NEAR(sim->snapshot().velocity()[0].x, left, 0.02) << mu;
  }
}

// Liquid that flows along a floor: its mean speed and that of the lowest layer, after some time.
struct Flow {
  double mean = 0, lowest = 0;
};
Flow flow_over(bool no_slip, float friction, const std::string& device) {
  Scene scene = closed_box({0.2, 0.3, 0.2});
  scene.domain.walls = {false, false, true, false, false, false};
  scene.domain.periodic = {true, false, true};
  scene.domain.surfaces[minus_y].no_slip = no_slip;
  scene.domain.surfaces[minus_y].friction = friction;
  scene.materials[0].methods["viscoelastic"]["linear_viscosity"] = 0.5;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.2f, 0.1f, 0.2f}), {1, 0, 0}}};
  const auto sim = make_simulation(scene, {device, 1, false});
  sim->advance_to(0.3);
  const ParticleFrame seen = sim->snapshot();
  Flow flow;
  int low = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    flow.mean += seen.velocity()[i].x / static_cast<double>(seen.size());
    if (seen.position()[i].y > 0.01f) continue;
    flow.lowest += seen.velocity()[i].x;
    ++low;
  }
  flow.lowest /= std::max(low, 1);
  return flow;
}

// Friction acts on touching particles: most of the weight of a liquid is carried by the density of
// the walls, so that it is slowed by less than mu g.
TEST_P(ViscoelasticWalls, NoSlipStopsAndFrictionSlows) {
  const Flow slip = flow_over(false, 0, GetParam()), rough = flow_over(false, 0.1f, GetParam());
  const Flow stick = flow_over(true, 0, GetParam());
  EXPECT_NEAR(slip.mean, 1, 1e-3);
  RecordProperty("friction_mean", std::to_string(rough.mean));
  RecordProperty("no_slip_mean", std::to_string(stick.mean));
  EXPECT_LT(rough.mean, slip.mean - 0.01);
  EXPECT_LT(rough.lowest, rough.mean - 0.02);
  EXPECT_LT(stick.lowest, 0.3);
  EXPECT_LT(stick.mean, 0.9);
}

// Liquid under a sphere; the fraction that is still there after 0.3 s.
double share_that_hangs(float stickiness, const std::string& device) {
  Scene scene = free_space();
  scene.gravity = {0, -9.81, 0};
  scene.solver["stick_distance"] = 1.0;
  Body sphere;
  sphere.shape = Shape::sphere({0, 0, 0}, 0.1f);
  sphere.surface.stickiness = stickiness;
  scene.bodies = {sphere};
  const Shape film = subtract(Shape::sphere({0, 0, 0}, 0.13f), Shape::sphere({0, 0, 0}, 0.1f));
  scene.fluids = {{0, intersect(film, Shape::box({-0.2f, -0.2f, -0.2f}, {0.2f, -0.06f, 0.2f}))}};
  const auto sim = make_simulation(scene, {device, 1, false});
  sim->advance_to(0.3);
  const ParticleFrame seen = sim->snapshot();
  double near = 0;
  for (const Vec3& x : seen.position()) near += length(x) < 0.16f ? 1 : 0;
  return near / static_cast<double>(seen.size());
}

// A pull towards the centre has no torque about it.
TEST_P(ViscoelasticWalls, StickySphereAddsNoAngularMomentum) {
  Scene scene = free_space();
  scene.solver["stick_distance"] = 1.0;
  Body sphere;
  sphere.shape = Shape::sphere({0, 0, 0}, 0.1f);
  sphere.surface.stickiness = 3000;
  scene.bodies = {sphere};
  scene.fluids = {particle_at({0.111f, 0, 0}, {0, 0.5f, 0})};
  const auto sim = start(scene);
  const double before = momenta_of(sim->snapshot()).angular.z;
  sim->advance_to(2);
  const ParticleFrame seen = sim->snapshot();
  EXPECT_LT(length(seen.position()[0]), 0.13f);
  EXPECT_NEAR(momenta_of(seen).angular.z / before, 1, 0.02);
}

TEST_P(ViscoelasticWalls, LiquidHangsOnlyUnderAStickySphere) {
  const double sticky = share_that_hangs(14000, GetParam()), dry = share_that_hangs(0, GetParam());
  RecordProperty("sticky", std::to_string(sticky));
  RecordProperty("dry", std::to_string(dry));
  EXPECT_EQ(dry, 0);
  EXPECT_GT(sticky, 0.5);
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscoelasticWalls, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta::viscoelastic
