// Gradients of the density constraint against differences of its value.
#include "panta/methods/unified_macklin2014/kernels.h"
#include "panta/solver/lattice.h"

#include <gtest/gtest.h>

#include <cmath>

namespace panta::unified {
namespace {

constexpr double support = 0.1, spacing = 0.055;

class UnifiedKernelTest : public ::testing::TestWithParam<int> {
 protected:
  DensityKernel kernel = make_density_kernel(support, spacing, GetParam());
};

TEST_P(UnifiedKernelTest, PairGradientMatchesTheDensity) {
  const auto density = [&](const Vec3& d) {
    const float reach = kernel.reach(dot(d, d));
    return double(reach) * reach * kernel.inverse_full;
  };
  const float e = 2e-3f * kernel.h;
  for (const float r : {0.1f, 0.4f, 0.7f, 0.95f}) {
    const Vec3 d = normalized(Vec3{0.3f, -0.8f, 0.5f}) * (r * kernel.h);
    const float push = kernel.slope_scale * kernel.reach_over_r(dot(d, d));
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 ahead = d, behind = d;
      ahead[axis] += e;
      behind[axis] -= e;
      // Towards the other particle the density grows, and the correction points away from it.
      const double slope = (density(ahead) - density(behind)) / (2 * e);
      EXPECT_NEAR(-push * d[axis], slope, 2e-3 * kernel.slope_scale) << r << " axis " << axis;
    }
  }
}

TEST_P(UnifiedKernelTest, IsZeroBeyondTheSupport) {
  for (const float r : {1.0f, 1.5f, 1e15f}) {
    EXPECT_EQ(kernel.reach(r * r * kernel.h * kernel.h), 0);
    EXPECT_EQ(kernel.reach_over_r(r * r * kernel.h * kernel.h), 0);
  }
}

TEST_P(UnifiedKernelTest, WallGradientMatchesItsDensity) {
  const std::vector<WallShare> table = make_wall_shares(support, spacing, GetParam());
  const float radius = static_cast<float>(reference_sphere) * kernel.h;
  const float parts = static_cast<float>(GetParam() - 1);
  const WallTable<WallShare> shares{table.data(), kernel.inverse_h, radius / parts};
  ASSERT_EQ(table.size(), std::size_t(2 * WallShare::table_size));
  for (const float curvature : {0.0f, 0.5f * parts / radius, parts / radius}) {
    const auto at = [&](float distance) {
      WallContact c;
      c.distance = distance;
      c.curvature = curvature;
      return shares.at(c);
    };
    EXPECT_GT(at(0.2f * kernel.h).share, 0);
    EXPECT_NEAR(at(kernel.h).share, 0, 1e-6);
    const float cell = kernel.h / (WallShare::table_size - 1);
    for (int k = 2; k < WallShare::table_size - 2; ++k) {
      const float x = cell * static_cast<float>(k);
      const float slope = (at(x - cell).share - at(x + cell).share) / (2 * cell);
      EXPECT_NEAR(at(x).slope, slope, 0.02f * table[2].slope + 0.02f * slope) << k;
    }
  }
}

// Half of the space is behind a flat wall through the particle, less behind a ball. The moment of
// neighbours before the wall and of the wall is that of a whole neighbourhood.
TEST_P(UnifiedKernelTest, CurvedWallsFillLessAndCompleteTheMoment) {
  const std::vector<WallShare> table = make_wall_shares(support, spacing, GetParam());
  const WallShare &flat = table[10], &sphere = table[WallShare::table_size + 10];
  EXPECT_LT(sphere.share, 0.95f * flat.share);
  EXPECT_GT(sphere.share, 0.4f * flat.share);
  double across = 0, along = 0;  // of places above a wall half a spacing below the particle
  each_in_lattice(support, spacing, GetParam(), [&](double x, double y, double, double r) {
    if (y < -0.25 * spacing) return;
    const double part = kernel.moment_scale * (1 - r / support) / r;
    across += part * y * y;
    along += part * x * x;
  });
  const float half = 0.5f * static_cast<float>(spacing) / kernel.h * (WallShare::table_size - 1);
  const WallShare& wall = table[static_cast<std::size_t>(half + 0.5f)];
  EXPECT_NEAR(across + wall.across, 1, 0.05);
  EXPECT_NEAR(along + wall.along, 1, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, UnifiedKernelTest, ::testing::Values(2, 3));

}  // namespace
}  // namespace panta::unified
