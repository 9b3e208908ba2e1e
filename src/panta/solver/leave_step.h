// The end of a step, for particles that have been moved.
#pragma once

#include "panta/core/atomics.h"
#include "panta/core/field.h"
#include "panta/sources/emitter.h"
#include "panta/sources/sink.h"
#include "panta/step/space.h"
#include "panta/step/step_state.h"

namespace panta {

// Releases particles from emitters, wraps periodic axes, applies sinks, records the largest speed.
template <class D>
struct LeaveStep {
  StepGate gate;
  Field4View<D> position, velocity;
  Space space;
  Population* population;
  const EmitterSpec* emitters;
  std::uint32_t* held;
  SinksView sinks;

  // magnitudes: |v|, and 0 for |a|.
  PANTA_HD void operator()(Index i, float* magnitudes) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= population->occupied) return;
    const Vec3 x = space.wrapped(position.xyz(i));
    position.set_xyz(i, x);
    magnitudes[0] = length(velocity.xyz(i));
    if (held && held[i]) {
      const EmitterSpec& emitter = emitters[held[i] - 1];
      if (dot(x - emitter.opening, emitter.direction) >= 0) held[i] = 0;
    }
    if (sinks.count > 0 && position.w(i) == 0 && sinks.swallow(x)) {
      position.set_w(i, gone_mark);
      atomic_add(&population->gone, 1u);
    }
  }
};

}  // namespace panta
