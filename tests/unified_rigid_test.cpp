// Rigid bodies of the unified method: flight, stacks, shapes of every dimension, damage and
// reproducibility, on every available device.
#include <gtest/gtest.h>

#include <numbers>

#include "panta/methods/unified_macklin2014/constraints/rigid.h"
#include "unified_scenes.h"

namespace panta {
namespace {

constexpr double pi = std::numbers::pi;

class UnifiedRigidTest : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceOptions options{GetParam(), 1, false};
};

struct Motion6 {
  Vec3d momentum, angular;  // about the centre of mass
  double energy = 0;
};

// For particles of mass one.
Motion6 motion_of(const ParticleFrame& frame) {
  const Vec3d centre = mean_of(frame.position());
  Motion6 m;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Vec3d v = to_double(frame.velocity()[i]);
    m.momentum += v;
    m.angular += cross(to_double(frame.position()[i]) - centre, v);
    m.energy += 0.5 * dot(v, v);
  }
  return m;
}

// A plate that turns once per second.
Scene turning_plate() {
  Scene scene = empty_space(MaterialKind::solid);
  scene.solids = {block_at(scene, {-0.2f, -0.2f, -0.1f}, 8, 8, 4)};
  scene.solids[0].spin = {0, 0, static_cast<float>(2 * pi)};
  scene.solids[0].velocity = {0.3f, -0.1f, 0.2f};
  scene.solver["substeps"] = 1.0;
  return scene;
}

double spin_left(const Scene& scene, const DeviceOptions& options) {
  const auto sim = make_simulation(scene, options);
  const Motion6 before = motion_of(sim->snapshot());
  sim->advance_to(10);
  const Motion6 now = motion_of(sim->snapshot());
  EXPECT_LT(length(now.momentum - before.momentum), 1e-4 * length(before.momentum));
  return dot(now.angular, before.angular) / dot(before.angular, before.angular);
}

TEST_P(UnifiedRigidTest, FreeFlightKeepsItsSpinForTenSeconds) {
  Scene scene = turning_plate();
  EXPECT_NEAR(spin_left(scene, options), 1, 0.001);
  scene.solver["rigid_velocity"] = std::string("positions");
  const double plain = spin_left(scene, options);
  RecordProperty("left_by_positions", std::to_string(plain));
  EXPECT_LT(plain, 0.5);
}

// Not about a principal axis: the spin changes direction in the body; momentum and energy are
// conserved.
TEST_P(UnifiedRigidTest, AsymmetricBodyTumblesWithoutLoss) {
  Scene scene = empty_space(MaterialKind::solid);
  Solid solid = block_at(scene, {0, 0, 0}, 8, 3, 2);
  solid.shape = unite(solid.shape, Shape::box({0, 0, 0}, {0.1f, 0.35f, 0.1f}));
  solid.spin = {1, 5, 3};
  scene.solids = {solid};
  const auto sim = make_simulation(scene, options);
  const Motion6 before = motion_of(sim->snapshot());
  const ParticleFrame start = sim->snapshot();
  for (const double time : {1.0, 2.0, 4.0}) {
    sim->advance_to(time);
    const Motion6 now = motion_of(sim->snapshot());
    EXPECT_LT(length(now.angular - before.angular), 0.01 * length(before.angular)) << time;
    EXPECT_NEAR(now.energy / before.energy, 1, 0.01) << time;
  }
  EXPECT_LT(deformation(start, sim->snapshot(), 0, start.size()), 1e-4);
}

// Ten stacked boxes: their relative height (1 is right) and largest speed at the end of two
// seconds.
struct Stack {
  double height = 0, speed = 0, shape = 0;
};
Stack stack_of_ten(double shock_propagation, double fps, const DeviceOptions& options) {
  Scene scene = above_floor(MaterialKind::solid, 0.5f);
  scene.solids = {block_at(scene, {-0.1f, 0, -0.1f}, 4, 4, 4)};
  scene.solids[0].copies = {1, 10, 1};
  scene.solids[0].pitch = {0, 0.2f, 0};
  scene.solver["shock_propagation"] = shock_propagation;
  const auto sim = make_simulation(scene, options);
  const ParticleFrame start = sim->snapshot();
  Stack stack;
  for (double frame = 1; frame <= 2 * fps; ++frame) {
    sim->advance_to(frame / fps);
    if (frame / fps > 1.9) stack.speed = std::max(stack.speed, fastest_of(sim->snapshot()));
  }
  const ParticleFrame frame = sim->snapshot();
  for (const Vec3& x : frame.position()) stack.height = std::max(stack.height, x.y / 1.975);
  for (std::size_t body = 0; body < 10; ++body)
    stack.shape = std::max(stack.shape, deformation(start, frame, 64 * body, 64));
  return stack;
}

