// Surfaces made by kernels, compared with those of Reconstruction on the CPU.
#include <algorithm>
#include <cmath>
#include <limits>

#include "../particle_shapes.h"
#include "panta/geometry/mesh_distance.h"
#include "panta/geometry/mesh_topology.h"
#include "panta/surface/device/device_surface.h"
#include "support.h"

namespace panta::test {
namespace {

constexpr float s = 0.02f;  // spacing, m

SurfaceOptions options_of(SurfaceMethod method, float cell = 0.5f) {
  SurfaceOptions options;
  options.method = method;
  options.cell = cell;
  options.threads = 2;
  return complete_options(options);
}

FieldPlan plan_of(SurfaceMethod method, float cell = 0.5f) {
  const SurfaceOptions options = options_of(method, cell);
  return plan_field(options, s, iso_value(options));
}

SurfaceMesh expected(const std::vector<Vec3>& points, SurfaceMethod method, float cell = 0.5f) {
  return Reconstruction(options_of(method, cell)).make({points, {}, s});
}

SurfaceMesh found(const std::vector<Vec3>& points, SurfaceMethod method, float cell = 0.5f) {
  return make_device_surface<D>(2)->make(points, plan_of(method, cell));
}

bool same_bits(const SurfaceMesh& a, const SurfaceMesh& b) {
  return a.position == b.position && a.triangles == b.triangles;
}

// The largest distance of a vertex of one mesh from the other mesh, m.
double farthest_from(const SurfaceMesh& from, const SurfaceMesh& to) {
  TriangleMesh target;
  target.vertices = to.position;
  target.triangles = to.triangles;
  const MeshDistance distance(target);
  double most = 0;
  for (const Vec3& x : from.position)
    most = std::max(most, double(length(distance.closest_point(x) - x)));
  return most;
}

void expect_near(const SurfaceMesh& mesh, const SurfaceMesh& by_cpu, float cell) {
  ASSERT_FALSE(mesh.empty());
  EXPECT_TRUE(is_closed_manifold(mesh));
  EXPECT_EQ(mesh_components(mesh.triangles, mesh.position.size()).count,
            mesh_components(by_cpu.triangles, by_cpu.position.size()).count);
  EXPECT_EQ(genus(mesh), genus(by_cpu));
  EXPECT_NEAR(mesh_volume(mesh) / mesh_volume(by_cpu), 1, 1e-4);
  EXPECT_LT(farthest_from(mesh, by_cpu), 1e-2 * cell * s);
  EXPECT_LT(farthest_from(by_cpu, mesh), 1e-2 * cell * s);
}

// A block, a ring and drops, at some distance from the origin.
std::vector<Vec3> splash() {
  std::vector<Vec3> points = ball(s, 7 * s, 0.2f);
  for (const Vec3& p : torus(s, 12 * s, 2.5f * s, 0.2f)) points.push_back(p);
  for (const Vec3& p : random_points(200, Vec3{-1, -1, -1} * (18 * s), Vec3{1, 1, 1} * (18 * s)))
    points.push_back(p);
  for (Vec3& p : points) p += Vec3{0.7f, -1.3f, 2.1f};
  return points;
}

class DeviceSurfaceTest : public testing::TestWithParam<SurfaceMethod> {};

INSTANTIATE_TEST_SUITE_P(Methods, DeviceSurfaceTest,
                         testing::Values(SurfaceMethod::anisotropic, SurfaceMethod::colour,
                                         SurfaceMethod::cone, SurfaceMethod::metaballs),
                         [](const auto& info) {
                           return surface_method_names[static_cast<std::size_t>(info.param)];
                         });

TEST_P(DeviceSurfaceTest, EqualsTheCpuSurface) {
  const std::vector<Vec3> points = splash();
  for (const float cell : {0.3f, 0.5f, 1.0f})
    expect_near(found(points, GetParam(), cell), expected(points, GetParam(), cell), cell);
}

TEST_P(DeviceSurfaceTest, SolidsHaveTheRightTopology) {
  const SurfaceMesh drop = found(ball(s, 10 * s, 0.1f), GetParam());
  EXPECT_TRUE(is_closed_manifold(drop));
  EXPECT_EQ(mesh_components(drop.triangles, drop.position.size()).count, 1u);
  EXPECT_EQ(genus(drop), 0);
  const SurfaceMesh ring = found(torus(s, 14 * s, 6 * s, 0.1f), GetParam());
  EXPECT_TRUE(is_closed_manifold(ring));
  EXPECT_EQ(genus(ring), 1);
}

TEST_P(DeviceSurfaceTest, AnyCloudGivesAClosedManifold) {
  for (const float crowd : {0.2f, 1.0f, 3.0f}) {  // particles per spacing cubed
    const float side = 12;
    const std::vector<Vec3> points = random_points(
        static_cast<std::size_t>(crowd * side * side * side), {}, Vec3{1, 1, 1} * (side * s), 3);
    for (const float cell : {0.3f, 1.0f, 2.0f}) {
      const SurfaceMesh mesh = found(points, GetParam(), cell);
      EXPECT_FALSE(mesh.empty());
      EXPECT_TRUE(is_closed_manifold(mesh)) << crowd << " " << cell;
      EXPECT_GT(mesh_volume(mesh), 0);
    }
  }
}

// On the CPU with several thread counts, on a GPU with several streams.
TEST_P(DeviceSurfaceTest, RepeatedRunsGiveTheSameBits) {
  const std::vector<Vec3> points = splash();
  const FieldPlan plan = plan_of(GetParam());
  const SurfaceMesh first = make_device_surface<D>(1)->make(points, plan);
  for (const int threads : {1, 2, 3}) {
    const auto surface = make_device_surface<D>(threads);
    for (int k = 0; k < 2; ++k) EXPECT_TRUE(same_bits(surface->make(points, plan), first));
  }
}

TEST_P(DeviceSurfaceTest, FieldsInPartsGiveTheSameMesh) {
  const std::vector<Vec3> points = splash();
  const FieldPlan plan = plan_of(GetParam());
  const SurfaceMesh whole = make_device_surface<D>(2)->make(points, plan);
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{200000}, std::size_t{1} << 20})
    EXPECT_TRUE(same_bits(make_device_surface<D>(2, bytes)->make(points, plan), whole)) << bytes;
}

