// The force of the stress C = p V^2 e (moment.h) and the next e, as one sum over neighbours.
//
//   F_i = -sum_j (p_i V_i^2 e_i w_j/w_i + p_j V_j^2 e_j w_i/w_j) grad W,   w: weights (forces.h)
//
// The sum reads and adds as much per neighbour as pressure and viscosity together, but e changes
// slowly. It is made in one of `correction_interval` steps, and F is held in between. The force is
// held, not the acceleration, so that momentum is conserved.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/methods/sph_mueller2003/moment.h"
#include "panta/solver/particle_weights.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta::sph {

inline constexpr std::uint64_t correction_interval = 6;  // steps

PANTA_HD bool correction_is_due(const StepState& state) {
  return state.steps % correction_interval == 0;
}

template <class D, bool Weighted>
struct CorrectionSum {
  StepGate gate;
  KernelConstants kernel;
  NearWalls walls;
  WallTable wall_table;
  RecordsView<D> records;       // position and p V^2, velocity and volume
  RecordsView<D> stresses;      // e and volume
  PackedCorrection correction;  // result: the next e
  Field4View<D> force;          // result: F
  Weights weights;

  struct Self {
    SymT<float> stress;  // p V^2 e
    float weight;        // w
  };
  template <class F>
  struct Sum {
    Vec3T<F> push;
    SymT<F> arrangement, mixed;
    F weight{};
  };

  PANTA_HD bool skips() const { return !correction_is_due(*gate.state); }
  PANTA_HD Self self(Index i) const {
    return {symmetric_of<float>(stresses.get(i)) * records.get(i).first.w, weights.of<Weighted>(i)};
  }

  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const auto other = j.from(stresses);
    const F r = square_root(r2), volume = other.second.z;
    const F shape = kernel.pressure_shape(r);
    const F x = shape * d.x, y = shape * d.y, z = shape * d.z;
    add_moment(sum.arrangement, volume, d, x, y, z);
    const SymT<F> e = symmetric_of<F>(other);
    const F share = volume * maximum(kernel.h - r, 0.0f);
    sum.weight = sum.weight + share;
    add_scaled(sum.mixed, share, e);
    const SymT<F> q = both_stresses<F>(self, e, j);
    sum.push.x = fused(q.xx, x, fused(q.xy, y, fused(q.xz, z, sum.push.x)));
    sum.push.y = fused(q.xy, x, fused(q.yy, y, fused(q.yz, z, sum.push.y)));
    sum.push.z = fused(q.xz, x, fused(q.yz, y, fused(q.zz, z, sum.push.z)));
  }

  template <class F, class J>
  PANTA_HD SymT<F> both_stresses(const Self& self, const SymT<F>& e, const J& j) const {
    const F other = j.record.first.w;
    if constexpr (Weighted) {
      const F own = j.number(weights.values) * (1.0f / self.weight);
      return weighted_sum(own, self.stress, other * reciprocal(own), e);
    } else {
      return weighted_sum(1.0f, self.stress, other, e);
    }
  }

  // A step that is made again must find what the last one left.
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    if (gate.closed()) return;
    const SymT<float> m = moment_less_one_at(kernel, walls, wall_table, i,
                                             records.get(i).first.xyz(), sum.arrangement);
    correction.set(i, next_correction(kernel, m, sum.mixed, sum.weight));
    force.set_xyz(i, sum.push * kernel.pressure_factor);
  }
};

}  // namespace panta::sph
