// The walls that the search of a step found near particles, for particles that have moved since.
#pragma once

#include "panta/core/field.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta {

template <class D>
struct FoundWalls {
  NearWalls near;
  Field4View<D> searched;            // the places at which they were found
  float h = 0;                       // m, walls that are nearer count
  float elapsed = 0;                 // of the step, that bodies have moved since
  const StepState* state = nullptr;  // the clock

  // visit(number, contact) for each wall near particle i at x, see NearWalls.
  template <class Visit>
  PANTA_HD void each_numbered(Index i, const Vec3& x, const Visit& visit) const {
    near.each_numbered(i, x, h, visit, x - searched.xyz(i),
                       elapsed * static_cast<float>(state->dt));
  }
  template <class Visit>
  PANTA_HD void each(Index i, const Vec3& x, const Visit& visit) const {
    each_numbered(i, x, [&](Index, const WallContact& c) { visit(c); });
  }
};

}  // namespace panta
