// Free bodies in liquid: they float and sink by Archimedes' law, and exchange momentum.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <tuple>

#include "panta/validation/water_column.h"
#include "viscoelastic_scenes.h"

namespace panta::viscoelastic {
namespace {

class ViscoelasticBodies : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Simulation> start(const Scene& scene) const {
    return make_simulation(scene, {GetParam(), 1, false});
  }
};

Body free_box(const Vec3& middle, const Vec3& size, double density, const Vec3& velocity = {}) {
  Body body;
  body.shape = Shape::box(middle - size * 0.5f, middle + size * 0.5f);
  body.free = FreeBody{density, velocity, {}};
  return body;
}

constexpr Vec3 crate{0.16f, 0.1f, 0.16f};  // flat enough to float upright
constexpr Vec3d crate_start{0.18, 0.22, 0.18};

// A crate just above a pool.
Scene pool(double density) {
  Scene scene = closed_box({0.36, 0.4, 0.36});
  scene.solver["time_step"] = 1.0 / 240;
  scene.materials[0].methods["viscoelastic"]["linear_viscosity"] = 0.3;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.36f, 0.16f, 0.36f})}};
  scene.bodies = {free_box(to_float(crate_start), crate, density)};
  return scene;
}

// The middle of a crate that started at `start`.
Vec3d middle_of(const BodyPose& pose, const Vec3d& start) {
  return to_double(rotation(pose.rotation) * to_float(start)) + pose.position;
}

// The level of the liquid beside the crate: half a spacing above the highest particle of columns,
// averaged over the columns.
double level_of(const ParticleFrame& frame, double spacing) {
  std::map<std::pair<int, int>, double> columns;
  for (const Vec3& x : frame.position()) {
    if (std::abs(x.x - 0.18) < 0.12 && std::abs(x.z - 0.18) < 0.12) continue;
    double& high = columns[{int(x.x / (1.5 * spacing)), int(x.z / (1.5 * spacing))}];
    high = std::max(high, double(x.y));
  }
  double sum = 0;
  for (const auto& column : columns) sum += column.second;
  return sum / static_cast<double>(columns.size()) + 0.5 * spacing;
}

TEST_P(ViscoelasticBodies, CrateFloatsByItsDensity) {
  for (const double ratio : {0.25, 0.5, 0.75}) {
    const Scene scene = pool(1000 * ratio);
    const auto sim = start(scene);
    sim->advance_to(1.3);
    double submerged = 0;
    constexpr int looks = 6;
    for (int k = 1; k <= looks; ++k) {
      sim->advance_to(1.3 + 0.05 * k);
      const ParticleFrame frame = sim->snapshot();
      const double low = middle_of(frame.bodies[0], crate_start).y - 0.5 * crate.y;
      submerged += (level_of(frame, scene.spacing) - low) / crate.y / looks;
    }
    RecordProperty("submerged_at_" + std::to_string(int(100 * ratio)), std::to_string(submerged));
    EXPECT_NEAR(submerged, ratio, 0.1);
  }
}

TEST_P(ViscoelasticBodies, HeavyCrateRestsOnTheBottom) {
  const auto sim = start(pool(3000));
  sim->advance_to(1.3);
  const BodyPose pose = sim->snapshot().bodies[0];
  EXPECT_NEAR(middle_of(pose, crate_start).y, 0.5 * crate.y, 0.005);
  EXPECT_LT(length(pose.velocity), 0.02);
}

// A box hits a lump of liquid in free space.
TEST_P(ViscoelasticBodies, ExchangeMomentumWithTheLiquid) {
  for (const auto& [density, stickiness] :
       {std::pair{200.0, 0.0f}, {1000.0, 0.0f}, {5000.0, 0.0f}, {200.0, 2e4f}, {1000.0, 2e4f}}) {
    Scene scene = free_space();
    scene.fluids = {blob(scene, 8, 8, 8, 0.1f)};
    scene.bodies = {free_box({-0.17f, 0.02f, 0}, {0.1f, 0.1f, 0.1f}, density, {2, 0, 0})};
    scene.bodies[0].surface.stickiness = stickiness;
    const auto sim = start(scene);
    const double mass = density * 1e-3, liquid = sim->particle_mass(0);
    sim->advance_to(0.3);
    const ParticleFrame frame = sim->snapshot();
    const Vec3d given = momenta_of(frame).linear * liquid, kept = frame.bodies[0].velocity * mass;
    const Vec3d error = given + kept - Vec3d{2 * mass, 0, 0};
    RecordProperty("given_at_" + std::to_string(int(density)) + (stickiness > 0 ? "_sticky" : ""),
                   std::to_string(given.x / (2 * mass)));
    EXPECT_GT(given.x, 0.1 * 2 * mass) << density;
    EXPECT_LT(length(error), 0.01 * 2 * mass) << density;
  }
}

