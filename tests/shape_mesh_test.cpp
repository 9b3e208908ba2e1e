// Meshes of composed solids: closed manifolds on the surface, with sharp edges and corners, thin
// walls without holes, and normals of one side each.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/core/error.h"
#include "panta/geometry/contour_cell.h"
#include "panta/geometry/dual_contour.h"
#include "panta/geometry/mesh_topology.h"
#include "panta/geometry/shape_mesh.h"
#include "panta/load/load.h"

namespace panta {
namespace {

constexpr double pi = std::numbers::pi;
constexpr ShapeMeshOptions closed{.crease_angle = 0};

Shape load_model(const std::string& name) {
  const std::string scene =
      R"({"method": "sph", "spacing": 0.01, "bodies": [{"shape": {"model": ")" + name + R"("}}]})";
  return parse_scene(scene, PANTA_SOURCE_DIR "/scenes/test.json").bodies.at(0).shape;
}

// The largest distance of any vertex, and of any triangle's middle, from the surface.
float farthest_from(const Shape& shape, const SurfaceMesh& mesh) {
  float farthest = 0;
  for (const Vec3& x : mesh.position)
    farthest = std::max(farthest, std::abs(distance(shape, x).value));
  for (const Triangle& t : mesh.triangles) {
    const Vec3 middle =
        (mesh.position[t[0]] + mesh.position[t[1]] + mesh.position[t[2]]) * (1.0f / 3);
    farthest = std::max(farthest, std::abs(distance(shape, middle).value));
  }
  return farthest;
}

// The number of vertices within `reach` of a point.
std::ptrdiff_t vertices_at(const SurfaceMesh& mesh, const Vec3& point, float reach) {
  return std::count_if(mesh.position.begin(), mesh.position.end(),
                       [&](const Vec3& x) { return length(x - point) < reach; });
}

TEST(ContourCell, LoopsContainEveryCrossingOnce) {
  for (unsigned inside = 0; inside < 256; ++inside)
    for (unsigned around_outside = 0; around_outside < 64; ++around_outside) {
      const ContourLoops loops = contour_loops(inside, around_outside);
      std::array<int, 12> edges_of{};
      for (int e = 0; e < 12; ++e) {
        const CubeEdge edge = cube_edge(e);
        const bool crossed = (inside >> edge.corner[0] & 1) != (inside >> edge.corner[1] & 1);
        const int loop = loops.of_edge[static_cast<std::size_t>(e)];
        EXPECT_EQ(loop >= 0, crossed);
        if (crossed) ++edges_of[static_cast<std::size_t>(loop)];
      }
      for (int loop = 0; loop < loops.count; ++loop)
        EXPECT_GE(edges_of[static_cast<std::size_t>(loop)], 3);
    }
}

TEST(DualContour, IsAManifoldForAnySigns) {
  // A field that changes its sign from point to point of the lattice, in a box.
  const Shape box = Shape::box({0, 0, 0}, {9, 9, 9});
  for (const float pitch : {1.9f, 2.7f, 3.3f}) {
    const auto noise = [&](const Vec3& x) {
      const float wave = std::sin(pitch * x.x + 2 * x.y) + std::sin(pitch * x.y - 3 * x.z) +
                         std::sin(1.7f * pitch * x.z + x.x);
      const Distance walls = distance(box, x);
      return walls.value > 0.2f * wave ? walls : Distance{0.2f * wave, {0, 1, 0}};
    };
    const DualContour contour = dual_contour(noise, {0, 0, 0}, {9, 9, 9}, 1);
    EXPECT_GT(contour.mesh.triangles.size(), 1000u);
    EXPECT_TRUE(is_closed_manifold(contour.mesh));
  }
}

TEST(ShapeMesh, BoxesAreExact) {
  const Vec3 size{1, 0.5f, 0.7f};
  const Shape straight = Shape::box({0, 0, 0}, size);
  const Quat turn = axis_angle({1, 2, 3}, 0.7f);
  for (const Shape& box : {straight, straight.rotated(turn)}) {
    const SurfaceMesh mesh = mesh_shape(box, 0.04f, closed);
    EXPECT_TRUE(is_closed_manifold(mesh));
    EXPECT_EQ(euler_characteristic(mesh), 2);
    EXPECT_NEAR(mesh_volume(mesh), 0.35, 0.35e-4);
    EXPECT_NEAR(mesh_area(mesh), 3.1, 3.1e-4);
    EXPECT_LT(farthest_from(box, mesh), 1e-5f);
  }
  const SurfaceMesh mesh = mesh_shape(straight.rotated(turn), 0.04f, closed);
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 at{corner & 1 ? size.x : 0, corner & 2 ? size.y : 0, corner & 4 ? size.z : 0};
    EXPECT_GE(vertices_at(mesh, rotation(turn) * at, 1e-4f), 1);
  }
}

TEST(ShapeMesh, NormalsOfABoxAreThoseOfItsSides) {
  const Shape box = Shape::box({0, 0, 0}, {1, 0.5f, 0.7f});
  const SurfaceMesh mesh = mesh_shape(box, 0.1f);
  ASSERT_EQ(mesh.normal.size(), mesh.position.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3 side = mesh.normal[t[0]];
    EXPECT_NEAR(std::max({std::abs(side.x), std::abs(side.y), std::abs(side.z)}), 1, 1e-5);
    for (const std::uint32_t v : t) EXPECT_NEAR(dot(mesh.normal[v], side), 1, 1e-5);
    const Vec3 across =
        cross(mesh.position[t[1]] - mesh.position[t[0]], mesh.position[t[2]] - mesh.position[t[0]]);
    EXPECT_GE(dot(across, side), 0);
  }
  EXPECT_EQ(vertices_at(mesh, {0, 0, 0}, 1e-4f), 3);  // one for each side of the corner
}

TEST(ShapeMesh, SpheresAreRound) {
  constexpr float radius = 0.5f;
  const Shape sphere = Shape::sphere({0.1f, 0.2f, 0.3f}, radius);
  const SurfaceMesh mesh = mesh_shape(sphere, 2 * radius / 30);
  EXPECT_TRUE(is_closed_manifold(mesh));  // nothing was split
  EXPECT_NEAR(mesh_volume(mesh) / (pi / 6), 1, 5e-3);
  EXPECT_NEAR(mesh_area(mesh) / pi, 1, 5e-3);
  for (std::size_t v = 0; v < mesh.position.size(); ++v) {
    const Vec3 arm = mesh.position[v] - Vec3{0.1f, 0.2f, 0.3f};
    EXPECT_NEAR(length(arm), radius, 1e-5);
    EXPECT_GT(dot(normalized(arm), mesh.normal[v]), 0.99999f);
  }
}

TEST(ShapeMesh, ASphereCutOutOfABoxHasASharpRim) {
  constexpr float radius = 0.6f, cell = 1.0f / 32;
  const Shape shape = subtract(Shape::box({0, 0, 0}, {1, 1, 1}), Shape::sphere({1, 1, 1}, radius));
  const SurfaceMesh mesh = mesh_shape(shape, cell, closed);
  EXPECT_TRUE(is_closed_manifold(mesh));
  EXPECT_NEAR(mesh_volume(mesh), 1 - pi / 6 * std::pow(radius, 3), 1e-3);
  EXPECT_LT(farthest_from(shape, mesh), 0.02f * cell);
  // Along each quarter circle of the rim there is a vertex at least every two cells.
  for (int step = 1; step < 30; ++step) {
    const float angle = static_cast<float>(pi / 2) * static_cast<float>(step) / 30;
    const Vec3 rim{1, 1 - radius * std::cos(angle), 1 - radius * std::sin(angle)};
    float nearest = 1;
    for (const Vec3& x : mesh.position)
      if (std::abs(x.x - 1) < 1e-5f && std::abs(length(x - Vec3{1, 1, 1}) - radius) < 1e-4f)
        nearest = std::min(nearest, length(x - rim));
    EXPECT_LT(nearest, cell);
  }
}

TEST(ShapeMesh, BundledModelsHaveNoHoles) {
  struct Case {
    const char* name;
    std::int64_t genus;
  };
  // The jug has a handle, and its spout is a second opening.
  for (const Case& c : {Case{"glass", 0}, {"jug", 2}, {"rabbit", 0}, {"stairs", 0}}) {
    const Shape shape = load_model(c.name);
    const ShapeBounds bounds = shape_bounds(shape);
    const auto cell = static_cast<float>((bounds.max.y - bounds.min.y) / 60);
    const SurfaceMesh mesh = mesh_shape(shape, cell, closed);
    EXPECT_TRUE(is_closed_manifold(mesh)) << c.name;
    EXPECT_EQ(mesh_components(mesh.triangles, mesh.position.size()).count, 1u) << c.name;
    EXPECT_EQ(genus(mesh), c.genus) << c.name;
    EXPECT_GT(mesh_volume(mesh), 0) << c.name;
  }
}

TEST(ShapeMesh, ThinWallsAreResolved) {
  constexpr float radius = 0.5f, wall = 0.02f;
  const Shape bubble =
      subtract(Shape::sphere({0, 0, 0}, radius), Shape::sphere({0, 0, 0}, radius - wall));
  for (const float cell : {0.03f, 0.1f}) {  // both thicker than the wall
    const SurfaceMesh mesh = mesh_shape(bubble, cell, closed);
    EXPECT_TRUE(is_closed_manifold(mesh));
    EXPECT_EQ(mesh_components(mesh.triangles, mesh.position.size()).count, 2u);
    EXPECT_EQ(genus(mesh), 0);
    const double volume = 4 * pi / 3 * (std::pow(radius, 3) - std::pow(radius - wall, 3));
    EXPECT_NEAR(mesh_volume(mesh) / volume, 1, 0.01);
  }
}

TEST(ShapeMesh, UnboundedSolidsAreCutToABox) {
  const Shape ground = Shape::plane({0, 0.25f, 0}, {0, 1, 0});
  EXPECT_THROW(mesh_shape(ground, 0.1f), Error);
  const SurfaceMesh mesh = mesh_shape(ground, {{0, 0, 0}, {1, 1, 2}}, 0.1f, closed);
  EXPECT_TRUE(is_closed_manifold(mesh));
  EXPECT_NEAR(mesh_volume(mesh), 0.5, 1e-4);
  EXPECT_NEAR(mesh_area(mesh), 2 * 2 + 0.5 * (1 + 2), 1e-3);
}

TEST(ShapeMesh, ChecksItsArguments) {
  EXPECT_TRUE(mesh_shape(Shape(), {{0, 0, 0}, {1, 1, 1}}, 0.1f).empty());
  EXPECT_THROW(mesh_shape(Shape::sphere({}, 1), 0), Error);
  EXPECT_THROW(mesh_shape(Shape::sphere({}, 1), 1e-6f), Error);
}

}  // namespace
}  // namespace panta
