// The end of a step, for particles that have been moved.
#pragma once

#include "panta/core/field.h"
#include "panta/solver/open_boundaries.h"
#include "panta/step/space.h"
#include "panta/step/step_state.h"

namespace panta {

// Releases particles from emitters, wraps periodic axes, applies sinks, records the largest speed.
template <class D>
struct LeaveStep {
  StepGate gate;
  Field4View<D> position, velocity;
  Space space;
  OpenBoundaries boundaries;

  // magnitudes: |v|, and 0 for |a|.
  PANTA_HD void operator()(Index i, float* magnitudes) const {
    if (gate.closed() || !boundaries.occupied(i)) return;
    const Vec3 x = space.wrapped(position.xyz(i));
    position.set_xyz(i, x);
    magnitudes[0] = length(velocity.xyz(i));
    if (boundaries.is_held(i)) boundaries.release(i, x);
    boundaries.drain(position, i, x);
  }
};

}  // namespace panta