// A stream one or two particles deep against a tower of five.
TEST_P(ViscoelasticBodies, StackStandsInAStream) {
  Scene scene = closed_box({0.8, 0.6, 0.4});
  scene.domain.walls = {true, false, true, false, true, true};
  scene.domain.surfaces[minus_y].friction = 0.6f;
  Emitter spring;
  spring.name = "spring";
  spring.at = {0.08f, 0.04f, 0.2f};
  spring.direction = {1, 0, 0};
  spring.profile = Shape::box({0.07f, 0.01f, 0.06f}, {0.09f, 0.06f, 0.34f});
  spring.speed = 0.4f;
  scene.emitters = {spring};
  scene.sinks = {{"edge", Shape::box({0.75f, -1, -1}, {3, 3, 3})}};
  for (int k = 0; k < 5; ++k) {
    scene.bodies.push_back(
        free_box({0.4f, 0.04f + 0.08f * float(k), 0.2f}, {0.08f, 0.08f, 0.08f}, 2500));
    scene.bodies.back().surface.friction = 0.6f;
  }
  const auto sim = start(scene);
  sim->advance_to(2);
  const ParticleFrame frame = sim->snapshot();
  const auto past = [](const Vec3& x) { return x.x > 0.5f; };
  EXPECT_GT(std::count_if(frame.position().begin(), frame.position().end(), past), 100);
  double farthest = 0;
  for (int k = 0; k < 5; ++k) {
    const Vec3d from{0.4, 0.04 + 0.08 * k, 0.2};
    farthest = std::max(farthest, length(middle_of(frame.bodies[std::size_t(k)], from) - from));
  }
  RecordProperty("farthest", std::to_string(farthest));
  EXPECT_LT(farthest, 0.02);
}

// A particle slides on a block that rests on the floor: it loses mu g of its speed per second,
// however long steps are.
TEST_P(ViscoelasticBodies, FrictionIsCoulombs) {
  for (const double time_step : {1.0 / 120, 1.0 / 480}) {
    Scene scene = closed_box({1, 0.4, 0.4});
    scene.solver["time_step"] = time_step;
    scene.fluids = {particle_at({0.2f, 0.111f, 0.2f}, {1, 0, 0})};
    scene.bodies = {free_box({0.5f, 0.05f, 0.2f}, {0.9f, 0.1f, 0.3f}, 5000)};
    scene.bodies[0].surface.friction = 0.2f;
    const auto sim = start(scene);
    sim->advance_to(0.1);
    const float before = sim->snapshot().velocity().at(0).x;
    sim->advance_to(0.3);
    EXPECT_NEAR(before - sim->snapshot().velocity().at(0).x, 0.2 * 9.81 * 0.2, 0.04) << time_step;
  }
}

// Of small balls, as steps are chosen. A liquid with a yield stress holds them.
Scene tank_with_ball(double radius, float height = 0.14f) {
  Scene scene = closed_box({0.28, 0.4, 0.28});
  const Shape ball = Shape::sphere({0.14f, height, 0.14f}, static_cast<float>(radius));
  scene.fluids = {{0, subtract(Shape::box({0, 0, 0}, {0.28f, 0.28f, 0.28f}), ball)}};
  scene.bodies = {Body{}};
  scene.bodies[0].shape = ball;
  return scene;
}

TEST_P(ViscoelasticBodies, HeavierBallSinksAndLighterBallRises) {
  for (const double density : {1200.0, 900.0}) {
    Scene scene = tank_with_ball(0.06);
    scene.bodies[0].free = FreeBody{.density = density};
    const auto sim = start(scene);
    sim->advance_to(1.2);
    const double rise = sim->snapshot().bodies.at(0).position.y;
    RecordProperty("rise_at_" + std::to_string(int(density)), std::to_string(rise));
    if (density > 1000)
      EXPECT_LT(rise, -0.02);
    else
      EXPECT_GT(rise, 0.02);
  }
}

