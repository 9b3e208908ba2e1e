// Free bodies in pictures and surfaces are at the pose of the frame.
#include <gtest/gtest.h>

#include "free_body_scene.h"
#include "panta/geometry/mesh_topology.h"
#include "panta/load/load.h"
#include "panta/render/preview.h"
#include "panta/render/scene_geometry.h"
#include "panta/surface/clamp_to_solids.h"
#include "panta/surface/export_scene.h"
#include "panta/surface/mesh_normals.h"
#include "particle_frame_fixture.h"
#include "surface_mesh_fixture.h"

namespace panta {
namespace {

Vec3 center_of(const PictureMesh& solid) {
  Bounds bounds;
  for (const Vec3& p : solid.mesh->position) bounds.include(solid.rotation * p + solid.position);
  return bounds.center();
}
void expect_near(const Vec3& a, const Vec3& b) { EXPECT_LT(length(a - b), 1e-3f); }

TEST(FreeBodiesInPictures, AreMeshesAtTheirPoses) {
  const Scene scene = scene_of_bodies();
  const SceneGeometryMaker maker(scene, {{-1, -1, -1}, {1, 1, 1}}, 1);
  ParticleFrame frame;
  frame.time = 0.5;
  const SceneGeometry before = maker.at(frame);  // as a scene that has not run
  for (const std::size_t k : {1u, 3u}) expect_near(center_of(before.solids.at(k)), {0, 0, 0});
  frame.bodies = {quarter_turn, {{0, 5, 0}, {}, {}, {}}};
  const SceneGeometry geometry = maker.at(frame);
  ASSERT_EQ(geometry.solids.size(), 4u);
  expect_near(center_of(geometry.solids[0]), {3, 0, 0});
  expect_near(center_of(geometry.solids[1]), {1, 2, 3});
  expect_near(center_of(geometry.solids[2]), {0.5f, 0, 0});
  expect_near(center_of(geometry.solids[3]), {0, 5, 0});
  // The turn takes x to y: the side of half 0.2 now lies along x.
  float widest = 0;
  for (const Vec3& p : geometry.solids[1].mesh->position)
    widest = std::max(widest, std::abs((geometry.solids[1].rotation * p).x));
  EXPECT_NEAR(widest, 0.2f, 1e-3f);
}

TEST(FreeBodiesInPictures, HiddenOnesKeepTheirNumber) {
  Scene scene = scene_of_bodies();
  scene.bodies[1].look = Look::hidden;
  const Stage stage = make_stage(scene, {});
  const std::vector<BodyPose> poses = {quarter_turn, {{0, 5, 0}, {}, {}, {}}};
  const DrawnBodies drawn_bodies = drawn_bodies_at(stage, 0, poses);
  ASSERT_EQ(drawn_bodies.solid.size(), 3u);
  expect_near(drawn_bodies.solid[2].center, {0, 5, 0});
  EXPECT_NEAR(distance(drawn_bodies.solid[2].shape, {0, 5, 0}).value, -0.1f, 1e-5f);
}

TEST(FreeBodiesInPictures, StayInThePicture) {
  const Scene scene = scene_of_bodies();
  const Bounds particles{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_NEAR(make_stage(scene, particles).extent.max.y, 1, 0.1f);
  RunExtent run("speed");
  ParticleFrame frame;
  for (const double height : {0.0, 3.0, 1.0}) {
    frame.bodies = {{{0, height, 0}, quarter_turn.rotation, {}, {}}, BodyPose{}};
    run.include(frame);
  }
  EXPECT_NEAR(make_stage(scene, particles, run.bodies()).extent.max.y, 3.1f, 1e-4f);
}

// Liquid in a cup that was moved and laid on its side is pulled to the cup's current pose.
TEST(FreeBodiesAndSurfaces, LiquidTouchesThemAtTheirPose) {
  Scene scene = scene_of_bodies();
  scene.spacing = 0.05;
  Body cup{subtract(Shape::cylinder({0, -0.1f, 0}, {0, 0.5f, 0}, 0.4f),
                    Shape::cylinder({0, 0, 0}, {0, 0.6f, 0}, 0.3f))};
  cup.free = FreeBody{};
  scene.bodies[3] = cup;
  const Vec3 there{2, 0, 1};  // and its axis now along -x
  const std::vector<BodyPose> poses = {{{-9, 0, 0}, {}, {}, {}},
                                       {to_double(there), quarter_turn.rotation, {}, {}}};
  const auto field = [&](const Vec3& x) {
    const Vec3 from = x - there;
    return std::max({std::hypot(from.y, from.z) - 0.28f, from.x + 0.02f, -0.3f - from.x});
  };
  SurfaceMesh mesh = marched_mesh(field, there - Vec3{0.5f, 0.4f, 0.4f}, 0.025f, 34);
  const std::vector<Vec3> normal =
      vertex_normals(mesh.position, mesh.triangles,
                     vertex_rings(mesh.triangles, mesh.position.size()), NormalWeights::area);
  SolidClamp(scene).move(mesh, normal, 0, {}, poses);
  int sides = 0, bottom = 0;
  for (std::size_t v = 0; v < mesh.position.size(); ++v) {
    const Vec3 from = mesh.position[v] - there;
    if (from.x < -0.29f) continue;  // the rim, where slivers have normals that mean nothing
    if (std::hypot(normal[v].y, normal[v].z) > 0.95f) {
      EXPECT_NEAR(std::hypot(from.y, from.z), 0.3f, 1e-4f);
      ++sides;
    } else if (normal[v].x > 0.95f) {
      EXPECT_NEAR(from.x, 0, 1e-4f);
      ++bottom;
    }
  }
  EXPECT_GT(sides, 100);
  EXPECT_GT(bottom, 100);
}

}  // namespace
}  // namespace panta
