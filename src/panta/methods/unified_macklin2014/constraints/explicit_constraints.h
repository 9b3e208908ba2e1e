// Solves the constraints of a SizedConstraint as one Jacobi group: a launch over constraints
// computes the displacements of their particles (multiplier.h), a launch over particles sums them
// (tied_particles.h). A constraint does nothing if one of its particles was removed.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/constraint_buffers.h"
#include "panta/methods/unified_macklin2014/constraints/multiplier.h"
#include "panta/neighbors/pair_maths.h"

namespace panta::unified {

// The displacements by each constraint.
template <class D, class T>
struct SolveConstraints {
  Substep<D> substep;
  Periodicity periodicity;
  Relaxation relaxation;
  const typename T::Data* data;
  const Softness* softness;
  const std::uint32_t* members;  // T::size indices into `tied` per constraint
  const TiedParticle* tied;
  float* multipliers;
  Vec3* moves;  // result, one per member

  PANTA_HD void operator()(Index c) const {
    if (substep.gate.closed()) return;
    TiedParticle particles[T::size];
    bool complete = true;
    for (int m = 0; m < T::size; ++m) {
      particles[m] = tied[members[c * T::size + m]];
      complete = complete && particles[m].slot != no_slot;
    }
    Vec3 gradient[T::size] = {};
    const float before = substep.counts.iteration == 0 ? 0.0f : multipliers[c];
    const float step = complete ? multiplier_step(c, particles, before, gradient) : 0.0f;
    multipliers[c] = before + step;
    for (int m = 0; m < T::size; ++m)
      moves[c * T::size + m] = gradient[m] * (particles[m].w * step);
  }

  PANTA_HD float multiplier_step(Index c, const TiedParticle* particles, float before,
                                 Vec3* gradient) const {
    const float dt = substep.dt();
    Vec3 x[T::size];
    for (int m = 0; m < T::size; ++m) x[m] = substep.candidates.get(particles[m].slot).first.xyz();
    const double start = substep.start();
    const float value = valued(c, x, start + dt, gradient);
    float stiffness = 0;
    for (int m = 0; m < T::size; ++m) {
      const float parts = relaxation.averaging == Averaging::local ? particles[m].ties : 1.0f;
      stiffness += parts * particles[m].w * dot(gradient[m], gradient[m]);
    }
    if (!(stiffness > 0)) return 0;
    const Give give(softness[c], dt);
    const float change = give.resistance > 0 ? value - value_before(c, particles, start) : 0.0f;
    return give.multiplier_step(relaxation.omega, stiffness, before, value, change,
                                T::one_sided(data[c]));
  }

  PANTA_HD float value_before(Index c, const TiedParticle* particles, double time) const {
    Vec3 x[T::size], unused[T::size];
    for (int m = 0; m < T::size; ++m) x[m] = substep.position.xyz(particles[m].slot);
    return valued(c, x, time, unused);
  }

  // Particles on both sides of a periodic border: uses the nearest images.
  PANTA_HD float valued(Index c, Vec3* x, double time, Vec3* gradient) const {
    for (int m = 1; m < T::size; ++m) {
      const Vec3 away = x[m] - x[0];
      Vec3 shortest = away;
      periodicity.shorten(shortest);
      x[m] += shortest - away;
    }
    return T::value(data[c], x, time, gradient);
  }
};

template <class D, SizedConstraint T>
class ExplicitConstraints : public ConstraintBuffers<D, T> {
 public:
  void set(const ConstraintList<T>& list) { ConstraintBuffers<D, T>::set(list, list.particles); }

  // One iteration; the first of a substep resets the multipliers.
  void solve(const D& exec, const Substep<D>& substep, const Periodicity& periodicity,
             const Relaxation& relaxation) {
    const Index constraints = static_cast<Index>(this->size());
    if (constraints == 0) return;
    launch(exec, constraints,
           SolveConstraints<D, T>{.substep = substep,
                                  .periodicity = periodicity,
                                  .relaxation = relaxation,
                                  .data = this->data_.data(),
                                  .softness = this->softness_.data(),
                                  .members = this->members_.data(),
                                  .tied = this->tied_.data(),
                                  .multipliers = this->multipliers_.data(),
                                  .moves = this->tied_.moves()});
    this->tied_.move(exec, substep);
  }
};

}  // namespace panta::unified