TEST_P(UnifiedRigidTest, StackOfTenRestsWithinTwoSeconds) {
  const Stack with = stack_of_ten(2, 60, options), without = stack_of_ten(0, 60, options);
  const auto record = [&](const std::string& name, const Stack& stack) {
    RecordProperty(name + "_compression", std::to_string(1 - stack.height));
    RecordProperty(name + "_speed", std::to_string(stack.speed));
  };
  record("with", with);
  record("without", without);
  EXPECT_GT(with.height, 0.98);
  EXPECT_LT(with.height, 1.005);
  EXPECT_LT(with.speed, 0.05);
  EXPECT_GT(with.height, without.height);
  EXPECT_LT(with.shape, 0.01);
  EXPECT_LT(without.shape, 0.01);
}

// Frames that are not a multiple of the step end with a short step.
TEST_P(UnifiedRigidTest, StackRestsAtAnyFrameRate) {
  for (const double fps : {50.0, 100.0}) {
    const Stack stack = stack_of_ten(2, fps, options);
    RecordProperty("fps_" + std::to_string(int(fps)), std::to_string(stack.speed));
    EXPECT_GT(stack.height, 0.98) << fps;
    EXPECT_LT(stack.speed, 0.05) << fps;
  }
}

// Bodies with all kinds of rotations that fall on each other.
TEST_P(UnifiedRigidTest, BodiesInAPileAreUndeformed) {
  Scene scene = above_floor(MaterialKind::solid, 0.5f);
  scene.solids = {block_at(scene, {0, 0, 0}, 5, 3, 2)};
  scene.solids[0].shape = scene.solids[0].shape.moved({0, 0.3f, 0});
  scene.solids[0].copies = {2, 4, 2};
  scene.solids[0].pitch = {0.3f, 0.3f, 0.3f};
  scene.solids[0].random_turns = true;
  const auto sim = make_simulation(scene, options);
  const ParticleFrame start = sim->snapshot();
  for (const double time : {0.5, 1.5}) {
    sim->advance_to(time);
    const ParticleFrame frame = sim->snapshot();
    for (std::size_t body = 0; body < 16; ++body)
      EXPECT_LT(deformation(start, frame, 30 * body, 30), 0.01) << body << " at " << time;
    for (const Vec3& x : frame.position()) EXPECT_GT(x.y, 0.4 * scene.spacing);
  }
}

Scene falling_block(float stiffness) {
  Scene scene = above_floor(MaterialKind::solid, 0.5f);
  scene.solids = {block_at(scene, {0, 0.3f, 0}, 5, 5, 5)};
  Solid& block = scene.solids[0];
  block.shape = block.shape.rotated(axis_angle({1, 0.3f, 0.5f}, 0.6f), {0.1f, 0.4f, 0.1f});
  block.velocity = {0, -3, 0};
  block.stiffness = stiffness;
  return scene;
}

struct Landing {
  double most = 0, last = 0;  // deformation
};
Landing land(const Scene& scene, const DeviceOptions& options) {
  const auto sim = make_simulation(scene, options);
  const ParticleFrame start = sim->snapshot();
  Landing landing;
  for (int k = 1; k <= 40; ++k) {
    sim->advance_to(k / 60.0);
    landing.most = std::max(landing.most, deformation(start, sim->snapshot(), 0, start.size()));
  }
  sim->advance_to(2);
  EXPECT_TRUE(all_finite(sim->snapshot()));
  EXPECT_LT(fastest_of(sim->snapshot()), 0.1);
  landing.last = deformation(start, sim->snapshot(), 0, start.size());
  return landing;
}

TEST_P(UnifiedRigidTest, SoftBodiesDeformAndRecover) {
  const Landing stiff = land(falling_block(1), options), soft = land(falling_block(0.05f), options);
  RecordProperty("soft_most", std::to_string(soft.most));
  RecordProperty("soft_last", std::to_string(soft.last));
  EXPECT_LT(stiff.most, 1e-3);
  EXPECT_GT(soft.most, 0.02);
  EXPECT_LT(soft.last, 0.25 * soft.most);
}

