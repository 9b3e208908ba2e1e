// The arrangement of the neighbours of liquid particles, found once per step: E of solver/moment.h,
// by which the pushes of the density constraint are corrected (density.h).
//
//   M_i = sum_j V_j (1 - r/h) r (x) r / |r| / (the same in a lattice) + walls
//   E_i = the part of M_i without trace, as a mean over the particle and its neighbours with
//         weights 1 - r/h, then over steps
//
// Yield stress is a property of many particles, and the mean over neighbours removes it. With E of
// single particles the corrected pushes, which derive from no energy, keep liquids at rest moving:
// a pool of 0.3 x 0.16 x 0.2 m at a spacing of 2 cm has an rms speed of 17 mm/s after 20 s, with
// the mean 1.5 mm/s, without correction 1.9 mm/s.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/density.h"
#include "panta/solver/moment.h"

namespace panta::unified {

inline constexpr float deficient = -0.3f, slightly_deficient = -0.15f;  // tr(M)/dim - 1
inline constexpr float share_of_step = 0.3f;                            // in the mean over steps

// First: each particle's own E.
template <class D, bool Weighted>
struct FindArrangement {
  DensityKernel kernel;
  FeltWalls<D> walls;
  RecordsView<D, Record4> candidates;
  RecordsView<D> records;  // result
  Weights volumes;         // V

  struct Self {};
  template <class F>
  struct Sum {
    SymT<F> moment;
  };
  PANTA_HD Self self(Index) const { return {}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self&, const Vec3T<F>& d, F r2, const J& j) const {
    const F shape = kernel.reach_over_r(r2);
    add_moment(sum.moment, volumes.times_other<Weighted>(shape, j), d, d.x, d.y, d.z);
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    SymT<float> m = moment_less_one(sum.moment, kernel.moment_scale);
    walls.each(i, candidates.get(i).first.xyz(), [&](const WallContact& c) {
      const WallShare wall = walls.shares.at(c);
      add_wall_moment(m, c.normal, c.weight * wall.along, c.weight * wall.across);
    });
    const SymT<float> e = moment_error_of(m, kernel.dimensions, deficient, slightly_deficient);
    records.set(i, {{e.xx, e.yy, e.zz, e.xy}, {e.xz, e.yz, 0, 0}});
  }
};

// Second: the means.
template <class D>
struct SmoothArrangement {
  StepGate gate;
  DensityKernel kernel;
  RecordsView<D> records;      // E of single particles
  SymmetricView moment_error;  // result

  struct Self {};
  template <class F>
  struct Sum {
    SymT<F> e;
    F weight{};
  };
  PANTA_HD Self self(Index) const { return {}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self&, const Vec3T<F>&, F r2, const J& j) const {
    const F w = kernel.reach(r2);
    const auto other = j.from(records);
    const Vec4T<F>&a = other.first, &b = other.second;
    sum.weight = sum.weight + w;
    sum.e.xx = fused(w, a.x, sum.e.xx), sum.e.yy = fused(w, a.y, sum.e.yy);
    sum.e.zz = fused(w, a.z, sum.e.zz), sum.e.xy = fused(w, a.w, sum.e.xy);
    sum.e.xz = fused(w, b.x, sum.e.xz), sum.e.yz = fused(w, b.y, sum.e.yz);
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    // A step that is made again must find what the last one left.
    if (gate.closed()) return;
    const Record8 own = records.get(i);
    const Vec4 &a = own.first, &b = own.second;
    const SymT<float>& e = sum.e;
    const float n = 1 / (1 + sum.weight);
    follow_moment(moment_error, i,
                  {(e.xx + a.x) * n, (e.yy + a.y) * n, (e.zz + a.z) * n, (e.xy + a.w) * n,
                   (e.xz + b.x) * n, (e.yz + b.y) * n},
                  share_of_step);
  }
};

}  // namespace panta::unified