// A small one, which has to break through the surface.
TEST_P(ViscoelasticBodies, LightBallFloatsByItsDensity) {
  const double radius = 0.06, width = 0.28;
  Scene scene = tank_with_ball(radius);
  scene.bodies[0].free = FreeBody{.density = 850};
  const auto sim = start(scene);
  sim->advance_to(2.5);
  const ParticleFrame frame = sim->snapshot();
  const Vec3d ball = middle_of(frame.bodies[0], {0.14, 0.14, 0.14});
  std::vector<float> heights;  // away from the ball
  for (const Vec3& x : frame.position())
    if (std::hypot(x.x - ball.x, x.z - ball.z) > radius + 0.03) heights.push_back(x.y);
  const double area = width * width - std::numbers::pi * std::pow(radius + 0.03, 2);
  const double level = validation::surface_level(heights, area / (0.02 * 0.02), 0.02);
  const double t = std::clamp((level - ball.y) / radius, -1.0, 1.0);
  const double submerged = 0.25 * (2 + 3 * t - t * t * t);
  RecordProperty("submerged", std::to_string(submerged));
  EXPECT_NEAR(submerged, 0.85, 0.08);
}

// A ball much too heavy to be moved, held by a force against its weight, inside the water and half
// a spacing above the floor. The water around it comes to rest.
TEST_P(ViscoelasticBodies, HeldBallCarriesTheWeightOfTheWaterItDisplaces) {
  const double radius = 0.06, volume = 4.0 / 3 * std::numbers::pi * std::pow(radius, 3);
  for (const float height : {0.14f, 0.07f}) {
    Scene scene = tank_with_ball(radius, height);
    scene.bodies[0].free = FreeBody{.mass = 1e7 * volume};
    const auto sim = start(scene);
    sim->set_body_force(0, {0, 1e7 * volume * 9.81, 0}, {});
    sim->advance_to(0.6);
    sim->advance_to(1);
    const ParticleFrame frame = sim->snapshot();
    const double carried = frame.bodies.at(0).force_particles.y / (1000 * 9.81 * volume);
    RecordProperty("carried_at_" + std::to_string(int(1000 * height)), std::to_string(carried));
    EXPECT_NEAR(carried, 1, 0.05) << height;
    EXPECT_LT(std::sqrt(2 * energy_of(frame) / static_cast<double>(frame.size())), 0.03) << height;
  }
}

// A wave carries a ball along.
TEST_P(ViscoelasticBodies, WaterKeepsItsDensityBesideABall) {
  Scene scene = closed_box({0.5, 0.4, 0.24});
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.16f, 0.24f, 0.24f})}};
  scene.bodies = {Body{}};
  scene.bodies[0].shape = Shape::sphere({0.26f, 0.061f, 0.12f}, 0.06f);
  scene.bodies[0].free = FreeBody{.density = 1050};
  const auto sim = start(scene);
  for (int k = 1; k <= 10; ++k) {
    sim->advance_to(0.1 + 0.03 * k);
    const ParticleFrame frame = sim->snapshot();
    EXPECT_LT(*std::max_element(frame.density().begin(), frame.density().end()), 1100) << k;
  }
}

TEST_P(ViscoelasticBodies, AdviceNamesBodiesThatMayHang) {
  for (const auto& [density, radius, lines] :
       {std::tuple{600.0, 0.06, 0u}, {950.0, 0.06, 1u}, {600.0, 0.04, 1u}}) {
    Scene scene = tank_with_ball(radius);
    scene.bodies[0].free = FreeBody{.density = density};
    EXPECT_EQ(advice(scene).size(), lines) << density << " " << radius;
  }
}

TEST_P(ViscoelasticBodies, RestoredRunsEqualUninterruptedRuns) {
  const Scene scene = pool(500);
  const auto whole = start(scene), again = start(scene);
  whole->advance_to(0.2);
  State state;
  whole->save(state);
  again->restore(state);
  whole->advance_to(0.3);
  again->advance_to(0.3);
  const ParticleFrame a = whole->snapshot(), b = again->snapshot();
  EXPECT_LT(length(a.bodies[0].position - b.bodies[0].position), 1e-3);
  if (GetParam() == "cpu") {
    EXPECT_TRUE(same_bits(a, b));
    EXPECT_EQ(a.bodies[0].position, b.bodies[0].position);
    EXPECT_EQ(a.bodies[0].velocity, b.bodies[0].velocity);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscoelasticBodies, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta::viscoelastic
