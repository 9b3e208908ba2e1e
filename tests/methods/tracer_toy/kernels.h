// The formulas of the toy method for a particle, a pair or a tracer.
//
//   weight      w(r) = (1 - r/h)^2, 0 beyond h
//   smoothing   (1 + s sum_j w_ij) v_i - s sum_j w_ij v_j = v*_i, s = rate dt, v* = v + a dt:
//               symmetric and positive definite; conserves the sum of all velocities
//   relaxation  v_i += share / (2 dt) sum_j (spacing - r_ij)+ d_ij/r_ij, antisymmetric
//   tracers     v = sum_j w_j v_j / sum_j w_j over near particles; without any, their own velocity
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/fields/surroundings.h"
#include "panta/particles/new_particles.h"
#include "panta/sources/population.h"
#include "panta/sources/sink.h"
#include "panta/step/space.h"
#include "panta/step/step_state.h"

namespace panta::tracer_toy {

struct Kernel {
  float h = 1, inverse_h = 1;

  template <class F>
  PANTA_HD F weight(F r2) const {
    const F s = maximum(1.0f - square_root(r2) * inverse_h, 0.0f);
    return s * s;
  }
};

// The sum of the weights, computed during the neighbour search.
struct SumWeights {
  Kernel kernel;
  float* weights;  // result

  template <class F>
  struct Sum {
    F weight{};
  };
  template <class F>
  PANTA_HD void add(Sum<F>& sum, F r2) const {
    sum.weight = sum.weight + kernel.weight(r2);
  }
  PANTA_HD void finish(Index i, const Sum<float>& sum) const { weights[i] = sum.weight; }
};

// The three components of a vector per particle as unknowns: x of all, y of all, z of all.
struct Unknowns {
  Index particles = 0;
  PANTA_HD Index at(Index i, int component) const { return component * particles + i; }
  PANTA_HD Vec3 get(const float* values, Index i) const {
    return {values[at(i, 0)], values[at(i, 1)], values[at(i, 2)]};
  }
  PANTA_HD void set(float* values, Index i, const Vec3& v) const {
    for (int k = 0; k < 3; ++k) values[at(i, k)] = v[k];
  }
};

// v* as right-hand side and first guess. Particles held by an emitter keep their velocity.
template <class D>
struct PrepareSolve {
  StepGate gate;
  Unknowns unknowns;
  Field4View<D> position, velocity;
  const float* weights;
  float *right_hand_side, *solution, *inverse_diagonal;
  float rate;
  Surroundings surroundings;
  int dimensions;
  const std::uint32_t* living;
  const std::uint32_t* held;

  PANTA_HD void operator()(Index i) const {
    if (gate.closed()) return;
    Vec3 v;
    float inverse = 0;
    if (static_cast<std::uint32_t>(i) < *living) {
      const float dt = static_cast<float>(gate.state->dt);
      v = velocity.xyz(i);
      if (!(held && held[i])) {
        const float time = static_cast<float>(gate.state->time);
        Vec3 a = surroundings.acceleration(position.xyz(i), v, time, dt);
        if (dimensions == 2) a.z = 0;
        v += a * dt;
        inverse = 1 / (1 + rate * dt * weights[i]);
      }
    }
    unknowns.set(right_hand_side, i, v);
    unknowns.set(solution, i, v);
    unknowns.set(inverse_diagonal, i, {inverse, inverse, inverse});
  }
};

// Position and a vector in one record, for sums over neighbours.
template <class D>
struct RecordVectors {
  Unknowns unknowns;
  Field4View<D> position;
  const float* values;
  RecordsView<D> records;

  PANTA_HD void operator()(Index i) const {
    const Vec3 u = unknowns.get(values, i);
    records.set(i, {position.vec4(i), {u.x, u.y, u.z, 0}});
  }
};

// out = A u, the left-hand side of the smoothing.
template <class D>
struct SmoothingTimes {
  Kernel kernel;
  Unknowns unknowns;
  RecordsView<D> records;  // position and u
  const StepState* state;
  float rate;
  float* out;

