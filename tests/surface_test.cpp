// Surfaces of particles: volume, topology, flatness, the same bits for any number of threads.
#include "panta/surface/reconstruct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "panta/core/eigen3.h"
#include "panta/core/error.h"
#include "panta/engine/simulation.h"
#include "panta/geometry/mesh_topology.h"
#include "panta/surface/marching_cubes.h"
#include "panta/surface/splats.h"
#include "particle_shapes.h"

namespace panta {
namespace {

constexpr float s = 0.02f;  // spacing, m
constexpr float particle_volume = s * s * s;

SurfaceMesh surface(const std::vector<Vec3>& points, SurfaceMethod method, float cell = 0.5f,
                    int threads = 1) {
  SurfaceOptions options;
  options.method = method;
  options.cell = cell;
  options.threads = threads;
  return Reconstruction(options).make({points, {}, s});
}

class SurfaceMethodTest : public testing::TestWithParam<SurfaceMethod> {};

INSTANTIATE_TEST_SUITE_P(Methods, SurfaceMethodTest,
                         testing::Values(SurfaceMethod::anisotropic, SurfaceMethod::colour,
                                         SurfaceMethod::cone, SurfaceMethod::metaballs),
                         [](const auto& info) {
                           return surface_method_names[static_cast<std::size_t>(info.param)];
                         });

TEST_P(SurfaceMethodTest, BallAndTorusHaveTheirVolumeAndTopology) {
  // Metaballs, a method for previews, stand out by an eighth of a spacing.
  const double tolerance = GetParam() == SurfaceMethod::metaballs ? 0.06 : 0.02;
  for (const float jitter : {0.0f, 0.1f}) {
    const std::vector<Vec3> round = ball(s, 10 * s, jitter);
    const SurfaceMesh drop = surface(round, GetParam());
    const double volume = static_cast<double>(round.size()) * particle_volume;
    EXPECT_TRUE(is_closed_manifold(drop));
    EXPECT_EQ(mesh_components(drop.triangles, drop.position.size()).count, 1u);
    EXPECT_EQ(genus(drop), 0);
    EXPECT_NEAR(mesh_volume(drop) / volume, 1, tolerance) << jitter;

    const std::vector<Vec3> ring = torus(s, 14 * s, 6 * s, jitter);
    const SurfaceMesh donut = surface(ring, GetParam());
    EXPECT_TRUE(is_closed_manifold(donut));
    EXPECT_EQ(genus(donut), 1);
    EXPECT_NEAR(mesh_volume(donut) / (static_cast<double>(ring.size()) * particle_volume), 1,
                GetParam() == SurfaceMethod::metaballs ? 0.09 : 0.03)
        << jitter;
  }
}

TEST_P(SurfaceMethodTest, AnyCloudGivesAClosedManifold) {
  std::mt19937 generator(3);
  for (const float crowd : {0.2f, 0.6f, 1.0f, 3.0f}) {  // particles per spacing cubed
    const int side = 12;
    std::uniform_real_distribution<float> place(0, s * static_cast<float>(side));
    std::vector<Vec3> points(static_cast<std::size_t>(crowd * side * side * side));
    for (Vec3& p : points) p = {place(generator), place(generator), place(generator)};
    for (const float cell : {0.3f, 0.5f, 1.0f}) {
      const SurfaceMesh mesh = surface(points, GetParam(), cell);
      EXPECT_FALSE(mesh.empty());
      EXPECT_TRUE(is_closed_manifold(mesh)) << crowd << " " << cell;
      EXPECT_GT(mesh_volume(mesh), 0);
    }
  }
}

TEST_P(SurfaceMethodTest, DoesNotDependOnThreads) {
  std::vector<Vec3> points = ball(s, 9 * s, 0.2f);
  for (const Vec3& p : torus(s, 20 * s, 2 * s, 0.3f)) points.push_back(p);
  const SurfaceMesh one = surface(points, GetParam(), 0.5f, 1);
  for (const int threads : {2, 3, 7}) {
    const SurfaceMesh many = surface(points, GetParam(), 0.5f, threads);
    EXPECT_TRUE(many.position == one.position) << threads;
    EXPECT_TRUE(many.triangles == one.triangles) << threads;
  }
}

TEST_P(SurfaceMethodTest, OddInput) {
  EXPECT_TRUE(surface({}, GetParam()).empty());
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(surface({{nan, 0, 0}, {0, infinity, 0}}, GetParam()).empty());
  const SurfaceMesh drop = surface({{0.1f, 0.2f, 0.3f}}, GetParam());
  EXPECT_TRUE(is_closed_manifold(drop));
  EXPECT_GT(mesh_volume(drop) / particle_volume, 0.1);
  EXPECT_LT(mesh_volume(drop) / particle_volume, 1.2);
  for (const Vec3& p : drop.position) EXPECT_LT(length(p - Vec3{0.1f, 0.2f, 0.3f}), s);
  EXPECT_TRUE(is_closed_manifold(surface(std::vector<Vec3>(100, Vec3{1, 1, 1}), GetParam())));

  SurfaceOptions options;
  options.method = GetParam();
  options.threads = 1;
  Reconstruction reconstruction(options);
  std::vector<Vec3> points = ball(s, 4 * s);
  const SurfaceMesh clean = reconstruction.make({points, {}, s});
  EXPECT_EQ(reconstruction.left_out(), 0u);
  points.insert(points.begin() + 5, {nan, nan, nan});
  points.push_back({1e25f, 0, 0});
  EXPECT_TRUE(reconstruction.make({points, {}, s}).position == clean.position);
  EXPECT_EQ(reconstruction.left_out(), 2u);
}

TEST(Surface, WrongOptionsAreRefused) {
  for (const float cell : {0.0f, -1.0f, 0.01f, 100.0f, std::nanf("")})
    EXPECT_THROW(surface(ball(s, 3 * s), SurfaceMethod::colour, cell), Error) << cell;
  SurfaceOptions options;
  options.radius = 0.5f;
  EXPECT_THROW(Reconstruction{options}, Error);
  const std::vector<Vec3> points = ball(s, 3 * s);
  EXPECT_THROW(Reconstruction(SurfaceOptions{}).make({points, {}, 0}), Error);
}

// Two independent algorithms for the same field: tile by tile, and from cell to cell.
TEST(Surface, FollowingGivesTheSameSurface) {
  std::vector<Vec3> points = ball(s, 8 * s, 0.25f);
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> place(-16 * s, 16 * s);
  for (int k = 0; k < 150; ++k)
    points.push_back({place(generator), place(generator), place(generator)});
  const auto sorted = [&](const SurfaceMesh& mesh) {
    std::vector<std::array<std::array<float, 3>, 3>> triangles;
    for (const Triangle& t : mesh.triangles) {
      auto& corners = triangles.emplace_back();
      for (std::size_t k = 0; k < 3; ++k)
        corners[k] = {mesh.position[t[k]].x, mesh.position[t[k]].y, mesh.position[t[k]].z};
      std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    }
    std::sort(triangles.begin(), triangles.end());
    return triangles;
  };
  const SurfaceMesh quick = surface(points, SurfaceMethod::colour);
  const SurfaceMesh followed = surface(points, SurfaceMethod::follow);
  EXPECT_TRUE(is_closed_manifold(followed));
  EXPECT_TRUE(sorted(quick) == sorted(followed));
}

TEST(Surface, FlatWhereTheLiquidIsFlat) {
  for (const SurfaceMethod method : {SurfaceMethod::anisotropic, SurfaceMethod::colour}) {
    for (const float jitter : {0.0f, 0.1f}) {
      const SurfaceMesh mesh = surface(pool(s, 14 * s, 10 * s, jitter), method);
      double sum = 0, square = 0, most = 0;
      int count = 0;
      for (const Vec3& p : mesh.position) {
        if (std::abs(p.x) > 9 * s || std::abs(p.z) > 9 * s || p.y < -5 * s) continue;
        sum += p.y / s;
        square += p.y / s * (p.y / s);
        most = std::max(most, std::abs(double(p.y / s)));
        ++count;
      }
      EXPECT_NEAR(sum / count, 0, 0.01);
      EXPECT_LT(std::sqrt(square / count), jitter == 0 ? 0.01 : 0.04);
      EXPECT_LT(most, jitter == 0 ? 0.02 : 0.15);
    }
  }
}

TEST(Surface, RestingPoolIsFlat) {
  Scene scene;
  scene.spacing = s;
  scene.materials = {Material{}};
  scene.materials[0].viscosity = 1;
  scene.fluids = {{0, Shape::box({0, 0, 0}, {0.36f, 0.12f, 0.36f}), {}, 0.2f}};
  scene.has_domain = true;
  scene.domain.max = {0.36, 0.3, 0.36};
  scene.domain.walls = {true, true, true, true, true, true};
  const auto simulation = make_simulation(scene, {"cpu", 1, false});
  simulation->advance_to(0.5);
  const ParticleFrame frame = simulation->snapshot();
  const SurfaceMesh mesh = surface(frame.position(), SurfaceMethod::anisotropic);
  double low = 1, high = 0;
  for (const Vec3& p : mesh.position) {
    if (p.y < 0.08f || std::min(p.x, p.z) < 3 * s || std::max(p.x, p.z) > 0.36f - 3 * s) continue;
    low = std::min(low, double(p.y));
    high = std::max(high, double(p.y));
  }
  EXPECT_NEAR(high / 0.12, 1, 0.05);
  EXPECT_LT((high - low) / 2, 0.1 * s);
}

// The fields of two near drops add up. The drops stay separate while the sum between them is below
// the iso value: with a radius of 1.75 spacings at a gap of 0.9 spacings.
TEST(Surface, NearDropsStaySeparateBelowTheIsoValue) {
  const float radius = 6 * s;
  for (const SurfaceMethod method : {SurfaceMethod::anisotropic, SurfaceMethod::colour}) {
    const auto pieces = [&](float gap) {
      std::vector<Vec3> points = ball(s, radius);
      const float edge = std::max_element(points.begin(), points.end(), [](auto& a, auto& b) {
                           return a.x < b.x;
                         })->x;
      for (const Vec3& p : ball(s, radius)) points.push_back(p + Vec3{2 * edge + gap, 0, 0});
      SurfaceOptions options;
      options.method = method;
      options.cell = 0.25f;
      options.radius = 1.75f;
      options.threads = 1;
      const SurfaceMesh mesh = Reconstruction(options).make({points, {}, s});
      EXPECT_TRUE(is_closed_manifold(mesh));
      return mesh_components(mesh.triangles, mesh.position.size()).count;
    };
    EXPECT_EQ(pieces(1.9f * s), 2u);
    EXPECT_EQ(pieces(1.0f * s), 1u);  // one lattice
  }
}

TEST(Surface, SheetAndFilamentAreConnected) {
  std::vector<Vec3> sheet, filament;
  for (int x = -12; x <= 12; ++x) {
    filament.push_back({s * static_cast<float>(x), 0, 0});
    for (int z = -12; z <= 12; ++z)
      sheet.push_back({s * static_cast<float>(x), 0, s * static_cast<float>(z)});
  }
  for (const SurfaceMethod method : {SurfaceMethod::anisotropic, SurfaceMethod::colour}) {
    const SurfaceMesh flat = surface(sheet, method), thread = surface(filament, method);
    for (const SurfaceMesh* mesh : {&flat, &thread}) {
      EXPECT_TRUE(is_closed_manifold(*mesh));
      EXPECT_EQ(mesh_components(mesh->triangles, mesh->position.size()).count, 1u);
      EXPECT_EQ(genus(*mesh), 0);  // no holes
    }
    EXPECT_NEAR(mesh_volume(flat) / (sheet.size() * particle_volume), 1, 0.5);
  }
}

TEST(Splats, LieOnTheSurfaceAndPointOutwards) {
  std::vector<Vec3> points = ball(s, 10 * s);
  points.push_back({20 * s, 0, 0});
  for (const int extra : {0, 6}) {
    SplatOptions options;
    options.extra = extra;
    options.threads = 1;
    const std::vector<Splat> splats = surface_splats({points, {}, s}, options);
    int drops = 0;
    for (const Splat& splat : splats) {
      if (splat.normal == Vec3{}) {
        ++drops;
        EXPECT_EQ(splat.particle, points.size() - 1);
        continue;
      }
      EXPECT_NEAR(length(splat.position) / s, 10, 0.6);
      EXPECT_GT(dot(normalized(splat.position), splat.normal), 0.8f);
    }
    EXPECT_EQ(drops, 1);
    EXPECT_GT(splats.size(), (extra > 0 ? 3000u : 800u));
  }
}

TEST(Eigen3, FindsValuesAndAxes) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> any(-1, 1);
  for (int k = 0; k < 200; ++k) {
    const Vec3 values = {2 + any(generator), 0.5f + 0.4f * any(generator), any(generator) - 2};
    const Mat3 turn = rotation(
        normalized(Quat{any(generator), any(generator), any(generator), any(generator) + 1.5f}));
    const Mat3 back = transpose(turn);
    Mat3 scaled;
    for (int i = 0; i < 3; ++i) scaled.row[i] = back.row[i] * values[i];
    const Eigen3 found = symmetric_eigen(turn * scaled);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(found.value[i], values[i], 1e-5f);
      EXPECT_NEAR(std::abs(dot(found.vector[i], back.row[i])), 1, 1e-5f);
    }
  }
}

