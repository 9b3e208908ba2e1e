// Points in solids and on their surfaces: counts against volumes and areas, spacing, symmetry,
// distances.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "file_test_fixture.h"
#include "geometry_cases.h"
#include "panta/geometry/sample_surface.h"
#include "panta/geometry/sample_volume.h"
#include "panta/geometry/surface_cells.h"

namespace panta {
namespace {

using namespace panta::test;

constexpr float spacing = 0.1f;

struct Case {
  const char* name;
  Solid solid;
};
void PrintTo(const Case& value, std::ostream* out) { *out << value.name; }

std::vector<float> nearest_neighbours(const std::vector<Vec3>& points) {
  std::vector<float> nearest;
  for (std::size_t i = 0; i < points.size(); ++i) {
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t j = 0; j < points.size(); ++j)
      if (j != i) least = std::min(least, length(points[i] - points[j]));
    nearest.push_back(least);
  }
  return nearest;
}

class VolumeSampling : public testing::TestWithParam<Case> {};

TEST_P(VolumeSampling, PointsFillTheVolumeAndHaveTheirDistance) {
  const Solid& solid = GetParam().solid;
  EXPECT_NEAR(
      solid_volume(find_surface_cells(solid.distance, solid.min, solid.max, 0.05f)) / solid.volume,
      1, 2e-3);
  for (const Packing packing : {Packing::cubic, Packing::hexagonal}) {
    const SolidSamples samples =
        sample_volume(solid.distance, solid.min, solid.max, spacing, packing);
    const auto count = static_cast<double>(samples.position.size());
    EXPECT_NEAR(count * std::pow(double{spacing}, 3) / solid.volume, 1, 0.01);
    ASSERT_EQ(samples.distance.size(), samples.position.size());
    ASSERT_EQ(samples.gradient.size(), samples.position.size());
    for (std::size_t i = 0; i < samples.position.size(); i += 7) {
      const Distance d = solid.distance(samples.position[i]);
      EXPECT_EQ(samples.distance[i], d.value);
      EXPECT_EQ(samples.gradient[i], d.normal);
      EXPECT_LT(d.value, 0.5f * spacing);
    }
    EXPECT_TRUE(std::is_sorted(samples.position.begin(), samples.position.end(),
                               [](const Vec3& a, const Vec3& b) {
                                 return std::tie(a.z, a.y, a.x) < std::tie(b.z, b.y, b.x);
                               }));
  }
}

// 20 points across each solid.
INSTANTIATE_TEST_SUITE_P(Solids, VolumeSampling,
                         testing::Values(Case{"sphere", sphere_solid(1, {3, 1, -2})},
                                         Case{"cylinder", cylinder_solid(1, 1)},
                                         Case{"torus", torus_solid(2, 1)},
                                         Case{"cone", cone_solid(1, 2)},
                                         Case{"rotated_box", turned(box_solid({1, 0.8f, 0.6f}),
                                                                    axis_angle({1, 2, 3}, 0.7f))}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(VolumeSampling, BoxOfWholeCellsIsFilledHalfASpacingFromItsSides) {
  const Solid box = box_solid({1, 0.5f, 0.3f});
  const SolidSamples samples = sample_volume(box.distance, box.min, box.max, spacing);
  ASSERT_EQ(samples.position.size(), 20u * 10u * 6u);
  EXPECT_NEAR(samples.position[0].x, -0.95, 1e-6);
  EXPECT_NEAR(samples.position[0].z, -0.25, 1e-6);
  EXPECT_NEAR(samples.position[1].x, -0.85, 1e-6);
}

TEST(VolumeSampling, SphereIsMirrorSymmetric) {
  const Solid sphere = sphere_solid(1);
  const SolidSamples samples = sample_volume(sphere.distance, sphere.min, sphere.max, 0.11f);
  Vec3d sum;
  for (const Vec3& x : samples.position) sum += to_double(x);
  EXPECT_NEAR(length(sum), 0, 1e-3);
}

TEST(VolumeSampling, ClosePackingHasItsNeighbourDistance) {
  const Solid sphere = sphere_solid(0.5f);
  const SolidSamples samples =
      sample_volume(sphere.distance, sphere.min, sphere.max, spacing, Packing::hexagonal);
  for (const float nearest : nearest_neighbours(samples.position))
    ASSERT_NEAR(nearest, spacing * std::pow(2.0f, 1.0f / 6.0f), 1e-5);
}

TEST(VolumeSampling, ThinPlateGetsOneLayerAndEmptyShapeNone) {
  const Solid plate = box_solid({1, 0.01f, 1});
  EXPECT_EQ(sample_volume(plate.distance, plate.min, plate.max, spacing).position.size(), 400u);
  const auto nowhere = [](const Vec3&) { return Distance{1, {0, 1, 0}}; };
  EXPECT_TRUE(sample_volume(nowhere, {0, 0, 0}, {1, 1, 1}, spacing).position.empty());
}

TEST(VolumeSampling, InvalidSpacingIsAnError) {
  const Solid sphere = sphere_solid(1);
  for (const float wrong : {0.0f, -1.0f, NAN}) {
    expect_contains(
        error_message(ErrorKind::usage,
                      [&] { sample_volume(sphere.distance, sphere.min, sphere.max, wrong); }),
        "must be positive");
    expect_contains(
        error_message(ErrorKind::usage,
                      [&] { sample_surface(sphere.distance, sphere.min, sphere.max, wrong); }),
        "must be positive");
  }
  expect_contains(
      error_message(ErrorKind::usage,
                    [&] { sample_volume(sphere.distance, sphere.min, sphere.max, 1e-5f); }),
      "too small for a solid of 2 m");
  expect_contains(
      error_message(ErrorKind::usage,
                    [&] { sample_surface(sphere.distance, sphere.min, sphere.max, 1e-5f); }),
      "too small for a solid of 2 m");
}

class SurfaceSampling : public testing::TestWithParam<Case> {};

TEST_P(SurfaceSampling, PointsAreEvenlySpacedOnTheSurface) {
  const Solid& solid = GetParam().solid;
  for (const float pitch : {0.1f, 0.17f}) {
    const SurfaceSamples samples = sample_surface(solid.distance, solid.min, solid.max, pitch);
    const auto count = static_cast<double>(samples.position.size());
    EXPECT_NEAR(count * pitch * pitch / solid.area, 1, 0.1);
    for (std::size_t i = 0; i < samples.position.size(); ++i) {
      const Distance d = solid.distance(samples.position[i]);
      ASSERT_LT(std::abs(d.value), 0.01f * pitch);
      ASSERT_EQ(samples.normal[i], d.normal);
    }
    for (const float nearest : nearest_neighbours(samples.position)) {
      ASSERT_GT(nearest, 0.7f * pitch);
      ASSERT_LT(nearest, 1.3f * pitch);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solids, SurfaceSampling,
                         testing::Values(Case{"sphere", sphere_solid(1, {3, 1, -2})},
                                         Case{"box", box_solid({1, 1.3f, 0.9f})},
                                         Case{"torus", torus_solid(1.2f, 0.5f)},
                                         Case{"cone", cone_solid(1, 2)},
                                         Case{"cylinder", cylinder_solid(1, 1)}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(SurfaceSampling, BothSidesOfAThinPlateAreCovered) {
  const Solid plate = box_solid({1, 0.01f, 1});
  const SurfaceSamples samples = sample_surface(plate.distance, plate.min, plate.max, spacing);
  double above = 0, below = 0;
  for (const Vec3& normal : samples.normal) {
    above += normal.y > 0.9f;
    below += normal.y < -0.9f;
  }
  EXPECT_NEAR(above, 400, 60);
  EXPECT_NEAR(below, 400, 60);
}

}  // namespace
}  // namespace panta
