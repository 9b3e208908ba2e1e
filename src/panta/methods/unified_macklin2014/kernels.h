// The density of particles and its gradient.
//
//   W(r) = (1 - r/h)^2,   dW/dr = -(2/h) (1 - r/h)
//   rho_i / rho_0 = (W(0) + sum_j W(r_ij)) / full,   full: that sum in a cubic lattice
//
// The papers leave the kernel open; Macklin and Mueller (2013) take poly6 for the density and spiky
// for its gradient. Here the gradient is that of the density itself, so that pushes are the
// gradient of the constraints and momentum and energy are conserved; its slope grows towards r = 0,
// which prevents pairing; and compressing a lattice by a per cent raises the density by 0.93 per
// cent (poly6 1.10, spiky 0.68 at h = 1.82 spacings).
//
// A liquid that has moved is less regular than a lattice, and the same number of particles in the
// same space gives a smaller sum. So that it keeps its volume, that sum is its rest density, `rest`
// of the lattice's (measured: kernels.cpp).
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
  float rest = 1;  // density sum of a settled liquid over that of a lattice

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
  // neighbours: all contributions with the same sign. With equal weights both sums are equal; else
  // they are those of a row and of columns of J (constraints/density.h). The factor is that of a
  // full lattice, whose stiffest pattern, a wave four spacings long, is known.
  PANTA_HD float stiffest(float row, float column) const { return stiffest_scale * row * column; }

  // The contribution of a particle of v times the usual mass to its own density; v = 1: W(0) = 1.
  // Its mass is not at a point, and its neighbours are farther away: with v itself it would push
  // them too far. In tanks with v from 1/2 to 2 at random, those with v > 1 then had twice the
  // pressure of the others and the volume was 5 per cent too large; with v^(2/3) it is 1.1 times,
  // and 1 per cent too small. The bound leaves a part of the density to neighbours: without them
  // the constraint has no solution, and the liquid gains energy.
  PANTA_HD float own_part(float v) const {
    constexpr float most = 0.7f;  // of the rest density, reached at v = 2.7 with the usual support
    const float edge = cbrtf(v);
    return minimum(edge * edge, most * rest / inverse_full);
  }
};

// The contribution of a wall at a distance from a particle: the share of the full density that
// liquid behind the wall would give, and its slope (table: walls/wall_table.h). `along` and
// `across` are parts of the moment of the neighbours (solver/moment.h).
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
