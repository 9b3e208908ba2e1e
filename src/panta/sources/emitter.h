// Emitters: inflow in layers, at rest density, without gaps or overlaps.
//
// An emitter's profile is a flat pattern of points in the entry plane, `depth` behind its opening.
// The fluid column moves with the given speed. Whenever it has moved by one more layer distance,
// The fluid column moves with the given speed. Whenever it has moved by one more layer distance,
// the next layer enters, shifted forward by the remainder (less than one step's displacement), so
// that the distance of layers does not depend on the time step. A particle is held until it has
// passed the opening: it moves with the column and acts on others, but forces do not act on it, as
// in a pipe.
//
// The number N of points, their area A and the layer distance L satisfy N spacing^3 = A L, so that
// the flux is exactly speed times area. Grains are displaced a little at random, by their ids:
// exact columns of grains would stand on each other.
//
// All work is done on the device: PlanEmission decides what enters, EmitParticles writes it,
// TravelEmitters records the distance that the columns moved in the step.
#pragma once

#include "panta/core/field.h"
#include "panta/core/launch.h"
#include "panta/core/random.h"
#include "panta/sources/population.h"

namespace panta {

struct EmitterSpec {
  Vec3 opening;  // a point of the opening's plane
  Vec3 direction;
  float speed = 0;
  float depth = 0;   // m, from the entry to the opening
  double layer = 1;  // m, L
  double start = 0, stop = 1e30, pulse_period = 0, pulse_on = 0;  // s
  std::uint64_t most_layers = ~std::uint64_t{0};
  std::uint32_t first_point = 0, point_count = 0;
  std::uint32_t phase = 0;
  std::uint32_t object = 0;
  std::uint32_t active = 1;
  Vec3 jitter;  // m, largest displacement along each axis

  PANTA_HD Vec3 displacement(std::uint32_t id) const {
    const auto along = [&](float reach, std::uint64_t axis) {
      return reach > 0 ? reach * (2 * random_uniform(0, id, axis) - 1) : 0.0f;
    };
    return {along(jitter.x, 0), along(jitter.y, 1), along(jitter.z, 2)};
  }

  // Seconds for which it has been on until time t.
  PANTA_HD double on_time(double t) const {
    const double since = (t < stop ? t : stop) - start;
    if (!(since > 0)) return 0;
    if (!(pulse_period > 0)) return since;
    const double periods = floor(since / pulse_period), rest = since - periods * pulse_period;
    return periods * pulse_on + (rest < pulse_on ? rest : pulse_on);
  }
  PANTA_HD bool on(double t) const {
    if (!active || t < start || !(t < stop)) return false;
    return !(pulse_period > 0) ||
           (t - start) - floor((t - start) / pulse_period) * pulse_period < pulse_on;
  }
};

struct EmitterState {
  double travelled = 0;      // m, by the column while on
  std::uint64_t layers = 0;  // entered so far
  // Of the step being made:
  std::uint32_t due = 0;         // layers that enter
  std::uint32_t first_slot = 0;  // for their particles
  std::uint32_t first_id = 0;
  float ahead = 0;  // m, of the first of them, from the entry plane
};

// Number of layers that should have entered until now but have not.
PANTA_HD double layers_behind(const EmitterSpec& spec, const EmitterState& s) {
  const double entered = floor(s.travelled / spec.layer + 1e-9) + 1;
  const double most = static_cast<double>(spec.most_layers);
  return (entered < most ? entered : most) - static_cast<double>(s.layers);
}

struct EmittersView {
  const EmitterSpec* specs = nullptr;
  EmitterState* states = nullptr;
  int count = 0;
};

// Decides how many layers enter at the start of a step; runs once per step. If there are not enough
// slots, nothing enters and more slots are requested; then the step is repeated.
struct PlanEmission {
  EmittersView emitters;
  Population* population;
  const StepState* state;
  RoomRequest slots;

  PANTA_HD void operator()(Index) const {
    std::uint64_t total = 0;
    for (int e = 0; e < emitters.count; ++e) {
      EmitterState& s = emitters.states[e];
      s.due = state->closed ? 0 : layers_due(emitters.specs[e], s);
      total += std::uint64_t{s.due} * emitters.specs[e].point_count;
    }
    if (population->occupied + total > population->slots) {
      for (int e = 0; e < emitters.count; ++e) emitters.states[e].due = 0;
      slots.ask(static_cast<std::uint32_t>(population->occupied + total));
      return;
    }
    for (int e = 0; e < emitters.count; ++e) admit(emitters.specs[e], emitters.states[e]);
  }

 private:
  PANTA_HD std::uint32_t layers_due(const EmitterSpec& spec, const EmitterState& s) const {
    if (!spec.on(state->time)) return 0;
    const double due = layers_behind(spec, s);
    return due > 0 ? static_cast<std::uint32_t>(due) : 0;
  }
  PANTA_HD void admit(const EmitterSpec& spec, EmitterState& s) const {
    if (s.due == 0) return;
    const std::uint32_t particles = s.due * spec.point_count;
    s.first_slot = population->occupied;
    s.first_id = population->next_id;
    s.ahead = static_cast<float>(s.travelled - static_cast<double>(s.layers) * spec.layer);
    s.layers += s.due;
    population->occupied += particles;
    population->next_id += particles;
    population->emitted += particles;
  }
};

// Writes the particles that enter: one index per point of all emitters' patterns.
template <class D>
struct EmitParticles {
  EmittersView emitters;
  const Vec3* points;               // at the entry planes
  const std::uint32_t* emitter_of;  // of each point
  NewParticles<D> particles;
  Field4View<D> position, velocity;
  std::uint32_t *id, *phase, *held;
  std::uint32_t* object;  // null: there is one object only

  PANTA_HD void operator()(Index p) const {
    const std::uint32_t e = emitter_of[p];
    const EmitterSpec& spec = emitters.specs[e];
    const EmitterState& s = emitters.states[e];
    const std::uint32_t point = static_cast<std::uint32_t>(p) - spec.first_point;
    for (std::uint32_t k = 0; k < s.due; ++k) {
      const float ahead = s.ahead - static_cast<float>(k * spec.layer);
      const std::uint32_t offset = k * spec.point_count + point;
      const Index slot = static_cast<Index>(s.first_slot + offset);
      const std::uint32_t new_id = s.first_id + offset;
      const Vec3 x = points[p] + spec.direction * ahead + spec.displacement(new_id);
      const Vec3 v = spec.direction * spec.speed;
      particles.write(slot);
      position.set(slot, {x.x, x.y, x.z, 0});
      velocity.set_xyz(slot, v);
      id[slot] = new_id;
      phase[slot] = spec.phase;
      held[slot] = e + 1;
      if (object) object[slot] = spec.object;
    }
  }
};

// Records how far the columns have travelled; runs once per completed step.
struct TravelEmitters {
  EmittersView emitters;
  const StepState* state;

  PANTA_HD void operator()(Index) const {
    if (!state->completed) return;
    const double end = state->time, start = end - state->dt;
    for (int e = 0; e < emitters.count; ++e) {
      const EmitterSpec& spec = emitters.specs[e];
      if (spec.active && emitters.states[e].layers < spec.most_layers)
        emitters.states[e].travelled += spec.speed * (spec.on_time(end) - spec.on_time(start));
    }
  }
};

}  // namespace panta
