// Search positions of a step: predicted positions after a fraction of it.
#pragma once

#include "panta/core/field.h"
#include "panta/step/step_state.h"

namespace panta {

// The stored velocities, for PlaceForSearch.
template <class D>
struct StoredVelocity {
  Field4View<D> velocity;
  PANTA_HD Vec3 operator()(Index i) const { return velocity.xyz(i); }
};

// `Velocity` is a functor: velocity(i) of particle i.
template <class D, class Velocity>
struct PlaceForSearch {
  const StepState* state;
  double fraction;  // of the step
  Field4View<D> position;
  Velocity velocity;
  Field4View<D> searched;  // result; marks of removed particles as in positions

  PANTA_HD void operator()(Index i) const {
    const Vec4 x = position.vec4(i);
    const Vec3 at = x.xyz() + velocity(i) * static_cast<float>(fraction * state->dt);
    searched.set(i, {at.x, at.y, at.z, x.w});
  }
};

}  // namespace panta