// Every polygon of every case is closed, and no line occurs twice on a face.
TEST(MarchingCubesTable, LinesOnFacesAreBorders) {
  const MarchingCubes& table = MarchingCubes::table();
  for (unsigned inside = 0; inside < 256; ++inside)
    for (unsigned joined = 0; joined < 64; ++joined) {
      if ((joined & ~unsigned(table.ambiguous_faces(inside))) != 0) continue;
      std::array<std::array<int, 16>, 16> lines{};
      for (const auto& t : table.surface(inside, joined).triangles)
        for (std::size_t k = 0; k < 3; ++k) ++lines[t[k]][t[(k + 1) % 3]];
      int borders = 0, crossings = 0;
      for (std::size_t a = 0; a < 16; ++a)
        for (std::size_t b = 0; b < 16; ++b) {
          EXPECT_LE(lines[a][b], 1);
          if (lines[a][b] == 1 && lines[b][a] == 0) ++borders;
        }
      for (int edge = 0; edge < cell_edges; ++edge) {
        const int from = edge_corner(edge), to = from | 1 << edge_axis(edge);
        crossings += (inside >> from & 1) != (inside >> to & 1);
      }
      EXPECT_EQ(borders, crossings);  // one line leaves each crossed edge
    }
}

}  // namespace
}  // namespace panta