// The dent remains, and the particles around it are spheres after that.
TEST_P(UnifiedRigidTest, YieldingBodyKeepsItsDent) {
  Scene scene = falling_block(0.5f);
  scene.solids[0].yield = static_cast<float>(0.02 * scene.spacing);
  scene.solids[0].creep = 0.5f;
  const Landing landing = land(scene, options);
  RecordProperty("dent", std::to_string(landing.last));
  EXPECT_GT(landing.last, 0.01);
  EXPECT_LT(landing.last, 0.8);
  const auto sim = make_simulation(scene, options);
  const auto spheres = [&] {
    State state;
    sim->save(state);
    const auto members = state.get<unified::RigidMember>("rigid members");
    return std::count_if(members.begin(), members.end(), [](const unified::RigidMember& m) {
      return m.depth == unified::sphere_depth;
    });
  };
  EXPECT_EQ(spheres(), 0);
  sim->advance_to(0.5);
  EXPECT_GT(spheres(), 0);
}

TEST_P(UnifiedRigidTest, BodiesOfFewParticlesFallAndRest) {
  const int sizes[][3] = {{1, 1, 1}, {2, 1, 1}, {5, 1, 1}, {1, 5, 1}, {5, 1, 5}, {1, 4, 4}};
  for (const auto& n : sizes) {
    Scene scene = above_floor(MaterialKind::solid, 0.5f);
    scene.solids = {block_at(scene, {0, 0.2f, 0}, n[0], n[1], n[2])};
    scene.solids[0].spin = {1, 2, 3};
    const auto sim = make_simulation(scene, options);
    const std::string name =
        std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]);
    ASSERT_EQ(sim->size(), std::size_t(n[0] * n[1] * n[2])) << name;
    const ParticleFrame start = sim->snapshot();
    sim->advance_to(3);
    const ParticleFrame frame = sim->snapshot();
    ASSERT_TRUE(all_finite(frame)) << name;
    EXPECT_LT(fastest_of(frame), 0.02) << name;
    EXPECT_LT(deformation(start, frame, 0, frame.size()), 1e-3) << name;
    for (const Vec3& x : frame.position()) {
      EXPECT_GT(x.y, 0.45 * scene.spacing) << name;
      EXPECT_LT(x.y, 0.65 * scene.spacing) << name << ": it does not lie flat";
    }
  }
}

TEST_P(UnifiedRigidTest, SinkMayRemoveHalfOfABody) {
  Scene scene = above_floor(MaterialKind::solid, 0.5f);
  scene.solids = {block_at(scene, {0, 0.1f, 0}, 6, 4, 4)};
  scene.sinks = {{"drain", Shape::box({0.149f, -1, -1}, {3, 3, 3})}};
  const auto sim = make_simulation(scene, options);
  ASSERT_EQ(sim->size(), 96u);
  sim->advance_to(1);
  const ParticleFrame frame = sim->snapshot();
  EXPECT_EQ(frame.size(), 48u);
  EXPECT_TRUE(all_finite(frame));
  EXPECT_LT(fastest_of(frame), 0.05);
  EXPECT_NEAR(mean_of(frame.position()).y, 0.1, 0.005);
}

Scene mixed() {
  Scene scene = above_floor(MaterialKind::solid, 0.5f);
  scene.materials.push_back(material_of(MaterialKind::granular));
  scene.materials.push_back(material_of(MaterialKind::liquid));
  scene.solids = {block_at(scene, {0, 0.1f, 0}, 4, 3, 2)};
  scene.solids[0].copies = {2, 3, 1};
  scene.solids[0].pitch = {0.25f, 0.25f, 0};
  scene.solids[0].random_turns = true;
  scene.solids[0].yield = 0.002f;
  scene.solids[0].creep = 0.3f;
  scene.fluids = {{1, Shape::box({0.5f, 0, 0}, {0.8f, 0.3f, 0.3f}), {-2, 0, 0}},
                  {2, Shape::box({-0.6f, 0, 0}, {-0.3f, 0.3f, 0.3f}), {2, 0, 0}}};
  return scene;
}

TEST_P(UnifiedRigidTest, RestoredBodiesContinueBitForBit) {
  const auto whole = make_simulation(mixed(), options);
  whole->advance_to(0.2);
  State state;
  whole->save(state);
  whole->advance_to(0.4);
  const auto resumed = make_simulation(mixed(), options);
  resumed->restore(state);
  resumed->advance_to(0.4);
  EXPECT_TRUE(same_bits(whole->snapshot(), resumed->snapshot()));
}

TEST(UnifiedRigid, SameBitsForAnyNumberOfThreads) {
  std::vector<ParticleFrame> frames;
  for (const int threads : {1, 2, 5}) {
    const auto sim = make_simulation(mixed(), {"cpu", threads, false});
    sim->advance_to(0.15);
    frames.push_back(sim->snapshot());
  }
  EXPECT_TRUE(same_bits(frames[0], frames[1]));
  EXPECT_TRUE(same_bits(frames[0], frames[2]));
}

INSTANTIATE_TEST_SUITE_P(Devices, UnifiedRigidTest, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace panta
