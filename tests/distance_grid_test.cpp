// Distance grids against the solids they store: values, normals, signs far away and outside the
// box.
#include "panta/geometry/distance_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "file_test_fixture.h"
#include "geometry_cases.h"
#include "panta/core/random.h"

namespace panta {
namespace {

using namespace panta::test;

constexpr float cell = 1.0f / 16;
constexpr float band = 3 * cell;

// A point in the solid's box grown by `margin`.
Vec3 random_point(const Solid& solid, std::uint64_t i, float margin) {
  Vec3 x;
  for (int axis = 0; axis < 3; ++axis) {
    const float lo = solid.min[axis] - margin, hi = solid.max[axis] + margin;
    x[axis] = lo + (hi - lo) * random_uniform(3, i, static_cast<std::uint64_t>(axis));
  }
  return x;
}

DistanceGrid grid_of(const Solid& solid) {
  return DistanceGrid(solid.distance, solid.min, solid.max, cell, band);
}

// Radii of curvature of 16 cells: the limits are one per cent of a cell, and of a radian.
TEST(DistanceGrid, CurvedSurfacesAreStoredToAThousandthOfACell) {
  for (const Solid& solid : {sphere_solid(1, {0.3f, -2, 5}), torus_solid(2.5f, 1)}) {
    const DistanceGrid grid = grid_of(solid);
    const DistanceGridView view = grid.host_view();
    for (std::uint64_t i = 0; i < 40000; ++i) {
      const Vec3 x = random_point(solid, i, band);
      const Distance expected = solid.distance(x), found = distance(view, x);
      if (std::abs(expected.value) > band) continue;
      ASSERT_NEAR(found.value, expected.value, 1e-3f * cell);
      ASSERT_LT(length(found.normal - expected.normal), 2e-3f);
      ASSERT_NEAR(length(found.normal), 1, 1e-5);
    }
  }
}

TEST(DistanceGrid, FlatSidesAreExactAndEdgesWithinAQuarterOfACell) {
  const Solid box = box_solid({1, 1.3f, 0.9f});
  const DistanceGrid grid = grid_of(box);
  const DistanceGridView view = grid.host_view();
  for (std::uint64_t i = 0; i < 40000; ++i) {
    const Vec3 x = random_point(box, i, band);
    const Distance expected = box.distance(x), found = distance(view, x);
    if (std::abs(expected.value) > band) continue;
    ASSERT_NEAR(found.value, expected.value, 0.25f * cell);
    std::array<float, 3> to_side;
    for (int axis = 0; axis < 3; ++axis)
      to_side[static_cast<std::size_t>(axis)] = std::abs(std::abs(x[axis]) - box.max[axis]);
    std::sort(to_side.begin(), to_side.end());
    if (to_side[1] < band + 2 * cell) continue;  // a second side is near: an edge
    ASSERT_NEAR(found.value, expected.value, 1e-4f * cell);
    ASSERT_LT(length(found.normal - expected.normal), 1e-4f);
  }
}

TEST(DistanceGrid, FarAwayTheSignIsRightAndTheDistanceApproximate) {
  for (const Solid& solid : {sphere_solid(1.5f), torus_solid(2.5f, 1), box_solid({2, 2, 2})}) {
    const DistanceGrid grid = grid_of(solid);
    const DistanceGridView view = grid.host_view();
    EXPECT_LT(grid.samples().size() / brick_samples, grid.brick().size());
    for (std::uint64_t i = 0; i < 20000; ++i) {
      const Vec3 x = random_point(solid, i, 4);
      const Distance expected = solid.distance(x), found = distance(view, x);
      if (std::abs(expected.value) <= band) continue;
      ASSERT_EQ(found.value < 0, expected.value < 0);
      ASSERT_GE(std::abs(found.value), 0.9f * band);
      ASSERT_NEAR(found.value, expected.value, brick_cells * cell);
      ASSERT_NEAR(length(found.normal), 1, 1e-4);
      if (expected.value > 1) {
        ASSERT_GT(dot(found.normal, expected.normal), 0.8f);
      }
    }
  }
}

TEST(DistanceGrid, IsContinuousAcrossCellsAndBricks) {
  const Solid sphere = sphere_solid(1);
  const DistanceGrid grid = grid_of(sphere);
  const DistanceGridView view = grid.host_view();
  for (int k = 0; k < 32; ++k) {
    const float plane = view.origin.x + static_cast<float>(k) * cell;
    const float y = std::sqrt(std::max(0.0f, 1 - plane * plane));
    const Vec3 before{plane - 1e-5f, y, 0.01f}, after{plane + 1e-5f, y, 0.01f};
    if (std::abs(sphere.distance(before).value) > 0.9f * band) continue;
    EXPECT_NEAR(distance(view, before).value, distance(view, after).value, 4e-5f);
  }
}

TEST(DistanceGrid, OfAMeshAgreesWithTheSolid) {
  const Solid sphere = sphere_solid(1);
  const DistanceGrid grid = make_distance_grid(icosphere(1, 4), 0.1f, 0.2f);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Vec3 x = random_point(sphere, i, 0.2f);
    const Distance expected = sphere.distance(x), found = distance(grid.host_view(), x);
    if (std::abs(expected.value) > 0.2f) continue;
    ASSERT_NEAR(found.value, expected.value, 3e-3);
    ASSERT_GT(dot(found.normal, expected.normal), 0.99f);
  }
  EXPECT_NEAR(grid.solid_max().x, 1, 0.02);
}

TEST(DistanceGrid, InvalidPointsReadNothingOutside) {
  const DistanceGrid grid = grid_of(sphere_solid(1));
  EXPECT_TRUE(std::isnan(distance(grid.host_view(), {NAN, 0, 0}).value));
  EXPECT_GT(distance(grid.host_view(), {1e30f, 0, 0}).value, 1e29f);
}

TEST(DistanceGrid, InvalidSizesAreErrors) {
  const Solid sphere = sphere_solid(1);
  const auto refusal = [&](const Vec3& max, float size, float reach) {
    return error_message(ErrorKind::usage,
                         [&] { DistanceGrid(sphere.distance, sphere.min, max, size, reach); });
  };
  expect_contains(refusal(sphere.max, 0, 1), "needs a positive cell");
  expect_contains(refusal(sphere.max, 0.1f, -1), "needs a positive cell");
  expect_contains(refusal({NAN, 1, 1}, 0.1f, 0.1f), "along x");
  expect_contains(refusal(sphere.max, 1e-4f, 1e-3f), "cells of 0.0001 m would take");
  expect_contains(refusal(sphere.max, 2e-3f, 0.05f), "use larger cells");
}

}  // namespace
}  // namespace panta
