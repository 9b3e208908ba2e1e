// The maths of a pair: densities, pressures, springs, viscosity. q = r/h < 1.
//
//   rho = sum (1-q)^2,  rho_near = sum (1-q)^3                            section 4.1, Algorithm 2
//   P = k (rho - rho0),  P_near = k_near rho_near
//   here also P += K (rho - rho_rest) where rho > rho_rest, the density of particles a spacing
//   apart, and P_near += K_near (rho_near - rho_near_rest) likewise; these resist
//   compression only, while k and k_near also attract (README.md)
//   D = dt^2 (P (1-q) + P_near (1-q)^2) r_ij/r
// of a pair
//   spring of rest length L:  D = dt^2 k_spring (1 - L/h) (L - r) r_ij/r           Algorithm 3
//   plastic flow, d = gamma L:                                                     Algorithm 4
//     r > L + d:  L += dt alpha (r - L - d);   r < L - d:  L -= dt alpha (L - d - r)
//   viscosity, u = (v_i - v_j).r_ij/r > 0:                                Algorithm 5
//     I = dt (1-q) (sigma u + beta u^2) r_ij/r, half to each
//   of a liquid whose viscosity is given in Pa s also I = dt (1-q) kappa u r_ij/r, for u < 0 too
//
// Here r_ij points from i to j, so that i moves by -D and j by D. All numbers are SI; for the
// paper's units see units.h.
#pragma once

#include "panta/core/pack.h"
#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"

namespace panta::viscoelastic {

struct Kernel {
  float h = 1, inverse_h = 1;
  float rest = 1;                       // rho0
  float stiffness = 0, near = 0;        // k, k_near, m/s2
  float squeeze = 0, near_squeeze = 0;  // K, K_near, m/s2
  float lattice = 1, near_lattice = 1;  // rho_rest, rho_near_rest

  // 1 - q inside the support, 0 outside.
  template <class F>
  PANTA_HD F reach(F r) const {
    return maximum(1.0f - r * inverse_h, 0.0f);
  }

  // The terms that also attract, and those that only resist compression.
  PANTA_HD float pulling(float density) const { return stiffness * (density - rest); }
  // `rest`: the density without pressure over that at rest.
  PANTA_HD float squeezed(float density, float rest = 1) const {
    return squeeze * maximum(density - rest * lattice, 0.0f);
  }
  PANTA_HD float near_squeezed(float near_density, float rest = 1) const {
    return near_squeeze * maximum(near_density - rest * near_lattice, 0.0f);
  }
  PANTA_HD float pressure(float density) const { return pulling(density) + squeezed(density); }
  PANTA_HD float near_pressure(float near_density) const {
    return near * near_density + near_squeezed(near_density);
  }
};

// Bounds of the densities above which the gathered form (density.h) reduces pressures.
struct DensityBounds {
  float density = 1e30f, near = 1e30f;

  PANTA_HD static float limited(float density, float bound) {
    const float share = bound / density;
    return share < 1 ? bound * (2 - share) : density;
  }
};

// The springs of a substance. Rates are for stretching and for compression.
struct SpringLaw {
  float stiffness = 0;       // k_spring, 1/s2; 0: there are none
  float flow[2] = {};        // alpha, 1/s
  float yield[2] = {};       // gamma
  bool from_support = true;  // new ones are as long as the support, not as the distance
  bool once = false;         // new ones only between particles without any
  PANTA_HD bool exist() const { return stiffness > 0; }
};

// The rest length after a step (eq. 7 and 8). The flow stops at the yield length.
template <class F>
PANTA_HD F flowed(const SpringLaw& law, F rest, F r, float dt) {
  const F over = r - rest - law.yield[0] * rest, under = rest - law.yield[1] * rest - r;
  const float stretch = minimum(dt * law.flow[0], 1.0f), shrink = minimum(dt * law.flow[1], 1.0f);
  return rest + stretch * maximum(over, 0.0f) - shrink * maximum(under, 0.0f);
}

// The displacement of the two ends of a spring away from each other; `strength`: dt^2 k_spring.
template <class F>
PANTA_HD F spring_push(float strength, F rest, F r, float inverse_h) {
  return strength * maximum(1.0f - rest * inverse_h, 0.0f) * (rest - r);
}

// sigma, beta and kappa of a pair.
template <class F>
struct Viscosity {
  F linear, quadratic, both_ways;
};

// The change of velocity of each particle of a pair that approaches at u; at most the share `most`
// of u times 1-q.
template <class F>
PANTA_HD F viscous_change(const Viscosity<F>& viscosity, F reach, F u, float dt, F most) {
  const F approaching = viscosity.linear + viscosity.quadratic * u;
  const F rate = viscosity.both_ways + where_below(F{}, u, approaching, F{});
  return reach * u * minimum(rate * (0.5f * dt), most);
}

}  // namespace panta::viscoelastic
