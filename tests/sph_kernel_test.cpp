// The smoothing kernels of Mueller et al. 2003 against their definitions, and the calibration.
#include <gtest/gtest.h>

#include <cmath>

#include "panta/methods/sph_mueller2003/calibration.h"

namespace panta::sph {
namespace {

class KernelTest : public ::testing::TestWithParam<int> {
 protected:
  ReferenceKernels kernels{GetParam(), 0.7};

  // Integral over the ball (or disc) of radius h, without r = 0, where the viscosity kernel is
  // singular.
  template <class F>
  double integrate(const F& f) const {
    constexpr int n = 20000;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      const double r = (k + 0.5) * kernels.h / n;
      sum += f(r) * (kernels.dim == 3 ? 4 * pi * r * r : 2 * pi * r) * kernels.h / n;
    }
    return sum;
  }
};

TEST_P(KernelTest, IntegrateToOne) {
  EXPECT_NEAR(integrate([&](double r) { return kernels.poly6(r); }), 1, 1e-6);
  EXPECT_NEAR(integrate([&](double r) { return kernels.spiky(r); }), 1, 1e-6);
  EXPECT_NEAR(integrate([&](double r) { return kernels.viscosity(r); }), 1, 1e-6);
}

TEST_P(KernelTest, VanishAtTheSupport) {
  const double h = kernels.h;
  for (const double value :
       {kernels.poly6(h), kernels.spiky(h), kernels.viscosity(h), kernels.poly6_slope(h),
        kernels.spiky_slope(h), kernels.viscosity_laplacian(h), kernels.poly6_laplacian(h)})
    EXPECT_EQ(value, 0);
  EXPECT_NEAR(kernels.viscosity(h * (1 - 1e-6)), 0, 1e-9);
}

TEST_P(KernelTest, SlopesAndLaplaciansMatchDifferences) {
  const double e = 1e-5;
  const auto slope = [&](auto f, double r) { return (f(r + e) - f(r - e)) / (2 * e); };
  const auto laplacian = [&](auto f, double r) {
    const double second = (f(r + e) - 2 * f(r) + f(r - e)) / (e * e);
    return second + (kernels.dim - 1) / r * slope(f, r);
  };
  const auto poly6 = [&](double r) { return kernels.poly6(r); };
  const auto spiky = [&](double r) { return kernels.spiky(r); };
  const auto viscosity = [&](double r) { return kernels.viscosity(r); };
  for (const double r : {0.1, 0.25, 0.4, 0.6}) {
    EXPECT_NEAR(kernels.poly6_slope(r), slope(poly6, r), 1e-5);
    EXPECT_NEAR(kernels.spiky_slope(r), slope(spiky, r), 1e-5);
    EXPECT_NEAR(kernels.poly6_laplacian(r), laplacian(poly6, r), 1e-3);
    EXPECT_NEAR(kernels.viscosity_laplacian(r), laplacian(viscosity, r), 1e-3);
  }
}

TEST_P(KernelTest, PairLoopsUseTheSameKernels) {
  for (const KernelChoice choice : {KernelChoice::spiky, KernelChoice::mueller2003}) {
    kernels.choice = choice;
    const LatticeFactors exact;  // ones: no calibration
    const KernelConstants c = calibrated_constants(kernels, exact, 0.3);
    for (const float r : {0.0f, 0.1f, 0.3f, 0.5f, 0.69f, 0.8f}) {
      EXPECT_NEAR(c.density_factor * c.density_shape(r * r), kernels.density(r), 2e-5);
      if (r > 0) {
        EXPECT_NEAR(c.pressure_factor * c.pressure_shape(r) * r, -kernels.spiky_slope(r), 2e-5);
      }
    }
  }
}

// The scaled sums are exact on the lattice, and a wall contributes as much as the lattice behind it
// would.
TEST_P(KernelTest, CalibrationMakesTheLatticeExact) {
  for (const double spacing : {0.35, 0.3, 0.2}) {
    const LatticeFactors f = lattice_factors(kernels, spacing);
    EXPECT_NEAR(f.density, 1, 0.45);
    EXPECT_NEAR(f.pressure, 1, 0.15);
    EXPECT_NEAR(f.viscosity, 1, 0.2);
    const std::vector<WallEntry> table = make_wall_table(kernels, f, spacing);
    const WallTable<WallEntry> walls{table.data(), float(1 / kernels.h)};
    // For a particle in the first layer: its own layer and those in front plus the wall give 1.
    const int reach = int(kernels.h / spacing) + 1;
    double in_front = 0;
    for (int x = -reach; x <= reach; ++x)
      for (int y = 0; y <= reach; ++y)
        for (int z = kernels.dim == 3 ? -reach : 0; z <= (kernels.dim == 3 ? reach : 0); ++z)
          in_front += std::pow(spacing, kernels.dim) / f.density *
                      kernels.density(spacing * std::sqrt(double(x * x + y * y + z * z)));
    EXPECT_NEAR(in_front + walls.at(float(spacing / 2)).filled, 1, 0.12) << spacing;
    EXPECT_EQ(walls.at(float(kernels.h)).filled, 0);
    EXPECT_EQ(walls.at(1e30f).push, 0);
    EXPECT_LE(walls.at(-1).filled, 0.7f);  // inside the wall: as at its surface
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, KernelTest, ::testing::Values(2, 3));

}  // namespace
}  // namespace panta::sph
