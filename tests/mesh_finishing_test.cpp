// Finishing of surface meshes: closed manifolds remain closed manifolds, slivers and noise are
// removed, volume and creases are kept, decimation keeps the shape, and results do not depend on
// the number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "panta/core/error.h"
#include "panta/geometry/mesh_topology.h"
#include "panta/surface/clean_mesh.h"
#include "panta/surface/decimate_mesh.h"
#include "panta/surface/finish_mesh.h"
#include "panta/surface/mesh_attributes.h"
#include "panta/surface/mesh_normals.h"
#include "panta/surface/smooth_mesh.h"
#include "surface_mesh_fixture.h"

namespace panta {
namespace {

constexpr double pi = std::numbers::pi;

double sphere_volume(double radius) { return 4 * pi / 3 * std::pow(radius, 3); }

double smallest_angle(const SurfaceMesh& mesh, const Triangle& t) {
  double smallest = pi;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3d a = to_double(mesh.position[t[k]]);
    const Vec3d b = to_double(mesh.position[t[(k + 1) % 3]]) - a;
    const Vec3d c = to_double(mesh.position[t[(k + 2) % 3]]) - a;
    smallest = std::min(smallest, std::atan2(length(cross(b, c)), dot(b, c)));
  }
  return smallest * 180 / pi;
}

double share_of_slivers(const SurfaceMesh& mesh) {
  const auto slivers =
      std::count_if(mesh.triangles.begin(), mesh.triangles.end(),
                    [&](const Triangle& t) { return smallest_angle(mesh, t) < 10; });
  return static_cast<double>(slivers) / static_cast<double>(mesh.triangles.size());
}

bool same_bits(const SurfaceMesh& a, const SurfaceMesh& b) {
  return a.position == b.position && a.triangles == b.triangles && a.normal == b.normal &&
         a.velocity == b.velocity && a.value == b.value;
}

TEST(MeshTopology, ClassifiesSpheresToriAndComponents) {
  const SurfaceMesh ball = sphere(6), ring = torus(8, 3);
  EXPECT_TRUE(is_closed_manifold(ball));
  EXPECT_EQ(euler_characteristic(ball), 2);
  EXPECT_EQ(genus(ball), 0);
  EXPECT_TRUE(is_closed_manifold(ring));
  EXPECT_EQ(euler_characteristic(ring), 0);
  EXPECT_EQ(genus(ring), 1);
  const SurfaceMesh both = joined(ball, ring, {40, 0, 0});
  EXPECT_TRUE(is_closed_manifold(both));
  EXPECT_EQ(mesh_components(both.triangles, both.position.size()).count, 2u);
  EXPECT_EQ(genus(both), 1);
}

TEST(MeshTopology, DetectsHolesFoldsAndPinches) {
  SurfaceMesh open = sphere(3);
  open.triangles.pop_back();
  EXPECT_FALSE(is_closed_manifold(open));
  SurfaceMesh turned = sphere(3);
  std::swap(turned.triangles[5][0], turned.triangles[5][1]);
  EXPECT_FALSE(is_closed_manifold(turned));
  SurfaceMesh doubled = sphere(3);
  doubled.triangles.push_back(doubled.triangles[0]);
  EXPECT_FALSE(is_closed_manifold(doubled));
  SurfaceMesh pinched = joined(sphere(3), sphere(3), {10, 0, 0});
  const auto half = static_cast<std::uint32_t>(pinched.position.size() / 2);
  for (Triangle& t : pinched.triangles)
    for (std::uint32_t& v : t)
      if (v == half) v = 0;
  EXPECT_FALSE(is_closed_manifold(pinched));
  EXPECT_EQ(vertex_rings(pinched.triangles, pinched.position.size()).irregular,
            std::vector<std::uint32_t>{0});
}

TEST(MeshTopology, RingsMatchTheTriangles) {
  const SurfaceMesh mesh = torus(6, 2.5f);
  const VertexRings rings = vertex_rings(mesh.triangles, mesh.position.size(), 3);
  std::vector<Triangle> from_rings, from_mesh;
  for (std::uint32_t v = 0; v < mesh.position.size(); ++v) {
    const std::span<const std::uint32_t> ring = rings.of(v);
    for (std::size_t k = 0; k < ring.size(); ++k)
      from_rings.push_back({v, ring[k], ring[(k + 1) % ring.size()]});
  }
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) from_mesh.push_back({t[k], t[(k + 1) % 3], t[(k + 2) % 3]});
  std::sort(from_rings.begin(), from_rings.end());
  std::sort(from_mesh.begin(), from_mesh.end());
  EXPECT_EQ(from_rings, from_mesh);
}

