// Surfaces by a level set: volume, shape and topology compared with solids filled with particles,
// continuity from frame to frame, drops that merge and part, bitwise equal results for any number
// of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "panta/core/error.h"
#include "panta/core/random.h"
#include "panta/geometry/mesh_distance.h"
#include "panta/surface/level_set.h"

namespace panta {
namespace {

constexpr float spacing = 0.01f;
using Particles = std::vector<Vec3>;
using Inside = std::function<bool(const Vec3&)>;

// A jittered lattice, in spacings around the origin; `shake` in spacings.
Particles filled(const Inside& inside, int extent, float shake) {
  Particles particles;
  std::uint64_t count = 0;
  for (int z = -extent; z < extent; ++z)
    for (int y = -extent; y < extent; ++y)
      for (int x = -extent; x < extent; ++x) {
        const Vec3 at{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f,
                      static_cast<float>(z) + 0.5f};
        if (!inside(at)) continue;
        const auto offset = [&] { return shake * (2 * random_uniform(1, 0, count++) - 1); };
        particles.push_back((at + Vec3{offset(), offset(), offset()}) * spacing);
      }
  return particles;
}

Particles ball(float radius, float shake = 0.2f) {
  return filled([&](const Vec3& at) { return dot(at, at) < radius * radius; },
                static_cast<int>(radius) + 1, shake);
}

Particles torus(float ring, float tube) {
  const auto inside = [&](const Vec3& at) {
    const float out = std::hypot(at.x, at.y) - ring;
    return out * out + at.z * at.z < tube * tube;
  };
  return filled(inside, static_cast<int>(ring + tube) + 1, 0.1f);
}

Particles moved(Particles particles, const Vec3& spacings) {
  for (Vec3& at : particles) at += spacings * spacing;
  return particles;
}

Particles together(Particles a, const Particles& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

SurfaceOptions options(int threads = 1) {
  return {.method = SurfaceMethod::level_set, .threads = threads};
}

TriangleMesh plain(const SurfaceMesh& mesh) { return {mesh.position, mesh.triangles, {}}; }

// For a closed mesh: 2 for each component, minus 2 for each handle.
long euler_characteristic(const SurfaceMesh& mesh) {
  return static_cast<long>(mesh.position.size()) - static_cast<long>(mesh.triangles.size() / 2);
}

double volume_error(const SurfaceMesh& mesh, std::size_t particles) {
  return mesh_volume(plain(mesh)) / (static_cast<double>(particles) * std::pow(spacing, 3)) - 1;
}

SurfaceMesh cold(const Particles& particles) {
  return LevelSet(options()).make({particles, {}, spacing});
}

TEST(LevelSet, BallsAndRingsHaveTheirVolumeAndTopology) {
  struct Case {
    Particles particles;
    long euler;
  };
  for (const auto& [particles, euler] :
       {Case{ball(10, 0), 2}, Case{ball(10), 2}, Case{ball(5), 2}, Case{torus(7, 3), 0}}) {
    const SurfaceMesh mesh = cold(particles);
    EXPECT_LT(std::abs(volume_error(mesh, particles.size())), 0.02);
    EXPECT_EQ(euler_characteristic(mesh), euler);
    const MeshReport report = inspect_mesh(plain(mesh));
    EXPECT_TRUE(report.has_no_defects()) << describe(report);
  }
}

TEST(LevelSet, PoolIsFlatAndEndsHalfASpacingAboveItsLastLayer) {
  for (const float shake : {0.0f, 0.1f}) {
    const SurfaceMesh mesh = cold(filled([](const Vec3& at) { return at.y < -4; }, 10, shake));
    int count = 0;
    for (const Vec3& at : mesh.position) {
      if (at.y < -6 * spacing || std::abs(at.x) > 6 * spacing || std::abs(at.z) > 6 * spacing)
        continue;
      EXPECT_NEAR(at.y / spacing, -4, 0.1);
      ++count;
    }
    EXPECT_GT(count, 500);
  }
}

TEST(LevelSet, SurfaceMovesWithADrop) {
  const Particles drop = ball(7);
  const Vec3 step{0.08f, 0.05f, 0.033f};
  LevelSet level_set(options());
  const MeshDistance first(plain(level_set.make({drop, {}, spacing})));
  const int cold_steps = level_set.iterations();
  double squares = 0, most = 0;
  std::size_t count = 0;
  for (int frame = 1; frame <= 10; ++frame) {
    const Vec3 way = step * static_cast<float>(frame);
    const SurfaceMesh mesh = level_set.make({moved(drop, way), {}, spacing});
    EXPECT_LT(level_set.iterations(), cold_steps);
    for (const Vec3& at : mesh.position) {
      const double off = first.at(at - way * spacing).value / spacing;
      squares += off * off;
      most = std::max(most, std::abs(off));
    }
    count += mesh.position.size();
  }
  EXPECT_LT(std::sqrt(squares / static_cast<double>(count)), 0.02);
  EXPECT_LT(most, 0.1);
}

TEST(LevelSet, FrontAtRestStaysThere) {
  const Particles drop = ball(8);
  LevelSet level_set(options());
  const SurfaceMesh first = level_set.make({drop, {}, spacing});
  const int cold_steps = level_set.iterations();
  const SurfaceMesh second = level_set.make({drop, {}, spacing});
  EXPECT_LE(3 * level_set.iterations(), cold_steps);
  const MeshDistance distance(plain(first));
  for (const Vec3& at : second.position)
    ASSERT_LT(std::abs(distance.at(at).value), 0.02f * spacing);
}

TEST(LevelSet, DropsMergeAndPart) {
  const Particles drop = ball(4);
  LevelSet level_set(options());
  const auto euler_at = [&](float apart) {
    const Particles both = together(drop, moved(drop, {apart, 0.3f, 0.2f}));
    const SurfaceMesh mesh = level_set.make({both, {}, spacing});
    EXPECT_TRUE(inspect_mesh(plain(mesh)).has_no_defects());
    EXPECT_NEAR(mesh_volume(plain(mesh)) / mesh_volume(plain(cold(both))), 1, 0.002);
    return euler_characteristic(mesh);
  };
  EXPECT_EQ(euler_at(11), 4);
  EXPECT_EQ(euler_at(8.5f), 2);  // gap below one spacing
  EXPECT_EQ(euler_at(7.5f), 2);
  EXPECT_EQ(euler_at(9.5f), 4);
  EXPECT_EQ(euler_at(12), 4);
}

TEST(LevelSet, DropsAppearAndVanish) {
  const Particles here = ball(3), there = moved(here, {40, 5, 0});
  LevelSet level_set(options());
  const double alone = mesh_volume(plain(level_set.make({here, {}, spacing})));
  const SurfaceMesh both = level_set.make({together(here, there), {}, spacing});
  EXPECT_EQ(euler_characteristic(both), 4);
  EXPECT_NEAR(mesh_volume(plain(both)), 2 * alone, 0.01 * alone);
  const SurfaceMesh second = level_set.make({there, {}, spacing});
  EXPECT_EQ(euler_characteristic(second), 2);
  EXPECT_NEAR(mesh_volume(plain(second)), alone, 0.01 * alone);
  EXPECT_GT(mesh_bounds(plain(second)).min.x, 30 * spacing);
}

TEST(LevelSet, ZeroAndOneParticle) {
  EXPECT_TRUE(cold({}).empty());
  for (const float shift : {0.0f, 0.13f, 0.31f}) {
    const SurfaceMesh mesh = cold(moved({{0, 0, 0}}, {shift, 2 * shift, 0}));
    EXPECT_TRUE(inspect_mesh(plain(mesh)).has_no_defects());
    EXPECT_EQ(euler_characteristic(mesh), 2);
    EXPECT_NEAR(volume_error(mesh, 1), 0, 0.2);
  }
}

// Curvature contracts them, but the larger volume of particles with few neighbours compensates it.
TEST(LevelSet, ThreadsAndSheetsOfSingleParticlesAreConnected) {
  const Particles thread = filled(
      [](const Vec3& at) { return std::abs(at.y - 0.5f) < 0.1f && std::abs(at.z - 0.5f) < 0.1f; },
      15, 0.1f);
  const SurfaceMesh thread_mesh = cold(thread);
  EXPECT_EQ(euler_characteristic(thread_mesh), 2);
  EXPECT_NEAR(volume_error(thread_mesh, thread.size()), 0, 0.1);
  const Particles sheet =
      filled([](const Vec3& at) { return std::abs(at.y - 0.5f) < 0.1f; }, 10, 0.1f);
  const SurfaceMesh sheet_mesh = cold(sheet);
  EXPECT_EQ(euler_characteristic(sheet_mesh), 2);
  EXPECT_GT(volume_error(sheet_mesh, sheet.size()), 0);
  EXPECT_LT(volume_error(sheet_mesh, sheet.size()), 0.5);
}

TEST(LevelSet, ParticlesReachFartherAlongTheirVelocity) {
  Particles row;
  for (int k = 0; k < 8; ++k) row.push_back({2.8f * spacing * static_cast<float>(k), 0, 0});
  const Particles along(row.size(), {3, 0, 0}), across(row.size(), {0, 0, 3});
  const auto bodies = [&](const Particles& velocity) {
    return euler_characteristic(LevelSet(options()).make({row, velocity, spacing})) / 2;
  };
  EXPECT_EQ(bodies({}), 8);
  EXPECT_EQ(bodies(across), 8);
  EXPECT_EQ(bodies(along), 1);
}

TEST(LevelSet, SameBitsForAnyNumberOfThreads) {
  const Particles drops = together(ball(5), moved(ball(4), {9.4f, 0, 1}));
  const Particles velocity(drops.size(), {1, 2, 0});
  LevelSet one(options(1)), two(options(2));
  for (const float way : {0.0f, 0.2f}) {
    const Particles now = moved(drops, {way, 0, 0});
    const SurfaceMesh a = one.make({now, velocity, spacing});
    const SurfaceMesh b = two.make({now, velocity, spacing});
    EXPECT_EQ(one.iterations(), two.iterations());
    EXPECT_TRUE(a.position == b.position);
    EXPECT_TRUE(a.triangles == b.triangles);
  }
}

TEST(LevelSet, RadiusLargerThanATileIsRefused) {
  SurfaceOptions wide = options();
  wide.radius = 3;
  EXPECT_THROW(LevelSet{wide}, Error);
}

TEST(LevelSet, NonFiniteParticlesAreSkipped) {
  Particles drop = ball(3);
  drop.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 0});
  LevelSet level_set(options());
  const SurfaceMesh mesh = level_set.make({drop, {}, spacing});
  EXPECT_EQ(level_set.left_out(), 1u);
  drop.pop_back();
  EXPECT_TRUE(mesh.position == cold(drop).position);
}

}  // namespace
}  // namespace panta
