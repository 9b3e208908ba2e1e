// Takes back what has crossed a wall in a step.
#pragma once

#include "panta/core/field.h"
#include "panta/step/step_state.h"
#include "panta/walls/walls.h"

namespace panta {

// The particles of a step: those that were outside of all walls where they began it are put outside
// again.
template <class D>
struct KeepOutside {
  MovingWalls walls;
  detail::FeltBy felt_by;
  Field4View<D> began, position, velocity;
  float spacing, clearance;  // m
  StepGate gate;
  const std::uint32_t* living;
  const std::uint32_t* held;  // what an emitter holds may pass the wall of its pipe
};

template <class D>
void keep_outside(const D& exec, Index particles, const KeepOutside<D>& step);

}  // namespace panta
