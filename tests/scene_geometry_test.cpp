// Content of pictures besides particles: meshes of bodies at their poses, appearance, cameras.
#include "panta/render/scene_geometry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace panta {
namespace {

constexpr Bounds unit_extent{{-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f}};

Scene scene_with(const Body& body) {
  Scene scene;
  scene.spacing = 0.1;
  scene.bodies = {body};
  return scene;
}

Body ball(Look look, std::optional<Vec3> color = {}) {
  Body body{Shape::sphere({0, 0.5f, 0}, 0.4f)};
  body.look = look;
  body.color = color;
  return body;
}

Bounds bounds_of(const PictureMesh& solid) {
  Bounds bounds;
  for (const Vec3& p : solid.mesh->position) bounds.include(solid.rotation * p + solid.position);
  return bounds;
}

void expect_near(const Vec3& a, const Vec3& b, float tolerance) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "axis " << k;
}

TEST(SceneGeometry, BodiesBecomeMeshesByTheirLook) {
  Scene scene = scene_with(ball(Look::solid, Vec3{1, 0, 0}));
  scene.bodies.push_back(ball(Look::glass));
  scene.bodies.push_back(ball(Look::outline));
  scene.bodies.push_back(ball(Look::hidden));
  const SceneGeometry geometry = SceneGeometryMaker(scene, unit_extent, 1).at(0);
  ASSERT_EQ(geometry.solids.size(), 2u);
  EXPECT_EQ(geometry.solids[0].appearance.finish, Finish::matte);
  expect_near(geometry.solids[0].appearance.color, {1, 0, 0}, 1e-6f);
  EXPECT_EQ(geometry.solids[1].appearance.finish, Finish::clear);
  EXPECT_FALSE(geometry.lines.empty());
  const Bounds seen = bounds_of(geometry.solids[0]);
  expect_near(seen.min, {-0.4f, 0.1f, -0.4f}, 2e-3f);
  expect_near(seen.max, {0.4f, 0.9f, 0.4f}, 2e-3f);
  for (const Segment& line : geometry.lines)
    EXPECT_NEAR(length(line.from - Vec3{0, 0.5f, 0}), 0.4f, 1e-3f);
}

TEST(SceneGeometry, MovingBodiesAreAtTheirPoses) {
  Body body{Shape::box({-0.1f, 0, -0.1f}, {0.1f, 0.2f, 0.1f})};
  body.motion.keys = {{0, {}, {}},
                      {1, {1, 0, 0}, axis_angle({0, 0, 1}, std::numbers::pi_v<float> / 2)}};
  const SceneGeometryMaker maker(scene_with(body), unit_extent, 1);
  expect_near(bounds_of(maker.at(0).solids.at(0)).max, {0.1f, 0.2f, 0.1f}, 1e-4f);
  const Bounds last = bounds_of(maker.at(2).solids.at(0));
  expect_near(last.min, {0.8f, -0.1f, -0.1f}, 1e-4f);
  expect_near(last.max, {1, 0.1f, 0.1f}, 1e-4f);
}

TEST(SceneGeometry, EventsChangeOnlyTheirBodies) {
  Scene scene = scene_with(ball(Look::solid));
  Scene later = scene;
  later.bodies.push_back(ball(Look::glass));
  scene.events.push_back({0.5, std::make_shared<const Scene>(later)});
  const SceneGeometryMaker maker(scene, unit_extent, 1);
  EXPECT_EQ(maker.at(0.4).solids.size(), 1u);
  EXPECT_EQ(maker.at(0.5).solids.size(), 2u);
  EXPECT_EQ(maker.at(0.4).solids[0].mesh, maker.at(0.5).solids[0].mesh);
}

