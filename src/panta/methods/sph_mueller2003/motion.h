// The step itself: its length, the leapfrog, and contact with walls.
//
//   v(n+1/2) = v(n-1/2) + a(n) (dt_before + dt)/2
//   x(n+1)   = x(n) + v(n+1/2) dt
// dt = min(cfl h / (c + |v|max), force_limit sqrt(h / |a|max), viscous_limit h^2 rho/mu,
// max_time_step), then shortened so that a whole number of equal steps ends on the frame. |v|max
// and |a|max are those of the step before.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/methods/sph_mueller2003/body_forces.h"
#include "panta/methods/sph_mueller2003/columns.h"
#include "panta/methods/sph_mueller2003/phases.h"
#include "panta/particles/particle_mass.h"
#include "panta/solver/open_boundaries.h"
#include "panta/step/space.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta::sph {

struct StepLimits {
  double h = 1, sound_speed = 1;
  double cfl = 0.4, force_limit = 0.25;
  double viscous_step = 1e30;  // s
  double max_step = 0.01;      // s
  double fixed_step = 0;       // s, 0: adaptive

  PANTA_HD double choose(double speed, double acceleration) const {
    if (fixed_step > 0) return fixed_step;
    double dt = cfl * h / (sound_speed + speed);
    if (acceleration > 0) {
      const double by_force = force_limit * sqrt(h / acceleration);
      dt = by_force < dt ? by_force : dt;
    }
    dt = viscous_step < dt ? viscous_step : dt;
    return max_step < dt ? max_step : dt;
  }
};

template <class D, bool Bodies>
struct MoveParticles {
  StepGate gate;
  Kick<D> kick;
  Field4View<D> position;
  VelocityAndDensity<D> velocity;  // gets the density of this step
  Field4View<D> coupled;           // positions after contact with free bodies; null: none
  RecordsView<D> records;
  ParticleMass mass;
  WallsView walls;         // at their poses at the step's end
  float contact_distance;  // particles stay this far from walls
  Space space;
  OpenBoundaries boundaries;

  // magnitudes: |v| and |a|
  PANTA_HD void operator()(Index i, float* magnitudes) const {
    if (gate.closed() || !boundaries.occupied(i)) return;
    const float dt = static_cast<float>(gate.state->dt);
    if (boundaries.is_held(i)) return move_held(i, dt, magnitudes);
    Vec3 v = kick(i);
    Vec3 x = position.xyz(i) + v * dt;
    if constexpr (Bodies) {
      if (coupled.p) {
        const Vec3 to = coupled.xyz(i);
        v += (to - x) * (1 / dt);
        x = to;
      }
    }
    meet_walls(x, v);
    set(i, space.wrapped(x), v);
    magnitudes[0] = length(v);
    magnitudes[1] = length(kick.acceleration_of(i));
    boundaries.drain(position, i, x);
  }

  PANTA_HD void set(Index i, const Vec3& x, const Vec3& v) const {
    position.set_xyz(i, x);
    velocity.set(i, v, mass(i) / records.get(i).second.w);
  }

  // With the emitter's column, until it is past the opening.
  PANTA_HD void move_held(Index i, float dt, float* magnitudes) const {
    const EmitterSpec& emitter = boundaries.emitter(i);
    const Vec3 v = emitter.direction * emitter.speed;
    const Vec3 x = position.xyz(i) + v * dt;
    set(i, space.wrapped(x), v);
    magnitudes[0] = emitter.speed;
    boundaries.release(i, x);
  }

  PANTA_HD void meet_walls(Vec3& x, Vec3& v) const {
    if (!walls.clear_of_planes(x)) {
      for (int k = 0; k < walls.plane_count; ++k) {
        meet_wall(plane_contact(walls.planes[k], x), x, v);
      }
    }
    if constexpr (Bodies) {
      for (int b = 0; b < walls.body_count; ++b) {
        const Vec3 before = x;
        walls.near_body(b, before, contact_distance, [&](WallContact c) {
          c.distance += dot(x - before, c.normal);  // another side may have moved it
          meet_wall(c, x, v);
        });
      }
    }
  }

  // Pushes the particle out of the wall, reflects its normal velocity with restitution and slows
  // its sliding by friction.
  PANTA_HD void meet_wall(const WallContact& c, Vec3& x, Vec3& v) const {
    if (!(c.distance < contact_distance)) return;
    x += c.normal * (contact_distance - c.distance);
    const Vec3 relative = v - c.velocity;
    const float approach = -dot(relative, c.normal);
    if (approach <= 0) return;
    const Vec3 sliding = relative + c.normal * approach;
    const float bounce = approach * (1.0f + c.surface->restitution);
    const float speed = length(sliding);
    const float lost = minimum(c.surface->friction_on_liquid() * bounce, speed);
    v += c.normal * bounce;
    if (speed > 0) v -= sliding * (lost / speed);
  }
};

}  // namespace panta::sph
