// Walls near particles, found by the search of a step, for particles that have moved since then.
#pragma once

#include "panta/core/field.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta {

template <class D>
struct FoundWalls {
  NearWalls near;
  Field4View<D> searched;            // positions of particles in that search
  float h = 0;                       // m, walls count up to this distance
  float elapsed = 0;                 // fraction of the step, motion of bodies since then
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
  PANTA_HD bool is_side_of_domain(const WallContact& c) const {
    return near.plane_count > 0 && c.surface >= &near.planes[0].surface &&
           c.surface <= &near.planes[near.plane_count - 1].surface;
  }
};

}  // namespace panta