TEST(MeshTopology, MeasuresVolumeAndArea) {
  SurfaceMesh mesh = sphere(12);
  EXPECT_NEAR(mesh_volume(mesh) / sphere_volume(12), 1, 5e-3);
  EXPECT_NEAR(mesh_area(mesh) / (4 * pi * 144), 1, 5e-3);
  EXPECT_EQ(mesh_volume(mesh, 1), mesh_volume(mesh, 3));
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  EXPECT_NEAR(mesh_volume(mesh) / sphere_volume(12), -1, 5e-3);
}

TEST(CleanMesh, MergesSliversAndKeepsTheManifold) {
  for (SurfaceMesh mesh : {sphere(10), torus(12, 4)}) {
    const double volume = mesh_volume(mesh), slivers = share_of_slivers(mesh);
    const std::int64_t characteristic = euler_characteristic(mesh);
    const std::size_t triangles = mesh.triangles.size();
    merge_short_edges(mesh, 0.3f);
    EXPECT_TRUE(is_closed_manifold(mesh));
    EXPECT_EQ(euler_characteristic(mesh), characteristic);
    EXPECT_NEAR(mesh_volume(mesh) / volume, 1, 1e-3);
    EXPECT_LT(mesh.triangles.size(), 0.8 * static_cast<double>(triangles));
    EXPECT_LT(share_of_slivers(mesh), 0.5 * slivers);
    smooth_mesh(mesh, {.passes = 3});
    EXPECT_LT(share_of_slivers(mesh), 0.15 * slivers);
  }
}

TEST(CleanMesh, DropsSmallPieces) {
  SurfaceMesh mesh = joined(sphere(1.5f), sphere(6), {30, 0, 0});
  const SurfaceMesh large = sphere(6);
  const std::vector<std::uint32_t> kept = remove_small_pieces(mesh, 500);
  EXPECT_EQ(mesh.triangles, large.triangles);
  ASSERT_EQ(kept.size(), large.position.size());
  EXPECT_EQ(kept[0], sphere(1.5f).position.size());
}

TEST(SmoothMesh, KeepsTheVolumeOfDropsAndSheets) {
  struct Case {
    SurfaceMesh mesh;
    double tolerance;
  };
  const auto sheet = [](const Vec3& x) {
    return std::max({std::abs(x.x) - 12, std::abs(x.y) - 1, std::abs(x.z) - 12});
  };
  const Case cases[] = {
      {sphere(10), 0.002},
      {sphere(3), 0.01},
      {sphere(1.5f), 0.03},
      {torus(10, 2), 0.005},
      {marched_mesh(sheet, Vec3{1, 1, 1} * -14.3f, 1, 29), 0.01},
  };
  for (auto [mesh, tolerance] : cases) {
    merge_short_edges(mesh, 0.3f);
    const double volume = mesh_volume(mesh);
    smooth_mesh(mesh, {.passes = 10});
    EXPECT_NEAR(mesh_volume(mesh) / volume, 1, tolerance);
  }
}

TEST(SmoothMesh, RemovesNoiseFromAPlane) {
  constexpr int n = 80, border = 12;
  for (const float feature_angle : {0.0f, 60.0f}) {
    SurfaceMesh mesh = plane(n);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> noise(-0.2f, 0.2f);
    for (Vec3& x : mesh.position) x.z = noise(random);
    const auto roughness = [&] {
      double sum = 0;
      int count = 0;
      for (const Vec3& x : mesh.position)
        if (x.x > border && x.x < n - border && x.y > border && x.y < n - border)
          sum += double{x.z} * double{x.z}, ++count;
      return std::sqrt(sum / count);
    };
    const double before = roughness();
    smooth_mesh(mesh, {.passes = 10, .feature_angle = feature_angle});
    EXPECT_LT(roughness(), before / 5);
  }
}

TEST(SmoothMesh, KeepsCreasesOfACube) {
  constexpr int n = 16;
  SurfaceMesh sharp = cube(n);
  const auto farthest = [](const SurfaceMesh& mesh) {
    double farthest = 0;  // of any vertex from the cube's surface
    for (const Vec3& x : mesh.position) {
      double depth = 1e9;
      for (int axis = 0; axis < 3; ++axis)
        depth = std::min({depth, double{x[axis]}, double{n - x[axis]}});
      farthest = std::max(farthest, std::abs(depth));
    }
    return farthest;
  };
  const double before = farthest(sharp);
  SurfaceMesh round = sharp;
  smooth_mesh(sharp, {.passes = 10});
  smooth_mesh(round, {.passes = 10, .feature_angle = 0});
  EXPECT_LT(farthest(sharp), before + 0.25);
  EXPECT_GT(farthest(round), before + 0.5);
  EXPECT_NEAR(mesh_volume(sharp), n * n * n, 0.01 * n * n * n);
}

