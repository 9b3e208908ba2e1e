// Constraints that are sums over elements on this device: volumes of closed meshes against closed
// forms, and a type that only the tests define.
#include "../belt_constraint.h"
#include "../geometry_cases.h"
#include "constraint_world.h"
#include "panta/core/memory.h"

namespace panta::test {
namespace {

using namespace unified;

using World = ConstraintWorld<>;

// Regular, with edge length 1 and its centre at the origin.
TriangleMesh tetrahedron() {
  const float s = 0.5f / std::sqrt(2.0f);
  return {{{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}},
          {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}},
          "tetrahedron"};
}

TriangleMesh scaled(TriangleMesh mesh, const Vec3& by, const Vec3& shift = {}) {
  for (Vec3& x : mesh.vertices) x = Vec3{x.x * by.x, x.y * by.y, x.z * by.z} + shift;
  return mesh;
}

// A mesh of particles in a world, and its rest volume.
struct Balloon {
  World& world;
  TriangleMesh mesh;
  std::uint32_t first = static_cast<std::uint32_t>(world.size());
  double rest_volume = mesh_volume(mesh);

  std::vector<std::uint32_t> ids() const {
    std::vector<std::uint32_t> all;
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t corner : t) all.push_back(first + corner);
    return all;
  }
  void constrain(double pressure = 1, const Softness& softness = {}) {
    world.lists.of<VolumeConstraint>().add(ids(), {pressure * rest_volume}, softness);
  }
  void tie_edges(const Softness& softness = {}) {
    for (const Triangle& t : mesh.triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        const float rest = length(mesh.vertices[a] - mesh.vertices[b]);
        if (a < b)
          world.lists.of<DistanceConstraint>().add({first + a, first + b}, {rest, false}, softness);
      }
  }
  double volume() const {
    TriangleMesh now = mesh;
    for (std::uint32_t k = 0; k < now.vertices.size(); ++k) now.vertices[k] = world.x(first + k);
    return mesh_volume(now);
  }
};

// The particles start at `places`; the mesh gives their rest positions.
Balloon add_balloon(World& world, const TriangleMesh& mesh, const TriangleMesh& places,
                    const Vec3& stretching = {}) {
  Balloon balloon{world, mesh};
  for (const Vec3& x : places.vertices)
    world.add(x, 1, {stretching.x * x.x, stretching.y * x.y, stretching.z * x.z});
  return balloon;
}
Balloon add_balloon(World& world, const TriangleMesh& mesh) {
  return add_balloon(world, mesh, mesh);
}

TEST(VolumeConstraint, SqueezedMeshRecoversItsVolume) {
  for (const TriangleMesh& mesh : {tetrahedron(), icosphere(1, 3)}) {
    SCOPED_TRACE(mesh.source);
    World world;
    Balloon balloon = add_balloon(world, mesh, scaled(mesh, {1.1f, 0.6f, 1.1f}));
    balloon.constrain();
    balloon.tie_edges();
    world.begin();
    EXPECT_LT(balloon.volume(), 0.75 * balloon.rest_volume);
    for (int k = 0; k < 20; ++k) world.project();
    EXPECT_NEAR(balloon.volume(), balloon.rest_volume, 1e-3 * balloon.rest_volume);
  }
}

TEST(VolumeConstraint, MeshBeingSqueezedKeepsItsVolume) {
  for (const TriangleMesh& mesh : {tetrahedron(), icosphere(1, 3)}) {
    SCOPED_TRACE(mesh.source);
    World world;
    Balloon balloon = add_balloon(world, mesh, mesh, {0, -2, 0});
    balloon.constrain();
    balloon.tie_edges();
    world.counts = {.substeps = 2, .iterations = 4};
    world.begin();
    for (int k = 0; k < 40; ++k) {
      world.step(0.01);
      EXPECT_NEAR(balloon.volume(), balloon.rest_volume, 1e-3 * balloon.rest_volume);
    }
  }
}

