// Fluids filled with particles: counts, distances to faces, periods, bodies and overlaps.
#include "panta/scene/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/core/error.h"

namespace panta {
namespace {

Scene scene_with(const Shape& shape, double spacing = 0.1) {
  Scene scene;
  scene.spacing = spacing;
  scene.materials = {{}};
  scene.fluids = {{0, shape, {}}};
  return scene;
}

Vec3 lowest(const SampledParticles& set) {
  Vec3 low = set.position.at(0);
  for (const Vec3& x : set.position)
    for (int axis = 0; axis < 3; ++axis) low[axis] = std::min(low[axis], x[axis]);
  return low;
}

std::string sample_error(const Scene& scene) {
  try {
    sample_fluids(scene);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(Sample, BoxOfWholeCellsIsFilledHalfASpacingFromItsFaces) {
  const Scene scene = scene_with(Shape::box({0, 0, 0}, {0.4f, 0.8f, 0.4f}), 0.02);
  const SampledParticles set = sample_fluids(scene);
  EXPECT_EQ(set.size(), 20u * 40u * 20u);
  EXPECT_NEAR(lowest(set).x, 0.01, 1e-6);
  EXPECT_NEAR(lowest(set).y, 0.01, 1e-6);
  EXPECT_NEAR(set.position[1].x - set.position[0].x, 0.02, 1e-6);
  EXPECT_EQ(estimate_particles(scene), 16000);
}

Vec3 highest(const SampledParticles& set) {
  Vec3 x = set.position.front();
  for (const Vec3& p : set.position)
    for (int axis = 0; axis < 3; ++axis) x[axis] = std::max(x[axis], p[axis]);
  return x;
}

TEST(Sample, BoxesHaveTheirVolumeAndExtentAtAnySpacing) {
  const Vec3 sizes[] = {{0.4f, 0.4f, 0.4f}, {0.3f, 0.16f, 0.2f}, {0.45f, 0.1f, 0.17f}};
  for (const Vec3& size : sizes)
    for (int k = 0; k <= 40; ++k) {
      const double spacing = 0.01 + 0.0005 * k;
      const SampledParticles set = sample_fluids(scene_with(Shape::box({0, 0, 0}, size), spacing));
      const double filled = static_cast<double>(set.size()) * std::pow(spacing, 3);
      const bool coarse = 0.1 < 5 * spacing;  // of the thinnest box
      EXPECT_NEAR(filled / (double{size.x} * size.y * size.z), 1, coarse ? 0.04 : 0.01)
          << spacing << " in " << size.x;
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(lowest(set)[axis] / spacing, 0.5, 0.21) << spacing << " in " << size.x;
        // Above the last full layer is one that is partly filled.
        EXPECT_NEAR((size[axis] - highest(set)[axis]) / spacing, axis == 1 ? 0 : 0.5,
                    axis == 1 ? 0.51 : 0.21)
            << spacing;
      }
    }
}

TEST(Sample, ShapesInThePlaneHaveTheirArea) {
  const double pi = std::numbers::pi;
  for (int k = 0; k <= 40; ++k) {
    const double spacing = 0.02 + 0.001 * k;
    Scene scene = scene_with(Shape::sphere({0.31f, 0.42f, 0}, 0.5f), spacing);
    scene.dimensions = 2;
    const auto round = static_cast<double>(sample_fluids(scene).size());
    EXPECT_NEAR(round * spacing * spacing / (0.25 * pi), 1, 0.025) << spacing;
    scene.fluids[0].shape =
        intersect(Shape::box({0, 0, -1}, {1, 0.5f, 1}), Shape::plane({0, 0.1f, 0}, {-0.3f, 1, 0}));
    const auto slanted = static_cast<double>(sample_fluids(scene).size());
    EXPECT_NEAR(slanted * spacing * spacing / 0.25, 1, 0.025) << spacing;
  }
}

TEST(Sample, ThinBoxHasOneLayer) {
  EXPECT_EQ(sample_fluids(scene_with(Shape::box({0, 0, 0}, {1, 1, 0.01f}))).size(), 100u);
}

TEST(Sample, RoundShapesHaveTheirVolume) {
  const double pi = std::numbers::pi;
  const Scene sphere = scene_with(Shape::sphere({0.3f, -1, 2}, 1), 0.05);
  const Scene cylinder = scene_with(Shape::cylinder({0, 0, 0}, {0, 2, 0}, 0.5f), 0.05);
  EXPECT_NEAR(static_cast<double>(sample_fluids(sphere).size()) * 1.25e-4 / (4 * pi / 3), 1, 0.02);
  EXPECT_NEAR(static_cast<double>(sample_fluids(cylinder).size()) * 1.25e-4 / (pi / 2), 1, 0.02);
  EXPECT_NEAR(estimate_particles(cylinder) * 1.25e-4 / (pi / 2), 1, 0.02);
  EXPECT_NEAR(lowest(sample_fluids(cylinder)).y, 0.025, 1e-6);
}

TEST(Sample, TiltedCylinderHasItsVolume) {
  const Scene scene = scene_with(Shape::cylinder({0, 0, 0}, {1, 1, 1}, 0.4f), 0.04);
  const double volume = std::numbers::pi * 0.16 * std::sqrt(3.0);
  EXPECT_NEAR(static_cast<double>(sample_fluids(scene).size()) * 6.4e-5 / volume, 1, 0.02);
}

TEST(Sample, TwoDimensionsHaveOneLayerInThePlane) {
  Scene scene = scene_with(Shape::box({0, 0, -1e6f}, {1, 0.5f, 1e6f}));
  scene.dimensions = 2;
  const SampledParticles set = sample_fluids(scene);
  EXPECT_EQ(set.size(), 50u);
  EXPECT_EQ(set.position[7].z, 0);
}

TEST(Sample, WallsCutTheFluid) {
  Scene scene = scene_with(Shape::box({-1, 0, 0}, {1, 1, 1}));
  scene.has_domain = true;
  scene.domain = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, {true}, {}, {}};
  const SampledParticles set = sample_fluids(scene);
  EXPECT_EQ(set.size(), 15u * 10u * 10u);
  EXPECT_NEAR(lowest(set).x, -0.45, 1e-6);
}

TEST(Sample, LatticeContinuesAcrossAPeriod) {
  Scene scene = scene_with(Shape::box({0, 0, 0}, {1, 0.5f, 0.5f}), 0.0333);
  scene.has_domain = true;
  scene.domain = {{0, 0, 0}, {1, 1, 1}, {}, {true}, {}};
  const SampledParticles set = sample_fluids(scene);
  const double first = set.position[0].x, second = set.position[1].x;
  EXPECT_NEAR(set.position[29].x + (second - first), 1 + first, 1e-6);
  scene.spacing = 0.3;
  EXPECT_NE(sample_error(scene).find("use 0.25 or 0.333333"), std::string::npos)
      << sample_error(scene);
}

TEST(Sample, BodiesContainNoFluid) {
  Scene scene = scene_with(Shape::box({0, 0, 0}, {1, 1, 1}));
  scene.bodies = {{Shape::box({0, 0, 0}, {0.5f, 1, 1})}};
  EXPECT_EQ(sample_fluids(scene).size(), 500u);
  scene.bodies[0].hollow = true;
  EXPECT_EQ(sample_fluids(scene).size(), 500u);
  scene.bodies = {{Shape::box({-1, -1, -1}, {2, 2, 2})}};
  EXPECT_NE(sample_error(scene).find("fluids.0 ('water') contains no particle"), std::string::npos);
}

TEST(Sample, OverlappingFluidsAreAnError) {
  Scene scene = scene_with(Shape::box({0, 0, 0}, {1, 1, 1}));
  scene.materials.push_back({"oil", 900, 0.1, 0});
  scene.fluids.push_back({1, Shape::box({0, 1, 0}, {1, 2, 1}), {1, 2, 3}});
  const SampledParticles set = sample_fluids(scene);
  EXPECT_EQ(set.size(), 2000u);
  EXPECT_EQ(set.phase.front(), 0u);
  EXPECT_EQ(set.phase.back(), 1u);
  EXPECT_EQ(set.velocity.back().z, 3);
  scene.fluids[1].shape = Shape::box({0, 0.9f, 0}, {1, 2, 1});
  EXPECT_EQ(sample_error(scene), "fluids.0 ('water') and fluids.1 ('oil') overlap");
}

// A ball of oil in the hole that was cut out of water for it.
TEST(Sample, FluidsMayShareABoundary) {
  constexpr double spacing = 0.05, radius = 0.3;

  for (const int dimensions : {2, 3}) {
    const float low = dimensions == 2 ? -0.5f : 0, middle = low + 0.5f;
    const Shape box = Shape::box({0, 0, low}, {1, 1, low + 1});
    const Shape hole = Shape::sphere({0.5f, 0.5f, middle}, radius);
    for (const float jitter : {0.0f, 0.1f, 0.3f, 0.5f}) {
      Scene scene = scene_with(subtract(box, hole), spacing);
      scene.dimensions = dimensions;
      scene.materials.push_back({.name = "oil"});
      scene.fluids.push_back({1, hole, {}});
      for (Fluid& fluid : scene.fluids) fluid.jitter = jitter;
      const SampledParticles set = sample_fluids(scene);
      const double wanted = std::pow(1 / spacing, dimensions);
      EXPECT_NEAR(static_cast<double>(set.size()) / wanted, 1, 0.03) << dimensions << " " << jitter;
      EXPECT_EQ(set.velocity.size(), set.size());
      EXPECT_EQ(set.phase.size(), set.size());
      if (jitter > 0) continue;
      double closest = 1;
      for (std::size_t i = 0; i < set.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          closest = std::min(closest, double{length(set.position[i] - set.position[j])});
      EXPECT_GE(closest, 0.5 * spacing) << dimensions;
    }
  }
}

TEST(Sample, FluidsMayNotOverlap) {
  Scene scene = scene_with(Shape::box({0, 0, 0}, {1, 1, 1}), 0.05);
  scene.fluids.push_back({0, Shape::box({0.9f, 0, 0}, {2, 1, 1}), {}});
  for (const float jitter : {0.0f, 0.3f}) {
    for (Fluid& fluid : scene.fluids) fluid.jitter = jitter;
    EXPECT_NE(sample_error(scene).find("overlap"), std::string::npos) << jitter;
  }
}

}  // namespace
}  // namespace panta
