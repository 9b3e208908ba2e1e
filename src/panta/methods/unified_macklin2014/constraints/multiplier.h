// The multiplier of a compliant constraint, and the displacements of its particles.
//
// For each constraint, from the multiplier lambda that it has gathered in this substep (Macklin,
// Mueller and Chentanez 2016, "XPBD", eq. 18 and 26):
//
//                     -C - a lambda - g (C - C_start)
//   dlambda = omega -----------------------------------,   dx_i = w_i grad_i C dlambda
//                   (1 + g) sum_i n_i w_i |grad_i C|^2 + a
//
//   a = compliance / dt^2,  g = compliance damping / dt,  C_start: C when the substep began,
//   omega: relaxation (Macklin et al. 2014, eq. 13),  w_i: inverse mass (1/kg).
//
// Averaging. Corrections of constraints that share particles add up and can overshoot (Fig. 2 of
// the 2014 paper: two equal constraints oscillate). The paper divides a particle's sum by the
// number n_i of its constraints (eq. 12). Here n_i is in the denominator instead: each constraint
// acts on its own part, m_i/n_i, of a particle, and the parts are averaged (the mass splitting that
// the paper names as the source of eq. 12). For equal n_i and no compliance both are the same. But
// every dx belongs to a dlambda, so that momentum is conserved and compliance means the same for
// any number of iterations; and since J W J^T <= n D on each particle's part, it converges for
// omega < 2 in any network. `global` uses n_i = 1: faster where few constraints meet, but then
// omega must be small enough for the network.
//
// Other deviations: damping uses the change of C itself, not grad C (x - x_start), so that moving
// attachment points are not damped; one-sided constraints keep the sign of lambda, so that a later
// iteration can reduce a correction that was too large.
#pragma once

#include "panta/core/scalar_math.h"
#include "panta/methods/unified_macklin2014/constraints/constraint_type.h"

namespace panta::unified {

enum class Averaging { local, global };

struct Relaxation {
  float omega = 1;
  Averaging averaging = Averaging::local;
};

// a and g of a constraint in a substep of length dt.
struct Give {
  float give, resistance;

  PANTA_HD Give(const Softness& softness, float dt)
      : give(softness.compliance / (dt * dt)),
        resistance(softness.compliance * softness.damping / dt) {}

  // dlambda; stiffness: sum_i n_i w_i |grad_i C|^2, above 0, before: lambda, change: C - C_start.
  PANTA_HD float multiplier_step(float omega, float stiffness, float before, float value,
                                 float change, bool one_sided) const {
    const float wanted = -value - give * before - resistance * change;
    const float step = omega * wanted / ((1 + resistance) * stiffness + give);
    if (!one_sided) return step;
    return minimum(before + step, 0.0f) - before;
  }
};

}  // namespace panta::unified