TEST_P(DeviceSurfaceTest, HandlesSuccessiveFramesOfAnySize) {
  const std::vector<Vec3> large = splash(), small = ball(s, 4 * s);
  const FieldPlan plan = plan_of(GetParam());
  const auto surface = make_device_surface<D>(2);
  const SurfaceMesh first = surface->make(large, plan);
  EXPECT_TRUE(same_bits(surface->make(small, plan), found(small, GetParam())));
  EXPECT_TRUE(surface->make({}, plan).empty());
  const std::uint64_t allocations = allocation_count();
  EXPECT_TRUE(same_bits(surface->make(large, plan), first));
  EXPECT_EQ(allocation_count(), allocations);
}

TEST_P(DeviceSurfaceTest, OddInput) {
  EXPECT_TRUE(found({}, GetParam()).empty());
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(found({{nan, 0, 0}, {0, infinity, 0}}, GetParam()).empty());
  const std::vector<Vec3> one = {{0.1f, 0.2f, 0.3f}};
  expect_near(found(one, GetParam()), expected(one, GetParam()), 0.5f);
  EXPECT_TRUE(is_closed_manifold(found(std::vector<Vec3>(100, Vec3{1, 1, 1}), GetParam())));

  const auto surface = make_device_surface<D>(2);
  const FieldPlan plan = plan_of(GetParam());
  std::vector<Vec3> points = ball(s, 4 * s);
  const SurfaceMesh clean = surface->make(points, plan);
  EXPECT_EQ(surface->left_out(), 0u);
  points.insert(points.begin() + 5, {nan, nan, nan});
  points.push_back({1e25f, 0, 0});
  EXPECT_TRUE(same_bits(surface->make(points, plan), clean));
  EXPECT_EQ(surface->left_out(), 2u);
}

// Empty space between drops needs no memory.
TEST_P(DeviceSurfaceTest, FarApartDrops) {
  const float far = 5000 * s;
  const std::vector<Vec3> points = {{0, 0, 0}, {far, -far, far}, {-far, far, 2 * far}};
  expect_near(found(points, GetParam()), expected(points, GetParam()), 0.5f);
}

// Without sums over neighbours the CPU's kernels give bitwise the same result as the host code. A
// GPU rounds differently and gives nearly the same.
TEST(DeviceSurface, EqualBlobsGiveTheSameBits) {
  const std::vector<Vec3> points = splash();
  for (const SurfaceMethod method : {SurfaceMethod::cone, SurfaceMethod::metaballs})
    for (const float cell : {0.3f, 0.5f, 1.0f}) {
      const SurfaceMesh mesh = found(points, method, cell);
      const SurfaceMesh by_cpu = expected(points, method, cell);
      if (!on_cpu) {
        expect_near(mesh, by_cpu, cell);
        continue;
      }
      EXPECT_EQ(mesh.triangles.size(), by_cpu.triangles.size()) << cell;
      EXPECT_TRUE(same_bits(mesh, by_cpu)) << cell;
    }
}

}  // namespace
}  // namespace panta::test
