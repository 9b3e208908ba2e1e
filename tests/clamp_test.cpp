// Surfaces along walls: flat where they touch, otherwise unchanged.
#include <gtest/gtest.h>

#include <cmath>

#include "panta/engine/simulation.h"
#include "panta/geometry/mesh_topology.h"
#include "panta/surface/clamp_to_solids.h"
#include "panta/surface/mesh_normals.h"
#include "panta/surface/run_surfaces.h"
#include "surface_mesh_fixture.h"

namespace panta {
namespace {

constexpr float spacing = 0.05f;

Scene box_scene() {
  Scene scene;
  scene.spacing = spacing;
  scene.has_domain = true;
  scene.domain.min = {0, 0, 0};
  scene.domain.max = {1, 1, 1};
  scene.domain.walls.fill(true);
  return scene;
}

std::vector<Vec3> normals_of(const SurfaceMesh& mesh) {
  return vertex_normals(mesh.position, mesh.triangles,
                        vertex_rings(mesh.triangles, mesh.position.size()), NormalWeights::area);
}

// Bumps like those that particles leave along a wall.
float bump(const Vec3& x) {
  const float k = 6.2832f / (3 * spacing);
  return 0.2f * spacing * std::sin(k * x.x) * std::sin(k * x.y) * std::sin(k * x.z + 1);
}

// A pool that fills the box up to y = 0.5, its sides bumpy and `gap` off the walls.
SurfaceMesh bumpy_pool(float gap) {
  const auto field = [=](const Vec3& x) {
    const Vec3 d{std::abs(x.x - 0.5f) - 0.5f, std::abs(x.y - 0.25f) - 0.25f,
                 std::abs(x.z - 0.5f) - 0.5f};
    const float sides = std::max(d.x, std::max(d.z, -x.y)) + gap + bump(x);
    return std::max(sides, x.y - 0.5f);
  };
  return marched_mesh(field, {-0.2f, -0.2f, -0.2f}, 0.5f * spacing, 56);
}

// Distance to the nearest of the floor and the four walls.
Distance nearest_side(const Vec3& x) {
  Distance nearest{x.y, {0, 1, 0}};
  for (const int axis : {0, 2})
    for (const float side : {0.0f, 1.0f}) {
      Vec3 normal;
      normal[axis] = 1 - 2 * side;
      const float distance = (x[axis] - side) * normal[axis];
      if (distance < nearest.value) nearest = {distance, normal};
    }
  return nearest;
}

TEST(ClampToSolids, PoolInABoxHasFlatSidesAndItsTopIsUntouched) {
  const SolidClamp clamp(box_scene());
  for (const float gap : {-0.3f, 0.0f, 0.4f}) {
    SurfaceMesh mesh = bumpy_pool(gap * spacing);
    const SurfaceMesh before = mesh;
    const std::vector<Vec3> normal = normals_of(mesh);
    const std::vector<float> share = clamp.move(mesh, normal, 0);
    int on_walls = 0, on_top = 0;
    for (std::size_t v = 0; v < mesh.position.size(); ++v) {
      const Vec3 &x = mesh.position[v], &was = before.position[v];
      const Distance side = nearest_side(was);
      EXPECT_GE(nearest_side(x).value, -1e-6f);
      if (dot(normal[v], side.normal) < -0.7f) {
        EXPECT_NEAR(nearest_side(x).value, 0, 1e-6f);
        EXPECT_EQ(share[v], 1);
        ++on_walls;
      }
      if (normal[v].y > 0.98f && side.value > 0) {
        EXPECT_EQ(x, was);
        EXPECT_EQ(share[v], 0);
        ++on_top;
      }
      if (was.y > 2 * spacing) {  // side walls act only sideways
        EXPECT_EQ(x.y, was.y);
      }
    }
    EXPECT_GT(on_walls, 1000);
    EXPECT_GT(on_top, 1000);
    EXPECT_TRUE(is_closed_manifold(mesh));
    EXPECT_EQ(mesh.triangles, before.triangles);
  }
}

TEST(ClampToSolids, SidesOverlapTheWallsIfRequested) {
  SurfaceMesh mesh = bumpy_pool(0);
  const SurfaceMesh before = mesh;
  const std::vector<Vec3> normal = normals_of(mesh);
  SolidClamp(box_scene()).move(mesh, normal, 0, {.overlap = 0.2f});
  for (std::size_t v = 0; v < mesh.position.size(); ++v)
    if (normal[v].y < -0.8f && before.position[v].y < 0.5f * spacing) {
      EXPECT_NEAR(mesh.position[v].y, -0.2f * spacing, 1e-6f);
    }
}

// The film's lower side is pulled to the floor, its upper side is not.
TEST(ClampToSolids, ThinFilmKeepsItsThickness) {
  SurfaceMesh film = marched_mesh(
      [](const Vec3& x) {
        return std::max({std::abs(x.x - 0.5f) - 0.3f, std::abs(x.z - 0.5f) - 0.3f,
                         std::abs(x.y - 0.6f * spacing) - 0.4f * spacing});
      },
      {0.1f, -0.1f, 0.1f}, 0.4f * spacing, 40);
  const std::vector<Vec3> normal = normals_of(film);
  const SurfaceMesh before = film;
  SolidClamp(box_scene()).move(film, normal, 0);
  for (std::size_t v = 0; v < film.position.size(); ++v) {
    if (normal[v].y > 0.9f) {
      EXPECT_EQ(film.position[v], before.position[v]);
    }
    if (normal[v].y < -0.9f) {
      EXPECT_NEAR(film.position[v].y, 0, 1e-6f);
    }
  }
}

TEST(ClampToSolids, PoolTouchesAHalfImmersedSphereAllAround) {
  const Vec3 centre{0.5f, 0.5f, 0.5f};
  const float radius = 0.2f;
  Scene scene;
  scene.spacing = spacing;
  scene.bodies = {{Shape::sphere(centre, radius)}};
  const auto field = [&](const Vec3& x) {
    const float outside_ball = radius + 0.3f * spacing + bump(x) - length(x - centre);
    return std::max({x.y - 0.5f, 0.1f - x.y, std::abs(x.x - 0.5f) - 0.45f,
                     std::abs(x.z - 0.5f) - 0.45f, outside_ball});
  };
  SurfaceMesh mesh = marched_mesh(field, {0, 0, 0}, 0.5f * spacing, 40);
  const SurfaceMesh before = mesh;
  const std::vector<Vec3> normal = normals_of(mesh);
  SolidClamp(scene).move(mesh, normal, 0);
  int touching = 0;
  for (std::size_t v = 0; v < mesh.position.size(); ++v) {
    const Vec3 &x = mesh.position[v], &was = before.position[v];
    const float distance = length(x - centre) - radius;
    EXPECT_GT(distance, -1e-5f);
    const bool far = length(was - centre) - radius > 1.3f * spacing;
    const bool facing = dot(normal[v], normalized(centre - was)) > 0.6f;
    if (far) {
      EXPECT_EQ(x, was);
    }
    if (!far && facing) {
      EXPECT_NEAR(distance, 0, 1e-5f);
      ++touching;
    }
    if (normal[v].y > 0.99f && std::abs(was.y - 0.5f) < 1e-6f) {
      EXPECT_NEAR(x.y, 0.5f, 1e-3f);
    }
  }
  EXPECT_GT(touching, 300);
  EXPECT_TRUE(is_closed_manifold(mesh));
}

// A moving cup: the liquid inside is pulled to its sides and bottom at their current positions.
TEST(ClampToSolids, HollowBodyFollowsItsMotion) {
  Scene scene;
  scene.spacing = spacing;
  Body cup{Shape::cylinder({0, 0, 0}, {0, 0.5f, 0}, 0.3f), true};
  cup.motion.keys = {{0, {0, 0, 0}, {}}, {2, {1, 0, 0}, {}}};
  scene.bodies = {cup};
  const auto field = [](const Vec3& x) {
    return std::max({std::hypot(x.x - 0.5f, x.z) - 0.29f + bump(x), x.y - 0.3f, 0.01f - x.y});
  };
  SurfaceMesh mesh = marched_mesh(field, {0.1f, -0.1f, -0.4f}, 0.5f * spacing, 34);
  const std::vector<Vec3> normal = normals_of(mesh);
  SolidClamp(scene).move(mesh, normal, 1);
  for (std::size_t v = 0; v < mesh.position.size(); ++v) {
    const Vec3& x = mesh.position[v];
    const float radial = std::hypot(x.x - 0.5f, x.z);
    EXPECT_LT(radial, 0.3f + 1e-5f);
    EXPECT_GT(x.y, -1e-6f);
    if (std::hypot(normal[v].x, normal[v].z) > 0.9f) {
      EXPECT_NEAR(radial, 0.3f, 1e-5f);
    }
    if (normal[v].y < -0.9f) {
      EXPECT_NEAR(x.y, 0, 1e-6f);
    }
  }
}

// Rows of vertices that are moved onto the line between two walls are merged.
TEST(ClampToSolids, FinishedSurfacesHaveNoTrianglesWithoutArea) {
  Scene scene = box_scene();
  scene.materials = {Material{}};
  scene.fluids = {{0, Shape::box({0, 0, 0}, {1, 0.3f, 1}), {}, 0.2f}};
  const auto simulation = make_simulation(scene, {"cpu", 1, false});
  for (const double time : {0.0, 0.1}) {
    simulation->advance_to(time);
    for (const float cell : {0.35f, 0.5f, 1.0f}) {
      RunSurfaces surfaces(scene, {.surface = {.cell = cell, .threads = 1}});
      const SurfaceMesh mesh = surfaces.make(simulation->snapshot())[0].mesh;
      EXPECT_TRUE(is_closed_manifold(mesh));
      const float small = 1e-6f * cell * spacing * cell * spacing;
      std::size_t without_area = 0;
      for (const Triangle& t : mesh.triangles) {
        const Vec3 &a = mesh.position[t[0]], &b = mesh.position[t[1]], &c = mesh.position[t[2]];
        without_area += !(0.5f * length(cross(b - a, c - a)) > small);
      }
      EXPECT_EQ(without_area, 0u) << time << " " << cell;
    }
  }
}

TEST(ClampToSolids, SameBitsForAnyNumberOfThreads) {
  const SolidClamp clamp(box_scene());
  SurfaceMesh one = bumpy_pool(0), three = one;
  const std::vector<Vec3> normal = normals_of(one);
  const std::vector<float> a = clamp.move(one, normal, 0, {.threads = 1});
  const std::vector<float> b = clamp.move(three, normal, 0, {.threads = 3});
  EXPECT_EQ(one.position, three.position);
  EXPECT_EQ(a, b);
}

TEST(ClampToSolids, WithoutSolidsNothingMoves) {
  SurfaceMesh mesh = bumpy_pool(0);
  const SurfaceMesh before = mesh;
  Scene scene;
  const SolidClamp clamp(scene);
  EXPECT_TRUE(clamp.empty());
  for (const float share : clamp.move(mesh, normals_of(mesh), 0)) EXPECT_EQ(share, 0);
  EXPECT_EQ(mesh.position, before.position);
}

}  // namespace
}  // namespace panta
