// Moves particles that crossed a wall during a step back out of the solid.
#pragma once

#include "panta/core/field.h"
#include "panta/step/step_state.h"
#include "panta/walls/walls.h"

namespace panta {

// The particles of a step. Particles that were outside all walls at the start of the step are
// outside all walls after it.
template <class D>
struct KeepOutside {
  MovingWalls walls;
  detail::TouchedBy touched_by;
  Field4View<D> began, position, velocity;
  float spacing, clearance;  // m; clearance: distance from the wall after the correction
  StepGate gate;
  const std::uint32_t* living;
  const std::uint32_t* held;  // particles held by an emitter are skipped: they may be inside a wall
};

template <class D>
void keep_outside(const D& exec, Index particles, const KeepOutside<D>& step);

}  // namespace panta
