// Contact of a particle with walls, at the level of positions.
//
//   C = d(x*) - collision distance >= 0                       eq. 22 with a wall for one particle
//   friction: the tangential part of (x* - x) - u dt, u the wall's velocity, is corrected by at
//   most mu times the depth                                      eq. 23, 24
//
// Walls have infinite mass. Restitution: the particle leaves at `restitution` times its approach
// speed; the push out of the wall is longer, and the velocity update turns it into speed.
//
// Contacts are found once per step, for the expected path of a particle. Pushes by others may still
// move it across a wall; KeepOutside corrects that after the step.
#pragma once

#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta::unified {

struct WallContactRule {
  const StepState* state;
  float distance = 0;  // m, particles stay this far away
  float moving = 0;    // substep / step; 0: nothing moves
  float sliding = 0;   // the same for the slip
  bool has_friction = true;
  float slack = 0;   // m, depth that is not corrected
  bool dry = false;  // uses the surface's friction on solids

  // The position after contact of a particle that comes from x, would move by v dt, and is at `at`;
  // its slip is measured from `anchor`, set `longer` (s) before the step.
  PANTA_HD Vec3 resolved(const WallContact& c, const Vec3& x, const Vec3& anchor, float longer,
                         const Vec3& v, Vec3 at) const {
    const float depth = distance - c.distance;
    if (!(depth > 0)) return at;
    at += c.normal * maximum(depth - slack, 0.0f);
    const float step = static_cast<float>(state->dt), dt = moving * step;
    const Vec3 along = slip(c, at, anchor, longer);
    const float way = length(along), most = has_friction ? friction(*c.surface) * depth : 0.0f;
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