TEST(SmoothMesh, UsesWeightsAndKeepsBorders) {
  SurfaceMesh mesh = sphere(4);
  const std::vector<Vec3> before = mesh.position;
  std::vector<float> weight(before.size());
  for (std::size_t v = 0; v < weight.size(); ++v) weight[v] = before[v].x < 0 ? 0.0f : 1.0f;
  smooth_mesh(mesh, {}, weight);
  for (std::size_t v = 0; v < weight.size(); ++v)
    if (weight[v] == 0) {
      EXPECT_EQ(mesh.position[v], before[v]);
    }
  EXPECT_NE(mesh.position, before);
  EXPECT_THROW(smooth_mesh(mesh, {}, std::vector<float>(3, 1.0f)), Error);

  SurfaceMesh sheet = plane(4);
  sheet.position[12].z = 1;
  smooth_mesh(sheet, {});
  EXPECT_EQ(sheet.position[0], (Vec3{0, 0, 0}));
  EXPECT_EQ(sheet.position[2], (Vec3{2, 0, 0}));
}

TEST(MeshNormals, PointOutOfASphere) {
  const Vec3 centre{0.17f, 0.29f, 0.41f};
  SurfaceMesh mesh = sphere(10, centre);
  finish_mesh(mesh, {.cell = 1});
  ASSERT_EQ(mesh.normal.size(), mesh.position.size());
  for (std::size_t v = 0; v < mesh.position.size(); ++v) {
    EXPECT_NEAR(length(mesh.normal[v]), 1, 1e-5);
    EXPECT_GT(dot(mesh.normal[v], normalized(mesh.position[v] - centre)), 0.99f);
  }
}

TEST(MeshNormals, OfSpheresAreExactWithMaxWeights) {
  // Vertices exactly on a sphere, in triangles of very different sizes.
  SurfaceMesh mesh = sphere(5);
  for (Vec3& x : mesh.position) x = normalized(x);
  const VertexRings rings = vertex_rings(mesh.triangles, mesh.position.size());
  const std::vector<Vec3> normal =
      vertex_normals(mesh.position, mesh.triangles, rings, NormalWeights::sphere);
  double error = 0;
  for (std::size_t v = 0; v < normal.size(); ++v)
    error += length(normal[v] - mesh.position[v]) / static_cast<double>(normal.size());
  EXPECT_LT(error, 2e-3);
}

TEST(DecimateMesh, KeepsASphereWithAQuarterOfTheTriangles) {
  SurfaceMesh mesh = sphere(16);
  finish_mesh(mesh, {.cell = 1, .smoothing_passes = 2});
  const std::size_t triangles = mesh.triangles.size();
  const double volume = mesh_volume(mesh);
  mesh.value.assign(mesh.position.size(), 2.5f);
  decimate_mesh(mesh, {.target_triangles = triangles / 4});
  EXPECT_LE(mesh.triangles.size(), triangles / 4);
  EXPECT_GE(mesh.triangles.size(), triangles / 4 - 2);
  EXPECT_TRUE(is_closed_manifold(mesh));
  EXPECT_EQ(euler_characteristic(mesh), 2);
  EXPECT_NEAR(mesh_volume(mesh) / volume, 1, 0.01);
  ASSERT_EQ(mesh.value.size(), mesh.position.size());
  for (const float value : mesh.value) EXPECT_FLOAT_EQ(value, 2.5f);
}

TEST(DecimateMesh, KeepsFewTrianglesInFlatRegions) {
  constexpr int n = 16;
  SurfaceMesh mesh = cube(n);
  const double volume = mesh_volume(mesh);
  mesh.velocity = mesh.position;  // a linear field
  decimate_mesh(mesh, {.max_deviation = 1e-4f});
  EXPECT_TRUE(is_closed_manifold(mesh));
  EXPECT_LT(mesh.triangles.size(), 600u);
  EXPECT_NEAR(mesh_volume(mesh) / volume, 1, 1e-5);
  for (std::size_t v = 0; v < mesh.position.size(); ++v)
    EXPECT_LT(length(mesh.velocity[v] - mesh.position[v]), 0.2f);
}

TEST(DecimateMesh, StaysWithinADeviation) {
  constexpr float radius = 16, deviation = 0.05f;
  const Vec3 centre{0.17f, 0.29f, 0.41f};
  SurfaceMesh mesh = sphere(radius, centre);
  finish_mesh(mesh, {.cell = 1, .max_deviation = deviation});
  EXPECT_LT(mesh.triangles.size(), 2000u);
  EXPECT_TRUE(is_closed_manifold(mesh));
  for (const Triangle& t : mesh.triangles) {
    const Vec3 middle =
        (mesh.position[t[0]] + mesh.position[t[1]] + mesh.position[t[2]]) * (1.0f / 3);
    EXPECT_NEAR(length(middle - centre), radius, 6 * deviation);
  }
}

