// Free bodies behave equally in every method: they fall, float, sink and exchange momentum.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "device_list.h"
#include "panta/engine/methods.h"
#include "panta/engine/simulation.h"

namespace panta {
namespace {

constexpr double radius = 0.08, water_level = 0.3;
constexpr double ball_volume = 4.0 / 3 * std::numbers::pi * radius * radius * radius;

Body ball(double density, const Vec3& centre) {
  Body body;
  body.name = "ball";
  body.shape = Shape::sphere(centre, static_cast<float>(radius));
  body.free = FreeBody{.density = density};
  return body;
}

// Water in a tank, with a ball in the middle of it.
Scene tank(const std::string& method, double density) {
  Scene scene;
  scene.method = method;
  scene.spacing = 0.025;
  scene.has_domain = true;
  scene.domain.max = {0.4, 0.6, 0.4};
  scene.domain.walls.fill(true);
  scene.materials = {Material{}};
  scene.fluids = {{.shape = Shape::box({0, 0, 0}, {0.4f, static_cast<float>(water_level), 0.4f})}};
  scene.bodies = {ball(density, {0.2f, 0.15f, 0.2f})};
  return scene;
}

// Of the ball's centre; the pose is that of the scene's frame, which turns about its origin.
double height_of(const BodyPose& pose) {
  return pose.position.y + double((rotation(pose.rotation) * Vec3{0.2f, 0.15f, 0.2f}).y);
}

struct Case {
  std::string method, device;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.method << " on " << c.device; }

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const MethodInfo& method : methods())
    for (const std::string& device : devices())
      if (method.free_bodies) cases.push_back({method.name, device});
  return cases;
}

class FreeBodyMethods : public testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<Simulation> make(const Scene& scene) const {
    return make_simulation(scene, {GetParam().device, 0, false});
  }
};

TEST(FreeBodyMethodList, EveryMethodSupportsThem) {
  for (const MethodInfo& method : methods()) EXPECT_TRUE(method.free_bodies) << method.name;
}

TEST_P(FreeBodyMethods, FallsFreelyInEmptySpace) {
  Scene scene = tank(GetParam().method, 500);
  scene.has_domain = false;
  scene.fluids = {{.shape = Shape::box({5, 0, 0}, {5.1f, 0.1f, 0.1f})}};
  const auto sim = make(scene);
  sim->advance_to(0.3);
  const BodyPose pose = sim->snapshot().bodies.at(0);
  EXPECT_NEAR(pose.position.y, -0.5 * 9.81 * 0.09, 0.02);
  EXPECT_NEAR(pose.velocity.y, -9.81 * 0.3, 1e-4);
}

TEST_P(FreeBodyMethods, LightBallRisesAndHeavyBallSinks) {
  const auto light = make(tank(GetParam().method, 200)),
             heavy = make(tank(GetParam().method, 4000));
  light->advance_to(1);
  heavy->advance_to(1);
  EXPECT_GT(height_of(light->snapshot().bodies.at(0)), 0.25);
  EXPECT_LT(height_of(heavy->snapshot().bodies.at(0)), radius + 0.025);
}

// In a box without gravity the liquid gains the momentum that the ball loses; walls are too far
// away.
TEST_P(FreeBodyMethods, MomentumIsExchanged) {
  Scene scene = tank(GetParam().method, 2000);
  scene.has_domain = false;
  scene.gravity = {};
  scene.fluids = {{.shape = Shape::box({0.32f, 0.05f, 0.1f}, {0.52f, 0.25f, 0.3f})}};
  scene.bodies[0].free->velocity = {1, 0, 0};
  if (GetParam().method == "sph") scene.solver["sound_speed"] = 15.0;
  const auto sim = make(scene);
  const double mass = 2000 * ball_volume;
  sim->advance_to(0.15);
  const ParticleFrame frame = sim->snapshot();
  const BodyPose& pose = frame.bodies.at(0);
  Vec3d liquid;
  for (const Vec3& v : frame.velocity()) liquid += to_double(v) * sim->particle_mass(0);
  EXPECT_LT(pose.velocity.x, 0.95);
  EXPECT_NEAR(liquid.x + mass * pose.velocity.x, mass, 0.01 * mass);
  // The reported force is the change of momentum over the time; the mass of the ball's surface mesh
  // differs from that of a sphere by less than a thousandth.
  const double force = mass * (pose.velocity.x - 1) / 0.15;
  EXPECT_NEAR(pose.force_particles.x, force, 1e-3 * std::abs(force));
  EXPECT_EQ(length(pose.force_contacts), 0);
}

TEST_P(FreeBodyMethods, ReportsTheForceOfTheFloor) {
  Scene scene = tank(GetParam().method, 1000);
  scene.fluids = {{.shape = Shape::box({0.3f, 0, 0}, {0.4f, 0.05f, 0.1f})}};
  scene.bodies = {ball(1000, {0.1f, static_cast<float>(radius), 0.3f})};
  const auto sim = make(scene);
  sim->advance_to(0.3);
  sim->advance_to(0.6);
  const BodyPose pose = sim->snapshot().bodies.at(0);
  const double weight = 1000 * ball_volume * 9.81;
  EXPECT_NEAR(pose.force_contacts.y, weight, 0.05 * weight);
}

TEST_P(FreeBodyMethods, MassAndInertiaCanBeGiven) {
  Scene scene = tank(GetParam().method, 1000);
  scene.gravity = {};
  scene.has_domain = false;
  scene.fluids = {{.shape = Shape::box({5, 0, 0}, {5.1f, 0.1f, 0.1f})}};
  scene.bodies[0].free = FreeBody{.mass = 3.0, .inertia = Vec3d{0.5, 0.5, 0.5}};
  if (GetParam().method == "sph") scene.solver["sound_speed"] = 10.0;
  const auto sim = make(scene);
  sim->set_body_force(0, {6, 0, 0}, {0, 1, 0});
  sim->advance_to(0.5);
  const BodyPose pose = sim->snapshot().bodies.at(0);
  EXPECT_NEAR(pose.velocity.x, 6.0 / 3 * 0.5, 1e-6);
  EXPECT_NEAR(pose.spin.y, 1 / 0.5 * 0.5, 1e-6);
}

TEST_P(FreeBodyMethods, PoseCanBeSetBetweenSteps) {
  Scene scene = tank(GetParam().method, 1000);
  const auto sim = make(scene);
  sim->advance_to(0.05);
  BodyPose pose = sim->snapshot().bodies.at(0);
  pose.position = {0, 0.3, 0};
  pose.velocity = pose.spin = {};
  sim->set_body_pose(0, pose);
  EXPECT_NEAR(sim->snapshot().bodies.at(0).position.y, 0.3, 1e-9);
  EXPECT_THROW(sim->set_body_pose(1, pose), Error);
}

INSTANTIATE_TEST_SUITE_P(All, FreeBodyMethods, testing::ValuesIn(all_cases()),
                         [](const auto& info) {
                           return info.param.method + "_" + info.param.device;
                         });

}  // namespace
}  // namespace panta
