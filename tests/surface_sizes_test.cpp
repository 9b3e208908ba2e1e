// Surfaces of particles of different sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "panta/core/error.h"
#include "panta/geometry/mesh_topology.h"
#include "panta/surface/reconstruct.h"
#include "particle_shapes.h"

namespace panta {
namespace {

constexpr float s = 0.02f;  // spacing, m

const SurfaceMethod all_methods[] = {SurfaceMethod::anisotropic, SurfaceMethod::colour,
                                     SurfaceMethod::cone,        SurfaceMethod::metaballs,
                                     SurfaceMethod::follow,      SurfaceMethod::level_set};

SurfaceMesh surface_of_sizes(SurfaceMethod method, const std::vector<Vec3>& points,
                             const std::vector<float>& size, float cell = 0.5f) {
  SurfaceOptions options;
  options.method = method;
  options.cell = cell;
  return Reconstruction(options).make({points, {}, s, size});
}

// A single particle of twice the radius has a surface of twice the size.
TEST(SurfaceOfSizes, BallsScaleWithTheirParticles) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}};
  for (const SurfaceMethod method : all_methods) {
    if (method == SurfaceMethod::level_set) continue;  // its front has one curvature term
    const SurfaceMesh mesh = surface_of_sizes(method, points, {1, 2}, 0.2f);
    float reach[2] = {};
    for (const Vec3& p : mesh.position) {
      const std::size_t k = p.x > 0.5f ? 1 : 0;
      reach[k] = std::max(reach[k], length(p - points[k]));
    }
    EXPECT_TRUE(is_closed_manifold(mesh));
    EXPECT_NEAR(reach[1] / reach[0], 2, 0.05) << surface_method_names[int(method)];
  }
}

TEST(SurfaceOfSizes, EqualSizesGiveTheMeshWithoutSizes) {
  std::vector<Vec3> points = ball(s, 6 * s, 0.1f);
  for (const SurfaceMethod method : all_methods) {
    const SurfaceMesh plain = surface_of_sizes(method, points, {});
    std::vector<float> size(points.size(), 1);
    const SurfaceMesh same = surface_of_sizes(method, points, size);
    EXPECT_TRUE(same.position == plain.position) << surface_method_names[int(method)];
    EXPECT_TRUE(same.triangles == plain.triangles);
  }
}

TEST(SurfaceOfSizes, LargeParticlesFarAwayDoNotChangeTheSurfaceOfOthers) {
  const std::vector<Vec3> points = ball(s, 6 * s, 0.1f);
  std::vector<Vec3> more = points;
  more.push_back({40 * s, 0, 0});
  std::vector<float> size(points.size(), 1);
  size.push_back(1.5f);
  for (const SurfaceMethod method : all_methods) {
    const SurfaceMesh plain = surface_of_sizes(method, points, {});
    const SurfaceMesh mesh = surface_of_sizes(method, more, size);
    std::vector<Vec3> near;
    for (const Vec3& p : mesh.position)
      if (p.x < 20 * s) near.push_back(p);
    ASSERT_EQ(near.size(), plain.position.size()) << surface_method_names[int(method)];
    double worst = 0;
    for (const Vec3& p : near) {
      double nearest = 1e9;
      for (const Vec3& q : plain.position) nearest = std::min(nearest, double(length(p - q)));
      worst = std::max(worst, nearest);
    }
    EXPECT_LT(worst, 1e-3 * s) << surface_method_names[int(method)];
  }
}

// Two blocks of equal extent, one of small particles, one of particles twice as wide: both have
// surfaces at their faces.
TEST(SurfaceOfSizes, BlocksOfSmallAndLargeParticlesHaveTheirExtents) {
  constexpr float side = 12 * s, gap = 20 * s;
  std::vector<Vec3> points;
  std::vector<float> size;
  for (const float own : {0.75f, 1.5f}) {
    const float pitch = own * s, offset = own < 1 ? 0 : gap;
    const int across = static_cast<int>(std::lround(side / pitch));
    for (int k = 0; k < across * across * across; ++k) {
      points.push_back(Vec3{float(k % across) + 0.5f, float(k / across % across) + 0.5f,
                            float(k / (across * across)) + 0.5f} *
                           pitch +
                       Vec3{offset, 0, 0});
      size.push_back(own);
    }
  }
  for (const SurfaceMethod method : all_methods) {
    const SurfaceMesh mesh = surface_of_sizes(method, points, size, 0.3f);
    const std::string name = surface_method_names[int(method)];
    EXPECT_TRUE(is_closed_manifold(mesh)) << name;
    EXPECT_EQ(mesh_components(mesh.triangles, mesh.position.size()).count, 2u) << name;
    for (int block = 0; block < 2; ++block) {
      float low = 1e9f, high = -1e9f;
      for (const Vec3& p : mesh.position) {
        if ((p.x > 16 * s) != (block == 1)) continue;
        low = std::min(low, p.y);
        high = std::max(high, p.y);
      }
      const float slack = (block == 0 ? 0.75f : 1.5f) * 0.2f * s;
      EXPECT_NEAR(low, 0, slack) << name << " block " << block;
      EXPECT_NEAR(high, side, slack) << name << " block " << block;
    }
  }
}

TEST(SurfaceOfSizes, ImpossibleSizesAreErrors) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}};
  for (const SurfaceMethod method : all_methods)
    for (const float wrong : {0.0f, -1.0f, NAN, INFINITY, 1000.0f})
      EXPECT_THROW(surface_of_sizes(method, points, {1, wrong}), Error) << wrong;
}

}  // namespace
}  // namespace panta
