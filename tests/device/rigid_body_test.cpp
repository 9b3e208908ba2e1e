// Free rigid bodies: free motion, contact with walls and with each other.
#include <cmath>
#include <cstring>
#include <numbers>

#include "body_world.h"

namespace panta::test {
namespace {

constexpr double g = 9.81;

double upright(const FreeBodyState& s) { return rotation(s.rotation).row[1].y; }

Scene still_scene() {
  Scene scene;
  scene.gravity = {};
  return scene;
}

TEST(RigidBody, TumblesFreelyWithoutLosingMomentumOrEnergy) {
  Scene scene = still_scene();
  Body body = free_box({2, 1, 0}, {0.4f, 0.1f, 0.2f});
  body.free->velocity = {0.3f, -0.2f, 0.1f};
  body.free->spin = {0.3f, 6.0f, 0.2f};
  scene.bodies = {body};
  BodyWorld world(scene, 1.0 / 120);
  const Vec3d p = world.momentum(), l = world.bodies.states()[0].angular_momentum;
  const double energy = world.energy();
  for (int k = 0; k < 1200; ++k) {
    world.step();
    ASSERT_NEAR(world.energy(), energy, 0.01 * energy);
  }
  EXPECT_EQ(world.momentum(), p);
  EXPECT_EQ(world.bodies.states()[0].angular_momentum, l);
  EXPECT_NEAR(length(world.bodies.states()[0].place - Vec3d{5, -1, 1}), 0, 1e-6);
}

TEST(RigidBody, PoseMapsTheSceneShapeToTheBody) {
  Scene scene = still_scene();
  Body body = free_box({2, 1, 0}, {0.4f, 0.1f, 0.2f});
  body.free->spin = {0, 0, float(std::numbers::pi / 2)};
  scene.bodies = {body};
  BodyWorld world(scene, 1.0 / 60);
  world.run(1);
  const BodyPose pose = world.bodies.poses()[0];
  const Vec3d corner = to_double(rotation(pose.rotation) * Vec3{2.2f, 1, 0}) + pose.position;
  EXPECT_NEAR(length(corner - Vec3d{2, 1.2, 0}), 0, 1e-5);
}

TEST(RigidBody, BallBouncesWithItsRestitution) {
  Scene scene;
  Body ball = free_ball({0.1f, 1.1f, 0.2f}, 0.1f);
  ball.surface.restitution = 0.7f;
  ball.surface.friction = 0;
  scene.bodies = {floor_at(0), ball};
  BodyWorld world(scene, 1.0 / 240);
  double before = 0, after = 0, top = 0;
  for (int k = 0; k < 240 && after == 0; ++k) {
    before = world.bodies.states()[0].velocity.y;
    world.step();
    after = std::max(world.bodies.states()[0].velocity.y, 0.0);
  }
  EXPECT_NEAR(before, -std::sqrt(2 * g * 1.0), 0.05 * 4.43);
  EXPECT_NEAR(after, -0.7 * before, 0.02 * after);
  for (int k = 0; k < 120; ++k) {
    world.step();
    top = std::max(top, world.bodies.states()[0].place.y);
  }
  EXPECT_NEAR(top - 0.1, 0.49, 0.03);
  EXPECT_NEAR(world.bodies.states()[0].place.x, 0.1, 1e-4);  // a single contact point, not a facet
}

TEST(RigidBody, BouncingBallComesToRest) {
  Scene scene;
  Body ball = free_ball({0, 0.6f, 0}, 0.1f);
  ball.surface.restitution = 0.6f;
  scene.bodies = {floor_at(0), ball};
  BodyWorld world(scene, 1.0 / 60);
  world.run(6);
  EXPECT_NEAR(world.bodies.states()[0].place.y, 0.1, 1e-3);
  EXPECT_LT(length(world.bodies.states()[0].velocity), 1e-3);
}

Scene slope_scene(double degrees, float friction) {
  Scene scene;
  const double a = degrees * std::numbers::pi / 180;
  Body slope;
  slope.shape = Shape::plane({}, {float(-std::sin(a)), float(std::cos(a)), 0});
  slope.surface.friction = friction;
  Body box;
  box.shape =
      Shape::box({-0.1f, 0, -0.1f}, {0.1f, 0.2f, 0.1f}).rotated(axis_angle({0, 0, 1}, float(a)));
  box.free = FreeBody{500, {}, {}};
  box.surface.friction = friction;
  scene.bodies = {slope, box};
  return scene;
}

TEST(RigidBody, BoxHoldsOnASlopeBelowTheAngleOfFriction) {
  BodyWorld world(slope_scene(20, 0.4f), 1.0 / 60);  // atan 0.4 = 21.8 degrees
  const Vec3d start = world.bodies.states()[0].place;
  world.run(2);
  EXPECT_LT(length(world.bodies.states()[0].place - start), 2e-3);
}

TEST(RigidBody, BoxSlidesDownASteeperSlope) {
  const double a = 35 * std::numbers::pi / 180;
  BodyWorld world(slope_scene(35, 0.4f), 1.0 / 60);
  world.run(1);
  const double expected = g * (std::sin(a) - 0.4 * std::cos(a));
  EXPECT_NEAR(length(world.bodies.states()[0].velocity), expected, 0.05 * expected);
}

TEST(RigidBody, BallRollsDownASlopeWithoutSlipping) {
  Scene scene = slope_scene(20, 0.8f);
  const float a = float(20 * std::numbers::pi / 180), r = 0.1f;
  scene.bodies[1] = free_ball({-r * std::sin(a), r * std::cos(a), 0}, r);
  scene.bodies[1].surface.friction = 0.8f;
  BodyWorld world(scene, 1.0 / 60);
  world.run(1);
  const FreeBodyState s = world.bodies.states()[0];
  const double expected = 5.0 / 7.0 * g * std::sin(a);  // of a solid ball
  EXPECT_NEAR(length(s.velocity), expected, 0.05 * expected);
  EXPECT_NEAR(length(spin_of(world.bodies.specs()[0], s)) * r, length(s.velocity), 0.02 * expected);
}

TEST(RigidBody, StackOfFiveBoxesStands) {
  Scene scene;
  scene.bodies = {floor_at(0)};
  const float edge = 0.2f;
  for (int k = 0; k < 5; ++k) {
    scene.bodies.push_back(free_box({0, edge * (float(k) + 0.5f), 0}, {edge, edge, edge}));
    scene.bodies.back().surface.friction = 0.5f;
  }
  BodyWorld world(scene, 1.0 / 30);
  world.run(5);
  const auto states = world.bodies.states();
  for (std::size_t k = 0; k < 5; ++k) {
    const Vec3d start{0, edge * (double(k) + 0.5), 0};
    EXPECT_LT(length(states[k].place - start), 0.02 * edge) << k;
    EXPECT_LT(length(states[k].velocity), 1e-3) << k;
    EXPECT_GT(upright(states[k]), 0.9999) << k;
  }
}

TEST(RigidBody, HeavyBoxRestsOnALightOne) {
  Scene scene;
  scene.bodies = {floor_at(0), free_box({0, 0.1f, 0}, {0.2f, 0.2f, 0.2f}, 100),
                  free_box({0, 0.35f, 0}, {0.3f, 0.3f, 0.3f}, 2000)};
  for (Body& body : scene.bodies) body.surface.friction = 0.5f;
  BodyWorld world(scene, 1.0 / 60);
  world.run(3);
  const auto states = world.bodies.states();
  EXPECT_NEAR(states[0].place.y, 0.1, 0.005);
  EXPECT_NEAR(states[1].place.y, 0.35, 0.01);
  EXPECT_LT(length(states[0].velocity) + length(states[1].velocity), 1e-3);
}

TEST(RigidBody, WidePlankRestsOnANarrowStandingPillar) {
  Scene scene;  // no corner of the plank is above the pillar
  Body pillar;
  pillar.shape = Shape::box({-0.1f, 0, -0.1f}, {0.1f, 0.5f, 0.1f});
  pillar.surface.friction = 0.5f;
  scene.bodies = {pillar, free_box({0.02f, 0.53f, 0}, {1, 0.06f, 0.3f})};
  scene.bodies[1].surface.friction = 0.5f;
  BodyWorld world(scene, 1.0 / 60);
  world.run(2);
  EXPECT_NEAR(world.bodies.states()[0].place.y, 0.53, 2e-3);
  EXPECT_GT(upright(world.bodies.states()[0]), 0.9999);
}

TEST(RigidBody, BoxThatFallsOnItsEdgeComesToRestFlat) {
  Scene scene;
  scene.has_domain = true;
  scene.domain.min = {-2, 0, -2};
  scene.domain.max = {2, 2, 2};
  scene.domain.walls[minus_y] = true;
  scene.domain.surfaces[minus_y].friction = 0.5f;
  Body box = free_box({0, 0.5f, 0}, {0.2f, 0.2f, 0.2f});
  box.shape = box.shape.rotated(axis_angle({0.3f, 0, 1}, 0.6f), {0, 0.5f, 0});
  box.surface.friction = 0.5f;
  scene.bodies = {box};
  BodyWorld world(scene, 1.0 / 60);
  world.run(4);
  const FreeBodyState s = world.bodies.states()[0];
  EXPECT_NEAR(s.place.y, 0.1, 1e-3);
  EXPECT_LT(length(s.velocity), 1e-3);
  EXPECT_LT(length(spin_of(world.bodies.specs()[0], s)), 1e-2);
}

TEST(RigidBody, CollisionKeepsMomentum) {
  Scene scene = still_scene();
  Body a = free_box({-0.5f, 0.05f, 0}, {0.2f, 0.3f, 0.2f}, 800), b = free_ball({0, 0, 0}, 0.15f);
  a.free->velocity = {2, 0.1f, 0};
  a.free->spin = {0.5f, 0, 1};
  a.surface.friction = b.surface.friction = 0.3f;
  a.surface.restitution = 0.5f;
  scene.bodies = {a, b};
  BodyWorld world(scene, 1.0 / 60);
  const Vec3d p = world.momentum(), l = world.angular_momentum();
  const double energy = world.energy();
  world.run(1);
  EXPECT_GT(world.bodies.states()[1].velocity.x, 0.5);
  EXPECT_LT(length(world.momentum() - p), 1e-5 * length(p));
  EXPECT_LT(length(world.angular_momentum() - l), 0.02 * length(l) + 0.05);
  EXPECT_LT(world.energy(), energy * 1.001);
}

TEST(RigidBody, CentralCollisionTransfersTheVelocity) {
  Scene scene = still_scene();
  Body a = free_ball({-0.5f, 0, 0}, 0.1f), b = free_ball({0, 0, 0}, 0.1f);
  a.free->velocity = {1, 0, 0};
  a.surface.restitution = 1;
  scene.bodies = {a, b};
  BodyWorld world(scene, 1.0 / 60);
  world.run(1);
  EXPECT_NEAR(length(world.bodies.states()[0].velocity), 0, 3e-3);
  EXPECT_NEAR(world.bodies.states()[1].velocity.x, 1, 3e-3);
}

TEST(RigidBody, ConveyorCarriesABox) {
  Scene scene;
  scene.bodies = {floor_at(0), free_box({0, 0.1f, 0}, {0.2f, 0.2f, 0.2f})};
  for (Body& body : scene.bodies) body.surface.friction = 0.5f;
  scene.bodies[0].surface.velocity = {0.5f, 0, 0};
  BodyWorld world(scene, 1.0 / 60);
  world.run(2);
  EXPECT_NEAR(world.bodies.states()[0].velocity.x, 0.5, 0.01);
}

TEST(RigidBody, LiftCarriesABox) {
  Scene scene;
  Body lift;
  lift.shape = Shape::box({-0.3f, -0.1f, -0.3f}, {0.3f, 0, 0.3f});
  lift.motion.keys = {{0, {}, {}}, {2, {0, 1, 0}, {}}};
  scene.bodies = {lift, free_box({0, 0.1f, 0}, {0.2f, 0.2f, 0.2f})};
  BodyWorld world(scene, 1.0 / 60);
  world.run(2);
  EXPECT_NEAR(world.bodies.states()[0].place.y, 1.1, 0.01);
}

Scene heap_scene() {
  Scene scene;
  scene.bodies = {floor_at(0)};
  for (int k = 0; k < 6; ++k) {
    const Vec3 at{0.03f * float(k % 2), 0.2f + 0.25f * float(k), 0.02f * float(k % 3)};
    scene.bodies.push_back(k % 2 ? free_ball(at, 0.1f) : free_box(at, {0.2f, 0.15f, 0.2f}));
    scene.bodies.back().surface.friction = 0.4f;
  }
  return scene;
}

bool same_bits(const BodyWorld& a, const BodyWorld& b) {
  const auto x = a.bodies.states(), y = b.bodies.states();
  return std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0;
}

TEST(RigidBody, SameBitsForEveryExecutor) {
  BodyWorld first(heap_scene(), 1.0 / 60, executors()[0]);
  first.run(1);
  for (const D& exec : executors()) {
    BodyWorld other(heap_scene(), 1.0 / 60, exec);
    other.run(1);
    EXPECT_TRUE(same_bits(first, other));
  }
}

TEST(RigidBody, ContinuesIdenticallyFromASavedState) {
  BodyWorld whole(heap_scene(), 1.0 / 60), half(heap_scene(), 1.0 / 60);
  whole.run(0.5);
  State state;
  whole.bodies.save(state);
  half.bodies.restore(state);
  half.set_time(whole.time);
  whole.run(0.5);
  half.run(0.5);
  EXPECT_TRUE(same_bits(whole, half));
}

TEST(RigidBody, StateOfOtherBodiesIsRefused) {
  BodyWorld heap(heap_scene(), 1.0 / 60);
  Scene other = heap_scene();
  other.bodies.pop_back();
  BodyWorld fewer(other, 1.0 / 60);
  State state;
  fewer.bodies.save(state);
  EXPECT_THROW(heap.bodies.restore(state), Error);
}

TEST(RigidBody, ClosedStepChangesNothing) {
  BodyWorld world(heap_scene(), 1.0 / 60), same(heap_scene(), 1.0 / 60);
  world.run(0.2);
  same.run(0.2);
  world.close_gate();
  world.step();
  EXPECT_TRUE(same_bits(world, same));
}

TEST(RigidBody, ChangedDensityKeepsPoseAndVelocity) {
  Scene scene = still_scene();
  Body body = free_box({2, 1, 0}, {0.4f, 0.1f, 0.2f});
  body.free->velocity = {0.3f, 0, 0};
  body.free->spin = {0, 0, 2};
  scene.bodies = {body};
  BodyWorld world(scene, 1.0 / 60);
  world.run(0.5);
  const BodyPose before = world.bodies.poses()[0];
  const double mass = world.bodies.specs()[0].mass;
  scene.bodies[0].free->density *= 3;
  world.bodies.set(make_free_bodies(scene, make_walls(scene, 0.1f), 1.0 / 60));
  const BodyPose after = world.bodies.poses()[0];
  EXPECT_NEAR(world.bodies.specs()[0].mass, 3 * mass, 1e-9);
  EXPECT_EQ(after.position, before.position);
  EXPECT_EQ(after.velocity, before.velocity);
  EXPECT_LT(length(after.spin - before.spin), 1e-9);
}

TEST(RigidBody, StaysInThePlaneOfTwoDimensions) {
  Scene scene;
  scene.dimensions = 2;
  scene.bodies = {floor_at(0), free_box({0, 0.5f, 0}, {0.3f, 0.2f, 2})};
  scene.bodies[1].shape = scene.bodies[1].shape.rotated(axis_angle({0, 0, 1}, 0.5f), {0, 0.5f, 0});
  scene.bodies[1].surface.friction = 0.5f;
  BodyWorld world(scene, 1.0 / 60);
  EXPECT_NEAR(world.bodies.specs()[0].mass, 1000 * 0.06, 0.5);  // of a layer 1 m thick
  world.run(3);
  const FreeBodyState s = world.bodies.states()[0];
  EXPECT_EQ(s.place.z, 0);
  EXPECT_EQ(s.rotation.x, 0);
  EXPECT_EQ(s.rotation.y, 0);
  EXPECT_NEAR(s.place.y, 0.1, 2e-3);
  EXPECT_LT(length(s.velocity), 1e-3);
}

}  // namespace
}  // namespace panta::test
