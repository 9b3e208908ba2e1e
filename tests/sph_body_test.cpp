// What water under pressure does to free bodies, and to liquids above each other: it carries what
// it displaces, and gives way however slowly it is sheared.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "device_list.h"
#include "panta/engine/simulation.h"
#include "shear_wave.h"

namespace panta {
namespace {

class SphBodyTest : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> make(const Scene& scene) const {
    return make_simulation(scene, {GetParam(), 1, false});
  }
};

// A cube of water, open above, with a ball inside.
Scene tank(double radius, float side = 0.32f) {
  Scene scene;
  scene.method = "sph";
  scene.spacing = 0.02;
  scene.has_domain = true;
  scene.domain.max = {side, side + 0.08, side};
  scene.domain.walls.fill(true);
  scene.materials = {Material{}};
  const Shape ball =
      Shape::sphere({side / 2, side / 2 + 0.02f, side / 2}, static_cast<float>(radius));
  scene.fluids = {{.shape = subtract(Shape::box({0, 0, 0}, {side, side, side}), ball)}};
  Body body;
  body.name = "ball";
  body.shape = ball;
  body.free = FreeBody{.density = 1000};
  scene.bodies = {body};
  return scene;
}

// A ball much too heavy to be moved, held by a force against its weight; mean over a period of the
// tank's slosh, 0.64 s.
TEST_P(SphBodyTest, HeldBallCarriesTheWeightOfTheWaterItDisplaces) {
  for (const double radius : {0.06, 0.08}) {
    Scene scene = tank(radius);
    const double volume = 4.0 / 3 * std::numbers::pi * std::pow(radius, 3), mass = 1e7 * volume;
    scene.bodies[0].free = FreeBody{.mass = mass};
    const auto sim = make(scene);
    sim->set_body_force(0, {0, mass * 9.81, 0}, {});
    sim->advance_to(0.4);
    sim->advance_to(1.04);
    const BodyPose pose = sim->snapshot().bodies.at(0);
    EXPECT_NEAR(pose.force_particles.y, 1000 * 9.81 * volume, 0.03 * 1000 * 9.81 * volume)
        << radius;
  }
}

// Terminal speed is reached after some 0.3 s; a liquid with a yield stress holds this ball.
TEST_P(SphBodyTest, SlightlyHeavierBallSinksAndLighterBallRises) {
  for (const double density : {1100.0, 900.0}) {
    Scene scene = tank(0.06);
    scene.bodies[0].free = FreeBody{.density = density};
    const auto sim = make(scene);
    sim->advance_to(0.4);
    sim->advance_to(0.8);
    const BodyPose pose = sim->snapshot().bodies.at(0);
    const double down = density > 1000 ? 1 : -1;
    EXPECT_GT(-down * pose.velocity.y, 0.04) << density;
  }
}

// A yield stress of a thousandth of the pressure would hold these.
TEST_P(SphBodyTest, LargeBallOfNearlyTheDensityOfWaterMoves) {
  for (const double density : {1020.0, 980.0}) {
    Scene scene = tank(0.12, 0.4f);
    scene.bodies[0].free = FreeBody{.density = density};
    const auto sim = make(scene);
    sim->advance_to(0.3);
    const double before = sim->snapshot().bodies.at(0).position.y;
    sim->advance_to(0.7);
    const double down = density > 1000 ? 1 : -1;
    EXPECT_GT(down * (before - sim->snapshot().bodies.at(0).position.y), 0.005) << density;
  }
}

// From a lattice, with nothing that disturbs it.
TEST_P(SphBodyTest, HeavyLiquidOverturnsWithALightOneBelow) {
  Scene scene;
  scene.method = "sph";
  scene.dimensions = 2;
  scene.spacing = 0.01;
  scene.materials = {Material{}, Material{}};
  scene.materials[1].density = 800;
  scene.fluids = {{0, Shape::box({0, 0.1f, 0}, {0.2f, 0.2f, 0})},
                  {1, Shape::box({0, 0, 0}, {0.2f, 0.1f, 0})}};
  scene.has_domain = true;
  scene.domain.max = {0.2, 0.25, 0};
  scene.domain.walls = {true, true, true, true, false, false};
  scene.solver["artificial_viscosity"] = 0.06;
  const auto sim = make(scene);
  sim->advance_to(5);
  const ParticleFrame frame = sim->snapshot();
  double height[2] = {}, count[2] = {};
  for (std::size_t i = 0; i < frame.size(); ++i)
    height[frame.phase()[i]] += frame.position()[i].y, ++count[frame.phase()[i]];
  EXPECT_LT(height[0] / count[0] + 0.04, height[1] / count[1]);
}

TEST_P(SphBodyTest, ShearWaveKeepsItsSpeed) {
  for (const float jitter : {0.0f, 0.2f}) {
    const double kept = remaining_shear_wave("sph", jitter, {GetParam(), 1, false});
    RecordProperty("kept_" + std::to_string(jitter), std::to_string(kept));
    EXPECT_GT(kept, 0.9) << jitter;
    EXPECT_LT(kept, 1.01) << jitter;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SphBodyTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
