// Changes of a scene reuse unchanged geometry: distance grids and surface points of bodies take
// long to compute.
#include <gtest/gtest.h>

#include "panta/bodies/free_body_list.h"
#include "panta/core/kept.h"
#include "panta/walls/wall.h"

namespace panta {
namespace {

constexpr float reach = 0.05f;

// A body of blended parts uses a distance grid.
Shape blended(float radius) {
  Shape shape = Shape::sphere({}, radius);
  for (int k = 1; k < 4; ++k)
    shape = unite(shape, Shape::sphere({0.1f * static_cast<float>(k), 0, 0}, radius), 0.02f);
  return shape;
}

Scene scene_with_bodies() {
  Scene scene;
  scene.spacing = 0.02;
  scene.materials.resize(1);
  Body fixed, moving;
  fixed.shape = blended(0.08f);
  moving.shape = blended(0.06f).moved({0, 1, 0});
  moving.free.emplace();
  scene.bodies = {fixed, moving};
  return scene;
}

TEST(Kept, ComputesAValueOnceAndReusesIt) {
  int made = 0;
  const auto make = [&] { return ++made; };
  Kept<int, int> first, second;
  EXPECT_EQ(first.get(7, nullptr, make), 1);
  EXPECT_EQ(first.get(7, nullptr, make), 1);
  EXPECT_EQ(second.get(7, &first, make), 1);
  EXPECT_EQ(second.get(8, &first, make), 2);
}

TEST(KeptGeometry, ChangedSurfacesAndMotionsKeepTheGrids) {
  Scene scene = scene_with_bodies();
  const WallList before = make_walls(scene, reach);
  ASSERT_EQ(before.solids.grids.size(), 2u);
  scene.bodies[0].surface.friction = 0.7f;
  scene.bodies[1].free->density = 300;
  scene.gravity = {0, -1, 0};
  const WallList after = make_walls(scene, reach, &before);
  EXPECT_EQ(after.solids.grids, before.solids.grids);
  EXPECT_EQ(after.near_cells, before.near_cells);
  EXPECT_FLOAT_EQ(after.bodies[0].surface.friction, 0.7f);
}

TEST(KeptGeometry, ChangedShapeIsRebuilt) {
  Scene scene = scene_with_bodies();
  const WallList before = make_walls(scene, reach);
  scene.bodies[0].shape = blended(0.07f);
  const WallList after = make_walls(scene, reach, &before);
  EXPECT_NE(after.solids.grids[0], before.solids.grids[0]);
  EXPECT_EQ(after.solids.grids[1], before.solids.grids[1]);
}

TEST(KeptGeometry, ReusedPartsGiveTheSameBodies) {
  Scene scene = scene_with_bodies();
  const WallList walls = make_walls(scene, reach);
  const FreeBodyList before = make_free_bodies(scene, walls, 0.01);
  scene.bodies[1].free->density = 300;
  const FreeBodyList kept = make_free_bodies(scene, walls, 0.01, &before);
  const FreeBodyList fresh = make_free_bodies(scene, walls, 0.01);
  ASSERT_EQ(kept.points.size(), fresh.points.size());
  for (std::size_t k = 0; k < fresh.points.size(); ++k)
    EXPECT_EQ(kept.points[k].place, fresh.points[k].place) << k;
  EXPECT_EQ(kept.specs[0].mass, fresh.specs[0].mass);
}

}  // namespace
}  // namespace panta
