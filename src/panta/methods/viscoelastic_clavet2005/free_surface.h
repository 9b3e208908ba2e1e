// Densities at free surfaces.
//
// A particle at a surface lacks neighbours, and below the density at rest nothing resists
// compression: water at rest then has half as many particles again in its topmost layer. How much
// is missing, the gradient n of the density tells, and what resists compression takes rho' and
// rho_near' instead of rho and rho_near:
//
//   n_i = sum_j (1-q)^2 e_ij,   e_ij = (x_i - x_j)/r,   F(n) = max(|n| - n0, 0)^2
//   rho' = rho + a F(n),   rho_near' = rho_near + b F(n)
//
// a and b give the topmost layer of a lattice what it lacks (lattice_sums.h). n0, a third of |n|
// there, is more than disorder makes inside the liquid, where F would hold particles in their
// places: without n0, a liquid of 950 kg/m3 does not rise in one of 1000.
//
// The pushes are the gradient of the energy of density.h with these densities. With P' and P'_near
// the pressures of K and K_near alone they have, beside those of rho and rho_near, the part
//
//   G_i = h (a P'_i/2 + b P'_near_i/3) (1 - n0/|n_i|) n_i
//   x_i -= dt^2 sum_j J_ij (G_i - G_j),   J = (1-q)^2/r (1 - e e^T) - 2 (1-q)/h e e^T
//        = sum_j (1-q)/r ((1-q) G - (1+q) (G.e) e),   G = G_i - G_j
//
// opposite for the two particles of a pair.
#pragma once

#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"

namespace panta::viscoelastic {

inline constexpr double usual_gradient_share = 1.0 / 3;  // n0 over |n| of the topmost layer

struct SurfaceLaw {
  float density = 0, near = 0;  // a, b
  float usual_gradient = 0;     // n0

  // 1 - n0/|n|
  PANTA_HD float beyond_usual(float size) const {
    return size > usual_gradient ? 1 - usual_gradient / size : 0.0f;
  }
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
