// Takes back what has crossed a wall in a step.
#pragma once

#include "panta/core/field.h"
#include "panta/step/step_state.h"
#include "panta/walls/walls.h"

namespace panta {

// Particles that were outside of all walls where they began the step are outside again.
template <class D>
struct KeepOutside {
  MovingWalls walls;
  detail::FeltBy felt_by;
  Field4View<D> began, position, velocity;
  float spacing, clearance;  // m
  StepGate gate;
  const std::uint32_t* living;
  const std::uint32_t* held;  // what an emitter holds may pass the wall of its pipe

  PANTA_HD void operator()(Index i) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= *living || (held && held[i])) return;
    const ParticleWay way{began.xyz(i), position.xyz(i), static_cast<float>(gate.state->dt),
                          spacing, felt_by.bit(i)};
    const KeptOutside kept = keep_outside(walls, way, velocity.xyz(i), clearance);
    if (!kept.changed) return;
    position.set_xyz(i, kept.place);
    velocity.set_xyz(i, kept.velocity);
  }
};

}  // namespace panta
