// Sums over a lattice at rest, on the host: for the rest density and the speed of sound of a
// liquid, and for the liquid behind a wall.
//
// The pressure of a lattice is, by the virial of D over its volume,
//
//   p / rho = h / (2 dim) (P A + P_near B),   A = sum (1-q) q,   B = sum (1-q)^2 q
//
// It vanishes at the spacing wanted for rho0 = rho + (k_near/k) rho_near B/A, and changes with the
// density as c^2 = d(p/rho)/d(ln rho) = h / (2 dim) (k rho A + k_near rho_near B), since all four
// sums grow in proportion to the number of neighbours.
#pragma once

#include <vector>

#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"
#include "panta/walls/wall_table.h"

namespace panta::viscoelastic {

struct LatticeSums {
  double density = 0, near_density = 0;  // rho, rho_near
  double moment = 0, near_moment = 0;    // A, B
  double reach = 0;                      // sum of 1-q
  double spread = 0;                     // sum of (1-q) q^2
  // What the topmost layer below a free surface lacks of rho and rho_near, and |n| there
  // (free_surface.h).
  double missing = 0, near_missing = 0, gradient = 0;
};
LatticeSums lattice_sums(double support, double spacing, int dimensions);

// Liquid behind a flat wall, for a particle at a distance from it. The sums s over places behind it
// are those of a lattice, on average over where the particle is along the wall,
//
//   s(d) = sum (1-q)^2,   s_near(d) = sum (1-q)^3
//
// and their slopes are -2/h sum (1-q) and -3/h sum (1-q)^2 along the normal.
struct WallLiquid {
  static constexpr int table_size = 64;
  float density = 0, near_density = 0;  // s/T, T the sum all around, the particle itself included
  float push = 0, near_push = 0;        // of the pressures: -h/4 ds/dd and -h/6 ds_near/dd

  PANTA_HD WallLiquid operator*(float w) const {
    return {w * density, w * near_density, w * push, w * near_push};
  }
  friend PANTA_HD WallLiquid interpolate(const WallLiquid& a, const WallLiquid& b, float w) {
    return {a.density + w * (b.density - a.density),
            a.near_density + w * (b.near_density - a.near_density), a.push + w * (b.push - a.push),
            a.near_push + w * (b.near_push - a.near_push)};
  }
};
std::vector<WallLiquid> make_wall_liquid(double support, double spacing, int dimensions);

struct WallSums {
  float density = 0, near = 0;  // parts of rho and rho_near
};

struct LiquidBehindWalls {
  WallTable<WallLiquid> table;      // of planes only; without entries walls do not count
  float whole = 1, whole_near = 1;  // T
  float spacing = 0;                // m

  PANTA_HD bool counts() const { return table.entries != nullptr; }
  // The liquid behind a surface of this mean curvature over that behind a flat one.
  // At half a spacing and a support of 2.6 spacings it meets the integral of (1-q)^2 over balls
  // of 1.5 to 12 spacings and the sum behind a straight edge within 0.03; pushes are up to 0.1 too
  // weak.
  PANTA_HD float behind_curved(float curvature) const {
    const float k = maximum(curvature * spacing, 0.0f);
    return 1 / (1 + k + 1.5f * k * k);
  }
  // With the contact's weight.
  PANTA_HD WallLiquid at(const WallContact& contact) const {
    return table.at(contact.distance) *
           (contact.weight * behind_curved(contact.mean_curvature_here()));
  }
};

}  // namespace panta::viscoelastic
