// Frames of result folders without objects: reconstruction of the particles' objects and of the
// poses of solids.
#include "panta/io/old_frames.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "panta/render/render_scene.h"
#include "panta/scene/sample_solids.h"
#include "solid_scene_fixture.h"

namespace panta {
namespace {

// The poses of solids in a frame of an old result folder, which has no objects.
std::vector<std::optional<RigidMotion>> old_poses(const Scene& scene, ParticleFrame frame) {
  frame.objects.clear();
  OldFrames(scene).complete(frame);
  std::vector<std::optional<RigidMotion>> poses;
  for (const Object& object : frame.objects)
    if (object.kind == ObjectKind::solid)
      poses.push_back(object.pose ? std::optional(motion_of(*object.pose)) : std::nullopt);
  return poses;
}

void expect_same(const RigidMotion& a, const RigidMotion& b) {
  for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
    EXPECT_LT(length(a(p) - b(p)), 1e-5);
}

TEST(OldFrames, FitThePoseOfEachBody) {
  Scene scene = scene_of_materials();
  scene.fluids = {block_of(water, {0, 0, 0})};
  scene.solids = {block({1, 0, 0}), block({3, 0, 0})};
  ParticleFrame frame = initial_frame(scene);
  ASSERT_EQ(old_poses(scene, frame).size(), 2u);
  for (const auto& pose : old_poses(scene, frame)) expect_same(pose.value(), {});
  const RigidMotion motion = quarter_turn_and_move({5, 6, 7});
  move_solids(frame, motion);
  for (const auto& pose : old_poses(scene, frame)) expect_same(pose.value(), motion);
}

TEST(OldFrames, HandleRotatedCopies) {
  Scene scene = scene_of_materials();
  scene.solids = {block({0, 0, 0})};
  scene.solids[0].copies = {3, 2, 1};
  scene.solids[0].pitch = {2, 2, 2};
  scene.solids[0].random_turns = true;
  const auto found = old_poses(scene, initial_frame(scene));
  const SolidParticles solids = sample_solids(scene);
  ASSERT_EQ(found.size(), 6u);
  for (std::size_t body = 0; body < found.size(); ++body) {
    const Pose& start = solids.bodies[body].pose;
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}})
      EXPECT_LT(length(to_float(found[body].value()(to_double(p))) - start.to_world(p)), 1e-5f);
  }
}

TEST(OldFrames, UseTheRemainingParticlesOfABody) {
  Scene scene = scene_of_materials();
  scene.solids = {block({0, 0, 0}), block({2, 0, 0})};
  const ParticleFrame whole = initial_frame(scene);
  ParticleFrame left;
  for (const std::size_t k : {0, 5, 11, 40}) {
    left.resize(left.size() + 1);
    left.id().back() = whole.id()[k];
    left.phase().back() = wood;
    left.position().back() = whole.position()[k];
  }
  left.position()[3].x = std::numeric_limits<float>::quiet_NaN();
  const RigidMotion motion = quarter_turn_and_move({1, 0, 0});
  move_solids(left, motion);
  const auto found = old_poses(scene, left);
  EXPECT_LT(length(found[0].value()(to_double(whole.position()[5])) -
                   motion(to_double(whole.position()[5]))),
            1e-5);
  EXPECT_FALSE(found[1].has_value());

  // Two on a line, one, and none.
  for (const std::size_t count : {2, 1, 0}) {
    left.resize(count);
    const auto few = old_poses(scene, left);
    ASSERT_EQ(few[0].has_value(), count > 0);
    if (!few[0]) continue;
    EXPECT_LT(length((*few[0])(to_double(whole.position()[0])) - to_double(left.position()[0])),
              1e-5);
  }
}

TEST(OldFrames, HandleBodiesAcrossAPeriodicBorder) {
  Scene scene = scene_of_materials();
  scene.has_domain = true;
  scene.domain.min = {0, -5, -5};
  scene.domain.max = {4, 5, 5};
  scene.domain.periodic[0] = true;
  scene.solids = {block({1, 0, 0})};
  ParticleFrame frame = initial_frame(scene);
  const RigidMotion motion{{1, 0, 0, 0}, {2.7, 0, 0}};
  move_solids(frame, motion);
  for (Vec3& p : frame.position())
    if (p.x >= 4) p.x -= 4;
  const RigidMotion found = old_poses(scene, frame)[0].value();
  const double shift = found.shift.x;
  EXPECT_NEAR(shift - 4 * std::round((shift - 2.7) / 4), 2.7, 1e-5);
  EXPECT_NEAR(found.turn[0], 1, 1e-6);
}

TEST(OldFrames, ParticlesOfLaterEmissionsBelongToTheirMaterial) {
  Scene scene = scene_of_materials();
  scene.fluids = {block_of(sand, {0, 0, 0})};
  scene.solids = {block({2, 0, 0})};
  ParticleFrame frame = initial_frame(scene);
  const std::size_t before = frame.size();
  frame.resize(before + 2);
  frame.id()[before] = 5000;
  frame.phase()[before] = sand;
  frame.id()[before + 1] = 5001;
  frame.phase()[before + 1] = water;
  frame.objects.clear();
  OldFrames(scene).complete(frame);
  const std::vector<std::uint32_t>& object = frame.words("object");
  EXPECT_EQ(object[0], 0u);
  EXPECT_EQ(object[before - 1], 1u);
  EXPECT_EQ(object[before], 0u);
  ASSERT_EQ(object[before + 1], 2u);
  EXPECT_EQ(frame.objects[2].material, static_cast<int>(water));
}

}  // namespace
}  // namespace panta
