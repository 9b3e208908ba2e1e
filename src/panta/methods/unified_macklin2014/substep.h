// A substep: forces and prediction at its start, the new velocity at its end (Algorithm 1, lines
// 2, 3, 24 and 27).
//
//   v* = v + dt f,  x* = x + dt v*;  constraints move x*;  v' = (x* - x) / dt,  x' = x*
//
// Neighbours and walls are found once for several substeps, at x + v T/2, half way through the time
// T they serve.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/fields/surroundings.h"
#include "panta/methods/unified_macklin2014/columns.h"
#include "panta/methods/unified_macklin2014/substances.h"
#include "panta/sources/emitter.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta::unified {

// Which substep and iteration of a step this is.
struct SubstepCount {
  int substeps = 1, iterations = 1;
  int substep = 0, iteration = 0;  // now

  PANTA_HD bool last_iteration() const { return iteration + 1 == iterations; }
  PANTA_HD bool last_substep() const { return substep + 1 == substeps; }
};

struct SpeedLimits {
  float max_speed = 0, max_acceleration = 0;  // m/s, m/s2; 0: none
  float sleep_speed = 0;                      // m/s, of eq. 14; 0: none sleep

  // The velocity after limits; `before`: that before the constraints.
  PANTA_HD Vec3 limited(Vec3 v, const Vec3& before, float dt) const {
    if (max_acceleration > 0) {
      const Vec3 change = v - before;
      const float size = length(change), most = max_acceleration * dt;
      if (size > most) v = before + change * (most / size);
    }
    if (max_speed > 0) {
      const float speed = length(v);
      if (speed > max_speed) v = v * (max_speed / speed);
    }
    return v;
  }
};

// Pushes of the density constraint and their correction (constraints/push_correction.h).
template <class D>
struct PushFields {
  Field4View<D> sum;  // m/s2, mean over the step so far
  Field4View<D> potential, correction;
  bool used = false;  // there are liquids
};

template <class D>
struct Substep {
  StepGate gate;
  SubstepCount counts;
  Field4View<D> position, velocity;    // velocity.w: see multiplier_or_contacts()
  RecordsView<D, Record4> candidates;  // x* and contribution to the density
  Surroundings surroundings;
  SpeedLimits limits;
  std::uint32_t* held = nullptr;  // 1 + the emitter that holds the particle; null without emitters
  const std::uint32_t* phase = nullptr;
  const Substances* substances = nullptr;  // null: all particles are alike
  const float* weights = nullptr;          // of weights.h; null: all weigh 1
  const float* volumes = nullptr;
  PushFields<D> pushes = {};

  PANTA_HD float dt() const { return static_cast<float>(gate.state->dt / counts.substeps); }
  PANTA_HD double start() const {
    return gate.state->time + gate.state->dt * counts.substep / counts.substeps;
  }
  PANTA_HD bool is_held(Index i) const { return held && held[i]; }

  // Packed beside the velocity (columns.h).
  PANTA_HD float multiplier_or_contacts(Index i) const {
    return unified::multiplier_or_contacts(velocity, i);
  }
  PANTA_HD void set_multiplier_or_contacts(Index i, float value) const { velocity.set_w(i, value); }

  // The contribution to the density of liquids (weights.h).
  PANTA_HD float fills(Index i) const {
    if (!substances) return 1.0f;
    const bool wet = substances->kind[phase[i]] == MaterialKind::liquid;
    return volumes && wet ? volumes[i] : substances->fills[phase[i]];
  }
  // Lightest mass of a material over the particle's own: w of eq. 4.
  PANTA_HD float mobility(Index i) const {
    const float of_material = substances->mobility[phase[i]];
    return weights ? of_material / weights[i] : of_material;
  }

  // The acceleration per force per volume, relative to the lightest material.
  PANTA_HD float freedom(Index i) const { return volumes ? mobility(i) * volumes[i] : mobility(i); }

  // Adds the push of the density constraint in an iteration.
  PANTA_HD void add_push(Index i, const Vec3& way) const {
    const bool first = counts.substep == 0 && counts.iteration == 0;
    const Vec3 before = first ? Vec3{} : pushes.sum.xyz(i);
    const Vec3 sum = before + way * (1 / (static_cast<float>(counts.substeps) * dt() * dt()));
    pushes.sum.set(i, {sum.x, sum.y, sum.z, 0});
  }

