// Depths and normals of a solid's particles if the shape's own distance is exact and if it is only
// a bound.
#include <algorithm>
#include <cmath>

#include "solid_samples.h"

namespace panta {
namespace {

TEST(SolidDepth, DepthInASphereMatchesTheClosedForm) {
  const Vec3 centre{0.2f, -0.1f, 0.4f};
  const SolidParticles solids = sample_solids(scene_with(Shape::sphere(centre, 0.55f)));
  expect_depths(
      solids, [&](const Vec3& x) { return length(x - centre) - 0.55f; }, 1e-5f);
  for (std::size_t i = 0; i < solids.surface.size(); ++i) {
    const Vec3 out = solids.particles.position[i] - centre;
    if (!(length(out) > 0.01f)) continue;
    EXPECT_GT(dot(solids.surface[i].xyz(), normalized(out)), 0.9999f);
  }
}

TEST(SolidDepth, DepthInAnEllipsoidLeadsToItsSurface) {
  // Its own distance is right to first order only. On the axes the depth is known.
  const SolidParticles solids =
      sample_solids(scene_with(Shape::ellipsoid({0, 0, 0}, {0.9f, 0.35f, 0.35f})));
  expect_unit_normals(solids);
  float deepest = 0;
  for (std::size_t i = 0; i < solids.surface.size(); ++i) {
    const Vec4 s = solids.surface[i];
    deepest = std::min(deepest, s.w);
    const Vec3 end = solids.particles.position[i] - s.xyz() * s.w;
    const Vec3 p{end.x / 0.9f, end.y / 0.35f, end.z / 0.35f};
    EXPECT_NEAR(length(p), 1, 0.02f);
  }
  EXPECT_NEAR(deepest, -0.35f, 0.01f);
}

TEST(SolidDepth, SeamsOfAUnionAreInside) {
  const Vec3 high{0.8f, 0.6f, 0.6f};
  const Shape halves =
      unite(Shape::box({0, 0, 0}, {0.4f, 0.6f, 0.6f}), Shape::box({0.4f, 0, 0}, high));
  const auto truth = [&](const Vec3& x) {
    float depth = 1;
    for (int axis = 0; axis < 3; ++axis) depth = std::min({depth, x[axis], high[axis] - x[axis]});
    return -depth;
  };
  const SolidParticles even = sample_solids(scene_with(halves));
  EXPECT_EQ(even.particles.size(), 8u * 6u * 6u);
  expect_depths(even, truth, 1e-3f);
  // Here a layer of particles lies in the seam itself.
  const SolidParticles odd = sample_solids(scene_with(halves, 0.16));
  EXPECT_EQ(odd.particles.size(), 5u * 4u * 4u);
  expect_depths(odd, truth, 1e-3f);
}

TEST(SolidDepth, HollowSolidsUseBothSurfaces) {
  const Shape pipe = subtract(Shape::cylinder({0, 0, 0}, {0, 1, 0}, 0.5f),
                              Shape::cylinder({0, -1, 0}, {0, 2, 0}, 0.2f));
  const auto truth = [](const Vec3& x) {
    const float radial = std::hypot(x.x, x.z);
    return -std::min({0.5f - radial, radial - 0.2f, x.y, 1 - x.y});
  };
  expect_depths(sample_solids(scene_with(pipe, 0.05)), truth, 3e-3f);
}

// Thinner than the cells of the mesh of a solid of this size.
TEST(SolidDepth, ThinWallsOfLargeSolidsUseBothSurfaces) {
  const Shape outer = Shape::box({0, 0, 0}, {2, 0.3f, 1});
  const Shape inner = Shape::box({0.015f, 0.015f, 0.015f}, {1.985f, 0.285f, 0.985f});
  const auto truth = [&](const Vec3& x) {
    return std::max(distance(outer, x).value, -distance(inner, x).value);
  };
  expect_depths(sample_solids(scene_with(subtract(outer, inner), 0.0125)), truth, 1e-3f);
}

}  // namespace
}  // namespace panta
