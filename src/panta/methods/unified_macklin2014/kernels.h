// The density of particles and its gradient.
//
//   W(r) = (1 - r/h)^2,   dW/dr = -(2/h) (1 - r/h)
//   rho_i / rho_0 = (W(0) + sum_j W(r_ij)) / full,   full: that sum in a cubic lattice
//
// The papers leave the kernel open; Macklin and Mueller (2013) take poly6 for the density and spiky
// for its gradient. Here the gradient is that of the density itself, so that constraints are what
// they seem and momentum and energy are kept; its slope grows towards r = 0, so that particles do
// not pair up; and compressing a lattice by a per cent raises the density by 0.93 per cent (poly6
// 1.10, spiky 0.68 at h = 1.82 spacings).
//
// Particles that have moved about lie less regularly than a lattice, and the same number of them in
// the same space gives a smaller sum. Where a liquid in motion should fill what its particles stand
// for, that sum is its rest density, `rest` of the lattice's (measured: kernels.cpp).
#pragma once

#include <vector>

#include "panta/core/pack.h"
#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"
#include "panta/walls/wall_table.h"

namespace panta::unified {

struct DensityKernel {
  float h = 1, inverse_h = 1;
  float inverse_full = 1;    // 1 / full
  float slope_scale = 1;     // 2 / (h full)
  float stiffest_scale = 1;  // see stiffest()
  float full_reach = 1;      // the sum of reach() over a lattice
  float moment_scale = 1;    // makes the sum of reach/r d (x) d of a lattice the identity
  float dimensions = 3;
  float rest = 1;  // the density of a liquid in which particles have found their places

  // 1 - r/h inside the support, 0 outside.
  template <class F>
  PANTA_HD F reach(F r2) const {
    return maximum(1.0f - square_root(r2) * inverse_h, 0.0f);
  }
  // That over r.
  template <class F>
  PANTA_HD F reach_over_r(F r2) const {
    return reach(r2) * reciprocal(maximum(square_root(r2), 1e-12f));
  }

  // A bound of the largest eigenvalue of J J^T around a particle, from sums of (1 - r/h) over its
  // neighbours: they all pull their way at most. Where all particles weigh the same both sums are
  // the same; else they are those of a row and of columns of J (constraints/density.h). The factor
  // is that of a full lattice, in which the stiffest pattern, a wave four spacings long, is known.
  PANTA_HD float stiffest(float row, float column) const { return stiffest_scale * row * column; }

  // What a particle that stands for v of its material counts in its own density, for W(0) = 1.
  // It is no point, and its neighbours are farther away: with v itself it would push them too far.
  // In tanks with v from 1/2 to 2 at random, those with v > 1 then had twice the pressure of the
  // others and the volume was 5 per cent too large; with v^(2/3) it is 1.1 times, and 1 per cent
  // too small. The bound leaves it neighbours to push:
  // without them the constraint has no solution, and the liquid gains energy.
  PANTA_HD float own_part(float v) const {
    constexpr float most = 0.7f;  // of the rest density, reached at v = 2.7 with the usual support
    const float edge = cbrtf(v);
    return minimum(edge * edge, most * rest / inverse_full);
  }
};

// What a wall adds for a particle at a distance from it: the share of the full density that liquid
// behind the wall would give, and its slope. `along` and `across` are parts of the moment of the
// neighbours (solver/moment.h).
struct WallShare {
  static constexpr int table_size = 64;
  float share = 0, slope = 0;  // slope: -d share / d distance, 1/m
  float along = 0, across = 0;

  friend PANTA_HD WallShare interpolate(const WallShare& a, const WallShare& b, float w) {
    return {a.share + w * (b.share - a.share), a.slope + w * (b.slope - a.slope),
            a.along + w * (b.along - a.along), a.across + w * (b.across - a.across)};
  }
};

DensityKernel make_density_kernel(double support, double spacing, int dimensions);
std::vector<WallShare> make_wall_shares(double support, double spacing, int dimensions);

// The sum over a full lattice of |r| |grad W| / full: turns multipliers into pressures (README.md).
double lattice_first_moment(double support, double spacing, int dimensions);

// The sum of W r^2 over the sum of W in a full lattice, m^2: what XSPH diffuses velocity by.
double lattice_second_moment(double support, double spacing, int dimensions);

}  // namespace panta::unified
