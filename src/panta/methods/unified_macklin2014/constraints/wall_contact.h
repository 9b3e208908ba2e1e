// Contact of a particle with walls, at the level of positions.
//
//   C = d(x*) - collision distance >= 0                       eq. 22 with a wall for one particle
//   friction: the tangential part of (x* - x) - u dt, u the wall's velocity, is taken back as far
//   as mu times the depth allows                                 eq. 23, 24
//
// Walls have infinite mass. A bounce gives back the share `restitution` of the approach; it enters
// as a longer way out of the wall, which the velocity update turns into speed.
//
// Contacts are found once per step, for the way a particle seems to have before it. What others
// push another way meanwhile may still cross a wall; KeepOutside takes that back after the step.
#pragma once

#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta::unified {

struct WallContactRule {
  const StepState* state;
  float distance = 0;  // m, particles stay this far away
  float moving = 0;    // the part of the step that a substep is; 0: nothing moves
  float sliding = 0;   // and that for which slip is counted
  bool rubs = true;
  float slack = 0;   // m, of the depth that is left
  bool dry = false;  // grains and solids rub by the surface's friction on solids

  // What a contact does to a particle that comes from x, would move by v dt, and stands at `at`;
  // its slip counts from `anchor`, where it has been for `longer` (s) before.
  PANTA_HD Vec3 resolved(const WallContact& c, const Vec3& x, const Vec3& anchor, float longer,
                         const Vec3& v, Vec3 at) const {
    const float depth = distance - c.distance;
    if (!(depth > 0)) return at;
    at += c.normal * maximum(depth - slack, 0.0f);
    const float step = static_cast<float>(state->dt), dt = moving * step;
    const Vec3 along = slip(c, at, anchor, longer);
    const float way = length(along), most = rubs ? friction(*c.surface) * depth : 0.0f;
    if (way > 0) at -= along * (minimum(most, way) / way);
    if (c.surface->restitution > 0) {
      const float approach = -dot(v - c.velocity, c.normal) * dt;
      const float leaving = dot(at - x, c.normal) - dot(c.velocity, c.normal) * dt;
      const float bounce = c.surface->restitution * approach - leaving;
      if (bounce > 0) at += c.normal * bounce;
    }
    return at;
  }

  // Of a particle at `at`, along the wall.
  PANTA_HD Vec3 slip(const WallContact& c, const Vec3& at, const Vec3& anchor, float longer) const {
    const float step = static_cast<float>(state->dt);
    const Vec3 slip = (at - anchor) - c.velocity * (sliding * step + longer);
    return slip - c.normal * dot(slip, c.normal);
  }

  PANTA_HD float friction(const Surface& surface) const {
    return dry ? surface.friction_on_solid() : surface.friction_on_liquid();
  }
};

}  // namespace panta::unified
