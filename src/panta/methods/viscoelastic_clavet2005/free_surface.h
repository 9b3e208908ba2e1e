// Densities at free surfaces.
//
// A particle at a surface lacks neighbours, and below the density at rest nothing resists
// compression: the topmost layer of water at rest then has 1.5 times the particles of others. The
// gradient n of the density measures what is missing, and the terms that resist compression take
// rho' and rho_near' instead of rho and rho_near:
//
//   n_i = sum_j (1-q)^2 e_ij,   e_ij = (x_i - x_j)/r
//   rho' = rho + a F(|n|),   rho_near' = rho_near + b F(|n|)
//   F(n) = 0 up to n0, then (n - n0)^2 / (2 d) up to n0 + d, then n - n0 - d/2
//
// a and b add to the topmost layer of a lattice what it lacks (lattice_sums.h). Inside the liquid
// disorder causes n, and F would hold particles in place there: below n0 it is zero. A topmost
// layer that is 1.5 times as dense and a quarter of a spacing farther away has two thirds of |n|
// and lacks half as much. With a quadratic F it has no pressure, and water keeps this layer after a
// splash; with this F it has pressure, and dissolves.
//
// The pushes are the gradient of the energy of density.h with these densities. With P' and P'_near
// the pressures of K and K_near alone they have, beside those of rho and rho_near, the part
//
//   G_i = h (a P'_i/4 + b P'_near_i/6) F'(|n_i|) n_i/|n_i|
//   x_i -= dt^2 sum_j J_ij (G_i - G_j),   J = (1-q)^2/r (1 - e e^T) - 2 (1-q)/h e e^T
//        = sum_j (1-q)/r ((1-q) G - (1+q) (G.e) e),   G = G_i - G_j
//
// opposite for the two particles of a pair.
#pragma once

#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"

namespace panta::viscoelastic {

inline constexpr double least_gradient = 0.15, gradient_ramp = 0.2;  // n0, d over topmost |n|

struct SurfaceLaw {
  float density = 0, near = 0;  // a, b
  float least = 0, ramp = 1;    // n0, d

  // F
  PANTA_HD float missing(float size) const {
    const float beyond = maximum(size - least, 0.0f), curved = minimum(beyond, ramp);
    return curved * curved / (2 * ramp) + beyond - curved;
  }
  // F'
  PANTA_HD float slope(float size) const { return clamp((size - least) / ramp, 0.0f, 1.0f); }
};

// Adds the part of a pair, with d = x_i - x_j and share = (1-q)/r.
template <class F>
PANTA_HD void add_surface_push(Vec3T<F>& move, const Vec3T<F>& g, const Vec3T<F>& d, F r2, F reach,
                               F share) {
  const F along = (2.0f - reach) * dot(g, d) * reciprocal(maximum(r2, 1e-24f));
  move.x = fused(share, along * d.x - reach * g.x, move.x);
  move.y = fused(share, along * d.y - reach * g.y, move.y);
  move.z = fused(share, along * d.z - reach * g.z, move.z);
}

}  // namespace panta::viscoelastic
