// Correction of the pushes of density.h for the arrangement of the neighbours (solver/moment.h).
//
// The contribution of particle i's pressures to the stress of the pushes is, over rho h/2,
//
//   S_i = P_i M_i + P_near_i N_i,   M_i = sum (1-q) q e e^T,   N_i = sum (1-q)^2 q e e^T,
//
// e = r/|r|, images in walls included (solver/mirrors.h). On a lattice M = A 1 and N = B 1 (A and B
// over dim, lattice_sums.h). Particles that have been sheared have M and N with a part without
// trace: a liquid then has a shear modulus and yields at 0.002 rho c^2, as a packing of soft balls
// does. So the push of a pair takes, instead of the pressure P_i, the matrix
//
//   T_i = P_i + C_i,   C_i = -dev(S_i)/A,   D_ij = dt^2 ((T_i + T_j)/2 (1-q) + ...) r_ij/r
//
// whose stress is P_i A + P_near_i B in any even arrangement, to first order. Forces on a pair are
// opposite as before; they need not lie on the line between the two.
//
// with E_i = dev(S_i) / (|P_i| A + P_near_i B), which is small beside 1 and changes so slowly that
// it is computed in every fourth step.
//
// At free surfaces S is the surface tension: the correction fades out with the neighbours (their
// trace of M).
#pragma once

#include "panta/core/record.h"
#include "panta/solver/moment.h"

namespace panta::viscoelastic {

struct StressLaw {
  float dim = 3, inverse_h = 1;
  float moment = 1, near_moment = 1;  // A, B

  PANTA_HD float size_of(float pressure, float near_pressure) const {
    return fabsf(pressure) * moment + near_pressure * near_moment;
  }
};

// C_i of T_i, from E_i.
PANTA_HD SymT<float> stress_correction(const StressLaw& law, const SymT<float>& e, float pressure,
                                       float near_pressure) {
  const float f = -law.size_of(pressure, near_pressure) / law.moment;
  return {f * e.xx, f * e.yy, f * e.zz, f * e.xy, f * e.xz, f * e.yz};
}

// C/2 of a particle as pairs read it, C_zz follows, and G (free_surface.h).
template <class F>
struct Correction {
  F xx{}, yy{}, xy{}, xz{}, yz{};

  template <class Record>
  PANTA_HD static Correction of(const Record& r) {
    return {r.first.x, r.first.y, r.first.z, r.first.w, r.second.w};
  }
  PANTA_HD static Record8 record(const SymT<float>& c, const Vec3& g) {
    return {{0.5f * c.xx, 0.5f * c.yy, 0.5f * c.xy, 0.5f * c.xz}, {g.x, g.y, g.z, 0.5f * c.yz}};
  }
  template <class G>
  PANTA_HD Correction<G> plus(const Correction<G>& o) const {
    return {xx + o.xx, yy + o.yy, xy + o.xy, xz + o.xz, yz + o.yz};
  }
  PANTA_HD Vec3T<F> times(const Vec3T<F>& d) const {
    return {fused(xx, d.x, fused(xy, d.y, xz * d.z)), fused(xy, d.x, fused(yy, d.y, yz * d.z)),
            fused(xz, d.x, fused(yz, d.y, (xx + yy) * d.z * -1.0f))};
  }
};

// The sums over neighbours: S_i and the trace of M_i, over h.
template <class F>
struct StressSum {
  SymT<F> stress;
  F trace{};
};

inline constexpr int steps_per_measurement = 4;

// tr(M)/A - 1 between which the correction fades in.
inline constexpr float few_neighbors = -0.2f, enough_neighbors = -0.1f;
// E_i of a step.
PANTA_HD SymT<float> stress_error_of(const StressLaw& law, float pressure, float near_pressure,
                                     const StressSum<float>& sum) {
  const float unit = law.size_of(pressure, near_pressure);
  if (!(unit > 0)) return {};
  const float f = law.inverse_h / unit;
  SymT<float> e{f * sum.stress.xx, f * sum.stress.yy, f * sum.stress.zz,
                f * sum.stress.xy, f * sum.stress.xz, f * sum.stress.yz};
  const float trace = sum.trace * law.inverse_h / (law.dim * law.moment);
  const float shift = trace - 1 - (e.xx + e.yy + e.zz) / law.dim;
  e.xx += shift, e.yy += shift, e.zz += shift;
  return moment_error_of(e, law.dim, few_neighbors, enough_neighbors);
}

}  // namespace panta::viscoelastic