  // The start of a substep at time t for a particle at x with velocity v.
  PANTA_HD void open(Index i, const Vec3& x, Vec3 v, double t, float multiplier) const {
    if (!is_held(i)) {
      Vec3 a = surroundings.acceleration(x, v, static_cast<float>(t), dt());
      if (substances) a += surroundings.gravity * (substances->weight[phase[i]] - 1);
      if (pushes.used) a += pushes.correction.xyz(i) * freedom(i);
      v += a * dt();
    }
    velocity.set(i, {v.x, v.y, v.z, multiplier});
    const Vec3 target = x + v * dt();
    candidates.set(i, {{target.x, target.y, target.z, fills(i)}});
  }

  // The end of a substep for a particle that constraints have moved to `target`; v: before them.
  PANTA_HD void close(Index i, const Vec3& x, const Vec3& v, const Vec3& target,
                      float multiplier) const {
    const Vec3 after = limits.limited((target - x) * (1 / dt()), v, dt());
    const bool sleeps = limits.sleep_speed > 0 && length(after) < limits.sleep_speed;
    close_at(i, sleeps ? x : x + after * dt(), after, multiplier);
  }

  // The same for a known position and velocity.
  PANTA_HD void close_at(Index i, const Vec3& at, const Vec3& after, float multiplier) const {
    position.set_xyz(i, at);
    if (counts.last_substep()) {
      velocity.set(i, {after.x, after.y, after.z, multiplier});
    } else {
      open(i, at, after, start() + dt(), multiplier);
    }
  }
};

// Ends a substep that no group of constraints has ended (constraints/constraint_group_list.h).
template <class D>
struct CloseSubstep {
  Substep<D> substep;
  const std::uint32_t* living;

  PANTA_HD void operator()(Index i) const {
    if (substep.gate.closed() || static_cast<std::uint32_t>(i) >= *living) return;
    substep.close(i, substep.position.xyz(i), substep.velocity.xyz(i),
                  substep.candidates.get(i).first.xyz(), substep.multiplier_or_contacts(i));
  }
};

// The velocity after the constraints of a substep, for the implicit viscosity.
template <class D>
struct FindSubstepVelocity {
  Substep<D> substep;
  Field4View<D> velocity;  // result

  PANTA_HD void operator()(Index i) const {
    const Vec3 v = substep.is_held(i)
                       ? substep.velocity.xyz(i)
                       : (substep.candidates.get(i).first.xyz() - substep.position.xyz(i)) *
                             (1 / substep.dt());
    velocity.set(i, {v.x, v.y, v.z, 0});
  }
};

// Candidates from the velocities after the implicit viscosity; `began`: for the next substep.
template <class D>
struct TakeSubstepVelocity {
  Substep<D> substep;
  Field4View<D> velocity, began;

  PANTA_HD void operator()(Index i) const {
    if (substep.gate.closed()) return;
    const Vec3 v = velocity.xyz(i);
    began.set(i, {v.x, v.y, v.z, 0});
    if (substep.is_held(i)) return;
    Record4 candidate = substep.candidates.get(i);
    const Vec3 at = substep.position.xyz(i) + v * substep.dt();
    candidate.first = {at.x, at.y, at.z, candidate.first.w};
    substep.candidates.set(i, candidate);
  }
};

// Sets candidates to the positions, before the first substep.
template <class D>
struct PlaceCandidatesAtRest {
  Substep<D> substep;
  PANTA_HD void operator()(Index i) const {
    const Vec3 x = substep.position.xyz(i);
    substep.candidates.set(i, {{x.x, x.y, x.z, substep.fills(i)}});
  }
};

// The first substep of a step.
template <class D>
struct BeginFirstSubstep {
  Substep<D> substep;
  const std::uint32_t* living;
  bool moves = false;  // candidates hold the start positions

  PANTA_HD void operator()(Index i) const {
    if (substep.gate.closed() || static_cast<std::uint32_t>(i) >= *living) return;
    const bool is_liquid =
        !substep.substances || substep.substances->kind[substep.phase[i]] == MaterialKind::liquid;
    if (moves) substep.position.set_xyz(i, substep.candidates.get(i).first.xyz());
    substep.open(i, substep.position.xyz(i), substep.velocity.xyz(i), substep.gate.state->time,
                 is_liquid ? 0.0f : substep.multiplier_or_contacts(i));
  }
};

}  // namespace panta::unified