TEST(DecimateMesh, StopsAtATetrahedron) {
  SurfaceMesh mesh = sphere(4);
  decimate_mesh(mesh, {.target_triangles = 0});
  EXPECT_TRUE(is_closed_manifold(mesh));
  EXPECT_GE(mesh.triangles.size(), 4u);
  EXPECT_LT(mesh.triangles.size(), 40u);
}

struct Particles {
  std::vector<Vec3> position, velocity;
  std::vector<float> value;
};

// On a lattice of spacing 0.5 that fills the cube of half edge 6, with fields linear in space.
Particles lattice_particles() {
  Particles particles;
  for (int k = -12; k <= 12; ++k)
    for (int j = -12; j <= 12; ++j)
      for (int i = -12; i <= 12; ++i) {
        const Vec3 x =
            Vec3{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)} * 0.5f;
        particles.position.push_back(x);
        particles.velocity.push_back(x * 2.0f + Vec3{1, 2, 3});
        particles.value.push_back(3 * x.x - x.z);
      }
  return particles;
}

TEST(MeshAttributes, ReproduceConstantAndLinearFields) {
  Particles particles = lattice_particles();
  SurfaceMesh mesh = sphere(3);
  interpolate_attributes(mesh, particles.position, particles.velocity, particles.value, 1.5f);
  ASSERT_EQ(mesh.velocity.size(), mesh.position.size());
  ASSERT_EQ(mesh.value.size(), mesh.position.size());
  for (std::size_t v = 0; v < mesh.position.size(); ++v) {
    const Vec3& x = mesh.position[v];
    EXPECT_LT(length(mesh.velocity[v] - (x * 2.0f + Vec3{1, 2, 3})), 0.02f);
    EXPECT_NEAR(mesh.value[v], 3 * x.x - x.z, 0.03f);
  }
  std::fill(particles.value.begin(), particles.value.end(), 0.7f);
  interpolate_attributes(mesh, particles.position, {}, particles.value, 1.5f);
  EXPECT_TRUE(mesh.velocity.empty());
  for (const float value : mesh.value) EXPECT_EQ(value, 0.7f);
}

TEST(MeshAttributes, UseTheNearestParticleIfNoneIsInRange) {
  SurfaceMesh mesh;
  mesh.position = {{0, 0, 0}, {5.2f, 0, 0}, {-1e5f, 0, 0}, {900, 3, 0}};
  const std::vector<Vec3> positions = {{1, 0, 0}, {4, 0, 0}, {1000, 0, 0}};
  const std::vector<float> values = {1, 2, 3};
  interpolate_attributes(mesh, positions, {}, values, 0.5f);
  EXPECT_EQ(mesh.value, (std::vector<float>{1, 2, 1, 3}));
  EXPECT_THROW(interpolate_attributes(mesh, positions, {}, values, 0), Error);
  EXPECT_THROW(interpolate_attributes(mesh, positions, {}, std::vector<float>{1}, 1), Error);
}

TEST(FinishMesh, DoesNotDependOnThreads) {
  const Particles particles{{{0, 0, 0}, {25, 9, 3}, {60, 0, -3}, {45, -9, 0}},
                            {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 1, 1}},
                            {1, 2, 3, 5}};
  const auto finished = [&](int threads) {
    SurfaceMesh mesh = joined(sphere(20), torus(14, 4), {50, 0, 0});
    std::vector<float> weight(mesh.position.size());
    for (std::size_t v = 0; v < weight.size(); ++v)
      weight[v] = mesh.position[v].y > 0 ? 1.0f : 0.4f;
    interpolate_attributes(mesh, particles.position, particles.velocity, particles.value, 2,
                           threads);
    finish_mesh(mesh, {.cell = 1, .keep_triangles = 0.6f, .threads = threads}, weight);
    return mesh;
  };
  const SurfaceMesh one = finished(1);
  EXPECT_TRUE(is_closed_manifold(one));
  EXPECT_EQ(one.velocity.size(), one.position.size());
  EXPECT_EQ(one.value.size(), one.position.size());
  EXPECT_TRUE(same_bits(one, finished(2)));
  EXPECT_TRUE(same_bits(one, finished(3)));
}

TEST(FinishMesh, ChecksItsOptionsAndTakesEmptyMeshes) {
  SurfaceMesh mesh = sphere(3);
  EXPECT_THROW(finish_mesh(mesh, {}), Error);
  EXPECT_THROW(finish_mesh(mesh, {.cell = 1, .keep_triangles = 0}), Error);
  EXPECT_THROW(finish_mesh(mesh, {.cell = 1}, std::vector<float>(2, 1.0f)), Error);
  SurfaceMesh nothing;
  finish_mesh(nothing, {.cell = 1, .min_component_triangles = 8, .keep_triangles = 0.5f});
  EXPECT_TRUE(nothing.empty());
}

}  // namespace
}  // namespace panta
