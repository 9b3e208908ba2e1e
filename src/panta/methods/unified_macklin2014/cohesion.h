// Cohesion and surface tension within a liquid, once per step, after Akinci, Akinci and Teschner
// (2013): particles pull each other, and the area of the surface is made small.
//
//   cohesion    F_i = -f sum_j V_i V_j C(r/h) d/r                            their eq. 1
//               C(q) = 64 (1-q)^3 q^3            for 1/2 < q < 1,            their eq. 2, scaled to
//                      128 (1-q)^3 q^3 - 1       for q <= 1/2                a peak of 1
//   area        A = b V sum_i V_i psi(|n_i|),  n_i = sum_j V_j grad W(r_ij) / full,
//               W(r) = (1 - r/h)^3,
//               psi(n) = n, or n^2/(2 n_0) + n_0/2 where n < n_0
//               F_i = -s dA/dx_i = -s b V / full sum_j V_i V_j H_ij (m_i - m_j),
//               m_i = n_i / max(|n_i|, n_0),  H = grad grad W
//
// V is the volume of a particle of the material and V_i the number of such that particle i stands
// for, 1 where particles have no masses of their own (weights.h).
// d = x_i - x_j; only particles of the same material count, so that liquids do not mix. Both parts
// change sign with i and j: momentum is kept.
//
// Deviation: their eq. 3 has a number where H stands and n for m. That is not the gradient of an
// energy, and with constraints, which dissipate little, drops gain energy from it and burst. n_0, a
// share of |n| at a flat surface, excludes the inside of the liquid, where n is small and has any
// direction. Both parts are needed: cohesion alone has no longer range than the density constraint
// that balances it, so that a drop does not become round, and the smallest area alone is also that
// of scattered particles. Their eq. 4, forces divided by the density, is left out for the same
// reason as eq. 3.
//
// b is such that A is the area of a flat surface of a lattice. f for a tension s is that of
// Kirkwood and Buff (1949), with n particles per volume (area in two dimensions)
//
//   s = pi/8 n^2 int f C r^4 dr = n/32 sum f C r^2       three dimensions
//   s = 1/3 n^2 int f C r^3 dr = n/(6 pi) sum f C r^2    two dimensions
//
// where the sums go over a lattice. The two parts and the constraint together give `measured_gain`
// times s, as the periods of oscillating drops show (cohesion.cpp).
#pragma once

#include "panta/methods/unified_macklin2014/kernels.h"
#include "panta/methods/unified_macklin2014/substances.h"
#include "panta/methods/unified_macklin2014/substep.h"
#include "panta/solver/particle_weights.h"

namespace panta::unified {

// For a surface tension of 1 N/m.
struct CohesionScales {
  double pull = 0;  // N, f
  double bend = 0;  // N/m3, 6 s b / (full h^2), to be divided by the density
  float blunt = 0;  // n_0 in terms of sum (1 - q)^2 d/r
};
CohesionScales make_cohesion(double support, double spacing, int dimensions);

// C of the header.
template <class F>
PANTA_HD F cohesion_spline(F q) {
  const F a = maximum(1.0f - q, 0.0f) * q;
  const F far = 64.0f * a * a * a;
  return where_below(q, 0.5f + F{}, 2.0f * far - 1.0f, far);
}

// Positions and materials for the sums.
template <class D>
struct RecordLiquids {
  Field4View<D> position;
  const std::uint32_t* phase;
  RecordsView<D, Record4> liquids;  // result: x and the material

  PANTA_HD void operator()(Index i) const {
    const Vec3 x = position.xyz(i);
    liquids.set(i, {{x.x, x.y, x.z, static_cast<float>(phase[i])}});
  }
};

// 1 for equal materials, else 0.
template <class F>
PANTA_HD F same_material(F a, float b) {
  return where_below((a - b) * (a - b), 0.25f + F{}, 1.0f + F{}, F{});
}

// First pass: the normals m of the surface. Weighted: V_i differs.
template <class D, bool Weighted>
struct FindNormals {
  DensityKernel kernel;
  float blunt;
  RecordsView<D, Record4> liquids;
  RecordsView<D> records;  // result: x and the material, m
  Weights volumes;         // V_i

  struct Self {
    float material;
  };
  template <class F>
  struct Sum {
    Vec3T<F> gradient{};
  };
  PANTA_HD Self self(Index i) const { return {liquids.get(i).first.w}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F same = volumes.times_other<Weighted>(same_material(j.record.first.w, self.material), j);
    sum.gradient += d * (same * kernel.reach(r2) * kernel.reach_over_r(r2));
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    const Vec3 m = sum.gradient * (-1 / maximum(length(sum.gradient), blunt));
    records.set(i, {liquids.get(i).first, {m.x, m.y, m.z, 0}});
  }
};

// Second pass: the forces.
template <class D, bool Weighted>
struct ApplyCohesion {
  DensityKernel kernel;
  RecordsView<D> records;
  Field4View<D> velocity;
  StepGate gate;
  const std::uint32_t* living;
  const std::uint32_t* phase;
  const std::uint32_t* held;
  const Substances* substances;
  Weights weights, volumes;  // mass over that of the material, V_i

  struct Self {
    Vec3 m;
    float material;
  };
  template <class F>
  struct Sum {
    Vec3T<F> pull{}, bend{};
  };
  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    return {r.second.xyz(), r.first.w};
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F r = maximum(square_root(r2), 1e-12f);
    const F q = minimum(r * kernel.inverse_h, 1.0f), reach = 1.0f - q;
    const F same = volumes.times_other<Weighted>(same_material(j.record.first.w, self.material), j);
    const Vec3T<F> n = d * reciprocal(r);
    const Vec3T<F> turn{self.m.x - j.record.second.x, self.m.y - j.record.second.y,
                        self.m.z - j.record.second.z};
    // h^2 / 6 H = reach n n^T - reach^2 / (2 q) (1 - n n^T); the bound of q, below all distances in
    // liquids, avoids a division by zero.
    const F across = reach * reach * reciprocal(maximum(2.0f * q, 0.2f));
    sum.bend += (n * (dot(turn, n) * (reach + across)) - turn * across) * same;
    sum.pull += n * (same * cohesion_spline(q));
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= *living || (held && held[i])) return;
    const std::uint32_t k = phase[i];
    if (!(substances->pull[k] > 0)) return;
    const Vec3 force = sum.pull * substances->pull[k] + sum.bend * substances->bend[k];
    const float volume_over_mass = volumes.of<Weighted>(i) / weights.of<Weighted>(i);
    const float dt = static_cast<float>(gate.state->dt);
    velocity.set_xyz(i, velocity.xyz(i) - force * (dt * volume_over_mass));
  }
};

}  // namespace panta::unified