TEST(SceneGeometry, HollowGlassBodyIsAWallAroundItsInside) {
  Body body = ball(Look::glass);
  body.hollow = true;
  const SceneGeometryMaker maker(scene_with(body), unit_extent, 1);
  float nearest = 1, farthest = 0;
  for (const Vec3& p : maker.at(0).solids.at(0).mesh->position) {
    const float r = length(p - Vec3{0, 0.5f, 0});
    nearest = std::min(nearest, r);
    farthest = std::max(farthest, r);
  }
  EXPECT_NEAR(nearest, 0.4f, 2e-3f);
  EXPECT_GT(farthest, 0.41f);
}

TEST(LiquidAppearance, LightHasTheColourAfterItsDepth) {
  Material material;
  material.color = Vec3{0.2f, 0.5f, 0.9f};
  material.color_depth = 0.3;
  const Appearance look = liquid_appearance(material, 0, unit_extent);
  EXPECT_EQ(look.finish, Finish::clear);
  EXPECT_FLOAT_EQ(look.refraction, 1.333f);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(std::exp(-look.absorption[k] * 0.3f), look.color[k], 1e-4f);

  material.color_depth = 0;  // chosen: larger scenes are not darker
  Bounds twice = unit_extent;
  twice.max = twice.min + (unit_extent.max - unit_extent.min) * 2.0f;
  const Appearance chosen = liquid_appearance(material, 0, unit_extent);
  expect_near(liquid_appearance(material, 0, twice).absorption * 2.0f, chosen.absorption, 1e-4f);

  material.clarity = Clarity::opaque;
  EXPECT_EQ(liquid_appearance(material, 0, unit_extent).finish, Finish::glossy);
  EXPECT_FALSE(liquid_appearance({}, 0, unit_extent).color ==
               liquid_appearance({}, 1, unit_extent).color);
}

TEST(CameraAt, ShowsEverythingUnlessZoomed) {
  CameraSetup setup;
  setup.fov = 50;
  const Camera camera = camera_at(setup, unit_extent, 3, 320, 240, 0);
  EXPECT_EQ(camera.fov, 50);
  const View view(camera);
  for (int k = 0; k < 8; ++k) {
    const Vec3 pixel = view.project(view.to_view(unit_extent.corner(k)));
    EXPECT_TRUE(pixel.x > 0 && pixel.x < 320 && pixel.y > 0 && pixel.y < 240) << k;
  }
  setup.zoom = 2;
  const Camera nearer = camera_at(setup, unit_extent, 3, 320, 240, 0);
  EXPECT_NEAR(length(nearer.eye - nearer.target), 0.5f * length(camera.eye - camera.target), 1e-4f);
}

TEST(CameraAt, RotatesAroundItsTargetAtAFixedDistance) {
  CameraSetup setup;
  setup.turn = 90;
  setup.azimuth = 0;
  setup.elevation = 0;
  const Camera first = camera_at(setup, unit_extent, 3, 320, 240, 0);
  const Camera second = camera_at(setup, unit_extent, 3, 320, 240, 1);
  const float distance = length(first.eye - first.target);
  expect_near(first.eye - first.target, {0, 0, distance}, 1e-4f);
  expect_near(second.eye - second.target, {distance, 0, 0}, 1e-4f);

  setup.eye = Vec3{0, 1, 2};
  setup.target = Vec3{0, 1, 0};
  expect_near(camera_at(setup, unit_extent, 3, 320, 240, 0).eye, {0, 1, 2}, 1e-5f);
  expect_near(camera_at(setup, unit_extent, 3, 320, 240, 1).eye, {2, 1, 0}, 1e-5f);
}

TEST(CameraAt, InTwoDimensionsItLooksAtThePlane) {
  CameraSetup setup;
  setup.turn = 90;
  setup.zoom = 2;
  const Camera camera = camera_at(setup, unit_extent, 2, 320, 240, 1);
  setup.zoom = 1;
  EXPECT_NEAR(2 * camera.orthographic_height,
              camera_at(setup, unit_extent, 2, 320, 240, 1).orthographic_height, 1e-4f);
  expect_near(normalized(camera.target - camera.eye), {0, 0, -1}, 1e-5f);
}

}  // namespace
}  // namespace panta