// By symmetry a regular tetrahedron grows uniformly.
TEST(VolumeConstraint, WithoutEdgesItGrowsToPressureTimesVolume) {
  World world;
  Balloon regular = add_balloon(world, tetrahedron());
  Balloon sphere = add_balloon(world, scaled(icosphere(1, 3), {1, 1, 1}, {5, 0, 0}));
  Balloon distant = add_balloon(world, scaled(tetrahedron(), {1, 1, 1}, {100, 100, 100}));
  for (Balloon* balloon : {&regular, &sphere, &distant}) balloon->constrain(1.5);
  world.begin();
  for (int k = 0; k < 10; ++k) world.project();
  EXPECT_NEAR(regular.volume(), 1.5 * regular.rest_volume, 1e-6 * regular.rest_volume);
  EXPECT_NEAR(sphere.volume(), 1.5 * sphere.rest_volume, 1e-5 * sphere.rest_volume);
  EXPECT_NEAR(distant.volume(), 1.5 * distant.rest_volume, 1e-4 * distant.rest_volume);
  for (std::uint32_t k = 0; k < 4; ++k) {
    const Vec3 expected = regular.mesh.vertices[k] * std::cbrt(1.5f);
    EXPECT_LT(length(world.x(k) - expected), 1e-6f);
  }
}

// Elastic edges of length l, rest length 1 and compliance b hold a pressure p:
//   p dV/dl = 6 (l - 1)/b,   V = l^3/(6 sqrt 2),   p = (k V_0 - V)/a
TEST(VolumeConstraint, ComplianceGivesTheExcessPressure) {
  const double a = 1e-3, b = 1e-2, k = 3, root = std::sqrt(2.0);
  for (const int iterations : {2, 10}) {
    World world;
    Balloon balloon = add_balloon(world, tetrahedron());
    balloon.constrain(k, {float(a), 20});
    balloon.tie_edges({float(b), 5});
    world.counts = {.substeps = 4, .iterations = iterations};
    world.begin();
    world.run(4, 0.01);
    double low = 1, high = 2;
    for (int halving = 0; halving < 60; ++halving) {
      const double l = (low + high) / 2, p = (k - l * l * l) / (6 * root * a);
      (p * l * l / (2 * root) > 6 * (l - 1) / b ? low : high) = l;
    }
    const double pressure = (k - low * low * low) / (6 * root * a), dt = 0.01 / 4;
    const double found = world.groups.of<VolumeConstraint>().multipliers()[0] / (dt * dt);
    EXPECT_NEAR(length(world.x(1) - world.x(0)), low, 1e-3 * low) << iterations;
    EXPECT_NEAR(found, pressure, 1e-2 * pressure) << iterations;
  }
}

TEST(VolumeConstraint, TwoBalloonsAndOneWithTwoChambers) {
  World world;
  Balloon one = add_balloon(world, icosphere(1, 1));
  Balloon other = add_balloon(world, scaled(tetrahedron(), {1, 1, 1}, {3, 0, 0}));
  Balloon left = add_balloon(world, scaled(tetrahedron(), {1, 1, 1}, {6, 0, 0}));
  Balloon right = add_balloon(world, scaled(tetrahedron(), {2, 2, 2}, {9, 0, 0}));
  one.constrain(1.2);
  other.constrain(0.8);
  std::vector<std::uint32_t> both = left.ids();
  for (const std::uint32_t id : right.ids()) both.push_back(id);
  const double together = left.rest_volume + right.rest_volume;
  world.lists.of<VolumeConstraint>().add(both, {1.3 * together});
  world.begin();
  for (int k = 0; k < 10; ++k) world.project();
  EXPECT_NEAR(one.volume(), 1.2 * one.rest_volume, 1e-5 * one.rest_volume);
  EXPECT_NEAR(other.volume(), 0.8 * other.rest_volume, 1e-5 * other.rest_volume);
  EXPECT_NEAR(left.volume() + right.volume(), 1.3 * together, 1e-5 * together);
}

