// The step itself: its length, the leapfrog, and contact with walls.
//
//   v(n+1/2) = v(n-1/2) + a(n) (dt_before + dt)/2
//   x(n+1)   = x(n) + v(n+1/2) dt
// dt = min(cfl h / (c + |v|max), force_limit sqrt(h / |a|max), viscous_limit h^2 rho/mu,
// max_time_step), then shortened so that a whole number of equal steps ends on the frame. |v|max
// and |a|max are those of the step before.
//
// A step that cannot be completed (lists too short, a position that is not finite) changes nothing
// but the flags, so that it can be done again.
#pragma once

#include "panta/core/atomics.h"
#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/geometry/wall.h"
#include "panta/methods/sph_mueller2003/phases.h"
#include "panta/sources/emitter.h"
#include "panta/sources/sink.h"

namespace panta::sph {

// Lives on the device: a step needs no word from the host.
struct StepState {
  double time = 0, until = 0;
  double dt = 0, dt_before = 0;
  std::uint64_t steps = 0;
  std::uint32_t done = 0;                  // nothing to do: time has reached `until`, or no room
  std::uint32_t completed = 0;             // the last step was made
  std::uint32_t invalid = 0;               // 1 + a particle whose position is not finite
  std::uint32_t longest_list = 0;          // beyond capacity: do the step again with more room
  std::uint32_t fastest = 0, hardest = 0;  // |v|max and |a|max of the last step, as ordered bits
  std::uint32_t now_fastest = 0, now_hardest = 0;  // of the step being made
};

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

// Chooses the step's length; runs once per step.
struct PlanStep {
  StepState* state;
  StepLimits limits;

  PANTA_HD void operator()(Index) const {
    StepState& s = *state;
    const double left = s.until - s.time;
    s.done = left <= 0 ? 1 : 0;
    s.completed = 0;
    if (s.done || s.invalid) return;
    const double dt = limits.choose(from_ordered_bits(s.fastest), from_ordered_bits(s.hardest));
    const double steps = ceil(left / dt * (1 - 1e-9));
    s.dt = steps <= 1 ? left : left / steps;
    s.now_fastest = s.now_hardest = 0;
  }
};

// Books the step that was made; runs once per step.
struct FinishStep {
  StepState* state;
  const std::uint32_t* longest_list;
  std::uint32_t capacity;

  PANTA_HD void operator()(Index) const {
    StepState& s = *state;
    s.longest_list = *longest_list;
    if (s.done || s.invalid || s.longest_list > capacity) return;
    // The last step of a frame lands on it exactly.
    s.time = s.until - s.time <= s.dt * (1 + 1e-9) ? s.until : s.time + s.dt;
    s.dt_before = s.dt;
    s.fastest = s.now_fastest;
    s.hardest = s.now_hardest;
    s.completed = 1;
    ++s.steps;
  }
};

template <class D, bool Bodies>
struct MoveParticles {
  const StepState* state;
  const std::uint32_t* longest_list;
  std::uint32_t capacity;
  Field4View<D> position, velocity, acceleration;  // velocity.w: becomes the density of this step
  RecordsView<D> records;
  const std::uint32_t* phase;
  const Phases* phases;
  WallsView walls;         // where they are at the step's end
  float contact_distance;  // particles stay this far from walls
  Vec3 period, period_origin;
  int dimensions;
  Population* population;
  const EmitterSpec* emitters;
  std::uint32_t* held;  // 1 + the emitter that holds the particle; null without emitters
  SinksView sinks;

  // magnitudes: |v| and |a|
  PANTA_HD void operator()(Index i, float* magnitudes) const {
    if (state->done || state->invalid || *longest_list > capacity) return;
    if (static_cast<std::uint32_t>(i) >= population->occupied) return;
    const float dt = static_cast<float>(state->dt);
    if (held && held[i]) return move_held(i, dt, magnitudes);
    const float kick = static_cast<float>(0.5 * (state->dt_before + state->dt));
    Vec3 a = acceleration.xyz(i);
    if (dimensions == 2) a.z = 0;
    Vec3 v = velocity.xyz(i) + a * kick;
    Vec3 x = position.xyz(i) + v * dt;
    meet_walls(x, v);
    set(i, wrapped(x), v);
    magnitudes[0] = length(v);
    magnitudes[1] = length(a);
    if (sinks.count > 0 && sinks.swallow(x)) {
      position.set_w(i, gone_mark);
      atomic_add(&population->gone, 1u);
    }
  }

  PANTA_HD void set(Index i, const Vec3& x, const Vec3& v) const {
    position.set_xyz(i, x);
    velocity.set(i, {v.x, v.y, v.z, phases->mass[phase[i]] / records.get(i).second.w});
  }

  // With the emitter's column, until it is past the opening.
  PANTA_HD void move_held(Index i, float dt, float* magnitudes) const {
    const EmitterSpec& emitter = emitters[held[i] - 1];
    const Vec3 v = emitter.direction * emitter.speed;
    const Vec3 x = position.xyz(i) + v * dt;
    set(i, wrapped(x), v);
    if (dot(x - emitter.opening, emitter.direction) >= 0) held[i] = 0;
    magnitudes[0] = emitter.speed;
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
    const float lost = minimum(c.surface->friction * bounce, speed);
    v += c.normal * bounce;
    if (speed > 0) v -= sliding * (lost / speed);
  }

  PANTA_HD Vec3 wrapped(Vec3 x) const {
    for (int axis = 0; axis < 3; ++axis) {
      const float length = period[axis];
      if (length <= 0) continue;
      const float start = period_origin[axis];
      x[axis] -= floorf((x[axis] - start) / length) * length;
      if (x[axis] >= start + length) x[axis] = start;
    }
    return x;
  }
};

}  // namespace panta::sph