  struct Self {
    Vec3 u;
  };
  template <class F>
  struct Sum {
    Vec3T<F> differences;
  };
  PANTA_HD Self self(Index i) const { return {records.get(i).second.xyz()}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>&, F r2, const J& j) const {
    const F w = kernel.weight(r2);
    const Vec4T<F>& u = j.record.second;
    sum.differences.x = fused(w, self.u.x - u.x, sum.differences.x);
    sum.differences.y = fused(w, self.u.y - u.y, sum.differences.y);
    sum.differences.z = fused(w, self.u.z - u.z, sum.differences.z);
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    const float share = rate * static_cast<float>(state->dt);
    unknowns.set(out, i, self.u + sum.differences * share);
  }
};

// Moves particles with their smoothed velocity and separates near pairs.
template <class D>
struct MoveParticles {
  StepGate gate;
  RecordsView<D> records;  // position and smoothed velocity
  float spacing, share, cooling;
  Field4View<D> position, velocity;
  float* temperature;
  const std::uint32_t* living;
  const std::uint32_t* held;

  struct Self {};
  template <class F>
  struct Sum {
    Vec3T<F> push;
  };
  PANTA_HD Self self(Index) const { return {}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self&, const Vec3T<F>& d, F r2, const J&) const {
    const F r = square_root(r2);
    sum.push += d * (maximum(spacing - r, 0.0f) / maximum(r, 1e-6f * spacing));
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= *living) return;
    const float dt = static_cast<float>(gate.state->dt);
    const Record8 own = records.get(i);
    Vec3 v = own.second.xyz();
    if (!(held && held[i])) v += sum.push * (0.5f * share / dt);
    position.set_xyz(i, own.first.xyz() + v * dt);
    velocity.set_xyz(i, v);
    temperature[i] -= cooling * dt;
  }
};

// Position of tracers, for the sum below.
template <class D>
struct RecordPlaces {
  Field4View<D> position;
  RecordsView<D> records;
  PANTA_HD void operator()(Index i) const { records.set(i, {position.vec4(i), {}}); }
};

// Moves tracers with the flow: a sum over the particles near each tracer.
template <class D>
struct CarryTracers {
  StepGate gate;
  Kernel kernel;
  RecordsView<D> records;  // of particles: position and velocity
  Field4View<D> position, velocity;
  float* age;
  Population* population;
  Space space;
  SinksView sinks;

  struct Self {};
  template <class F>
  struct Sum {
    F weight{};
    Vec3T<F> velocity;
  };
  PANTA_HD Self self(Index) const { return {}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self&, const Vec3T<F>&, F r2, const J& j) const {
    const F w = kernel.weight(r2);
    const Vec4T<F>& v = j.record.second;
    sum.weight = sum.weight + w;
    sum.velocity.x = fused(w, v.x, sum.velocity.x);
    sum.velocity.y = fused(w, v.y, sum.velocity.y);
    sum.velocity.z = fused(w, v.z, sum.velocity.z);
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= population->occupied) return;
    const float dt = static_cast<float>(gate.state->dt);
    const Vec3 v = sum.weight > 0 ? sum.velocity * (1 / sum.weight) : velocity.xyz(i);
    const Vec3 x = space.wrapped(position.xyz(i) + v * dt);
    velocity.set_xyz(i, v);
    position.set_xyz(i, x);
    age[i] += dt;
    if (sinks.count > 0 && !is_removed(position, i) && sinks.contains(x))
      remove_particle(position, i, *population);
  }
};

// Requests slots before any change, so that the step can be repeated; runs once per step.
struct PlanTracers {
  const Population* population;
  std::uint32_t count;
  RoomRequest slots;

  PANTA_HD void operator()(Index) const {
    const std::uint32_t needed = population->occupied + count;
    if (needed > population->slots) slots.ask(needed);
  }
};

// Adds new tracers at one position at the end of a step; runs once per step.
template <class D>
struct AddTracers {
  StepGate gate;
  Population* population;
  std::uint32_t count;
  Vec3 place;
  NewParticles<D> tracers;
  Field4View<D> position;
  std::uint32_t* id;

  PANTA_HD void operator()(Index) const {
    if (gate.closed()) return;
    for (std::uint32_t k = 0; k < count; ++k) {
      const Index slot = static_cast<Index>(population->occupied++);
      tracers.write(slot);
      position.set(slot, {place.x, place.y, place.z, 0});
      id[slot] = population->next_id++;
    }
    population->emitted += count;
  }
};

}  // namespace panta::tracer_toy