TEST(VolumeConstraint, CentreAndMomentumAreConserved) {
  World world;
  add_balloon(world, icosphere(1, 2)).constrain(2, {1e-3f, 1});
  const auto heavy = world.add({0.1f, 0.2f, 0.3f}, 5);
  world.lists.of<DistanceConstraint>().add({0, heavy}, {0.5f, false});
  world.counts = {.substeps = 2, .iterations = 3};
  world.begin();
  world.run(0.2, 0.01);
  double size = 0;
  for (std::uint32_t id = 0; id < world.size(); ++id)
    size += world.mass(id) * double(length(world.v(id)));
  EXPECT_GT(size, 1);
  EXPECT_LT(length(world.momentum()), 1e-5 * size);
}

TEST(VolumeConstraint, WorksAcrossAPeriodicBorder) {
  World world;
  world.period = {4, 0, 0};
  TriangleMesh places = scaled(tetrahedron(), {1, 1, 1}, {3.95f, 0, 0});
  for (Vec3& x : places.vertices)
    if (x.x > 4) x.x -= 4;
  add_balloon(world, tetrahedron(), places).constrain(1.5);
  world.begin();
  for (int k = 0; k < 10; ++k) world.project();
  for (std::uint32_t k = 0; k < 4; ++k) {
    Vec3 away = world.x(k) - (tetrahedron().vertices[k] * std::cbrt(1.5f) + Vec3{3.95f, 0, 0});
    Periodicity::of(world.period).shorten(away);
    EXPECT_LT(length(away), 2e-6f);
  }
}

TEST(VolumeConstraint, MissingParticleOrClosedGateChangesNothing) {
  for (const bool gone : {true, false}) {
    World world;
    Balloon balloon = add_balloon(world, icosphere(1, 1));
    balloon.constrain(2);
    world.begin();
    gone ? world.remove(7) : world.close_gate();
    world.project();
    for (std::uint32_t k = 0; k < balloon.mesh.vertices.size(); ++k)
      EXPECT_EQ(world.x(k), balloon.mesh.vertices[k]);
  }
}

TEST(VolumeConstraint, SolveAllocatesNothing) {
  World world;
  add_balloon(world, icosphere(1, 1)).constrain(2, {1e-3f, 1});
  world.begin();
  EXPECT_GT(world.groups.bytes(), 80 * 3 * 2 * 4.0);  // corners, and those of each member
  world.step(0.01);
  const std::uint64_t before = allocation_count();
  world.step(0.01);
  EXPECT_EQ(allocation_count(), before);
}

TEST(VolumeConstraint, SameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<Vec3>> results;
  for (const D& exec : executors()) {
    World world;
    world.exec = exec;
    for (int k = 0; k < 5; ++k) {
      Balloon balloon =
          add_balloon(world, scaled(icosphere(1, 2), {1, 1, 1}, {3.0f * float(k), 0, 0}));
      balloon.constrain(1 + 0.3 * k, {k % 2 ? 1e-4f : 0.0f, 1});
      balloon.tie_edges({1e-5f, 0});
    }
    world.counts = {.substeps = 2, .iterations = 3};
    world.begin();
    world.run(0.05, 0.01);
    results.push_back(world.positions());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(SummedConstraints, TypeAddedByTheDocumentedStepsIsSolved) {
  ConstraintWorld<ConstraintTypes<AttachConstraint, BeltConstraint>> world;
  const auto square = [&](float side) {
    const auto first = world.add({0, 0, 0});
    world.add({side, 0, 0});
    world.add({side, side, 0});
    world.add({0, side, 0});
    const std::vector<std::uint32_t> links = {first,     first + 1, first + 1, first + 2,
                                              first + 2, first + 3, first + 3, first};
    world.lists.of<BeltConstraint>().add(links, {4});
    return first;
  };
  const auto long_one = square(1.5f), short_one = square(0.9f);
  world.begin();
  for (int k = 0; k < 5; ++k) world.project();
  EXPECT_NEAR(length(world.x(long_one + 1) - world.x(long_one)), 1, 1e-6);
  EXPECT_NEAR(length(world.x(long_one + 2) - world.x(long_one)), std::sqrt(2.0), 1e-6);
  EXPECT_EQ(world.x(short_one + 2), (Vec3{0.9f, 0.9f, 0}));
}

}  // namespace
}  // namespace panta::test
