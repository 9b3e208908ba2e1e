// The start of a step (Algorithm 1, lines 1 to 6, 16 to 19): forces, viscosity, prediction.
//
//   v += dt g;   v changes by viscosity;   x* = x + dt v
//
// The new velocity is stored beside the particles' own, which change only when the step is
// complete. Neighbours are searched once, at the positions without viscosity; viscosity acts on
// those within the support at the present positions.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/fields/surroundings.h"
#include "panta/methods/viscoelastic_clavet2005/substances.h"
#include "panta/solver/particle_weights.h"
#include "panta/solver/place_for_search.h"
#include "panta/step/step_state.h"

namespace panta::viscoelastic {

// The velocity at the start of a step, with the forces on the particle.
template <class D>
struct StartVelocity {
  const StepState* state;
  Field4View<D> position, velocity;
  Surroundings surroundings;
  const std::uint32_t* held = nullptr;  // held particles keep their velocity

  PANTA_HD Vec3 operator()(Index i) const {
    const Vec3 v = velocity.xyz(i);
    if (held && held[i]) return v;
    const float t = static_cast<float>(state->time), dt = static_cast<float>(state->dt);
    return v + surroundings.acceleration(position.xyz(i), v, t, dt) * dt;
  }
};

// Search positions in the new order, positions half way for walls, and records for viscosity.
template <class D>
struct RecordStepStart {
  PlaceForSearch<D, StartVelocity<D>> place;
  Field4View<D> middle, drift;  // results
  RecordsView<D> records;       // result: x and v

  PANTA_HD void operator()(Index i) const {
    place(i);
    const Vec3 x = place.position.xyz(i), v = place.velocity(i);
    const Vec3 half = (x + place.searched.xyz(i)) * 0.5f;
    middle.set(i, {half.x, half.y, half.z, 0});
    drift.set(i, {v.x, v.y, v.z, 0});
    records.set(i, {{x.x, x.y, x.z, 0}, {v.x, v.y, v.z, 0}});
  }
};

// The share of an approach speed that a pair may remove in a pass: all neighbours of a particle
// together, each times its 1-q, must not reverse the approach.
template <class D>
struct MostViscosity {
  Kernel kernel;
  float most;              // without crowding
  RecordsView<D> records;  // result: first.w

  PANTA_HD void set(Index i, float reach) const {
    Record8 r = records.get(i);
    r.first.w = reach * most > 1 ? 1 / reach : most;
    records.set(i, r);
  }
};

// Computed together with the lists.
template <class D>
struct FindMostViscosity {
  MostViscosity<D> most;

  template <class F>
  struct Sum {
    F reach{};
  };
  template <class F>
  PANTA_HD void add(Sum<F>& sum, F r2) const {
    sum.reach = sum.reach + most.kernel.reach(square_root(r2));
  }
  PANTA_HD void finish(Index i, const Sum<float>& sum) const { most.set(i, sum.reach); }
};

// With weights: a sum over complete lists and positions with weights.
template <class D>
struct FindMostWeightedViscosity {
  MostViscosity<D> most;

  struct Self {};
  template <class F>
  struct Sum {
    F reach{};
  };
  PANTA_HD Self self(Index) const { return {}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self&, const Vec3T<F>&, F r2, const J& j) const {
    sum.reach = fused(j.record.first.w, most.kernel.reach(square_root(r2)), sum.reach);
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    most.set(i, sum.reach);
  }
};

// Viscosity of pairs. The change of a particle's velocity by all its neighbours in a pass is
// bounded (FindMostViscosity; of two the smaller bound holds), so that no approach is reversed at
// any viscosity or compression. Several: substances have different masses or viscosities.
template <class D, bool Several, bool Weighted>
struct SlowApproach {
  Kernel kernel;
  RecordsView<D> records;  // x and the bound, v
  Field4View<D> drift;     // result
  const StepState* state;
  float part;  // of the step, 1 / number of passes
  const std::uint32_t* phase;
  const std::uint32_t* held;
  const Substances* substances;
  Weights weights;

  struct Self {
    Vec3 v;
    Viscosity<float> own;
    float most, mobility, dt;
  };
  template <class F>
  struct Sum {
    Vec3T<F> change{};
  };
  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    const std::uint32_t k = phase[i];
    return {r.second.xyz(),
            {substances->linear[k], substances->quadratic[k], substances->both_ways[k]},
            r.first.w,
            substances->mobility[k],
            part * static_cast<float>(state->dt)};
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F r = maximum(square_root(r2), 1e-12f), per_r = reciprocal(r);
    const Vec4T<F>& v = j.record.second;
    const Vec3T<F> apart{v.x - self.v.x, v.y - self.v.y, v.z - self.v.z};
    const auto mean = [&](float own, const float* of_substances) {
      if constexpr (Several) return 0.5f * (own + j.table(of_substances, phase));
      return own + F{};
    };
    const Viscosity<F> viscosity{mean(self.own.linear, substances->linear),
                                 mean(self.own.quadratic, substances->quadratic),
                                 mean(self.own.both_ways, substances->both_ways)};
    F change = viscous_change(viscosity, kernel.reach(r), dot(apart, d) * per_r, self.dt,
                              minimum(j.record.first.w, self.most));
    if constexpr (Several)
      change = change * (2 * self.mobility) *
               reciprocal(self.mobility + j.table(substances->mobility, phase));
    sum.change += d * weights.times_other<Weighted>(change * per_r, j);
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    if (held && held[i]) return;
    drift.set_xyz(i, self.v + sum.change);
  }
};

// Between two passes.
template <class D>
struct RecordDrift {
  Field4View<D> drift;
  RecordsView<D> records;

  PANTA_HD void operator()(Index i) const {
    Record8 r = records.get(i);
    const Vec3 v = drift.xyz(i);
    r.second = {v.x, v.y, v.z, r.second.w};
    records.set(i, r);
  }
};

// x* = x + dt v.
template <class D>
struct Advance {
  const StepState* state;
  Field4View<D> position, drift;
  RecordsView<D, Record4> places;  // result

  PANTA_HD void operator()(Index i) const {
    const Vec3 at = position.xyz(i) + drift.xyz(i) * static_cast<float>(state->dt);
    places.set(i, {{at.x, at.y, at.z, 0}});
  }
};

// For densities at the positions as they are.
template <class D>
struct PlaceAtRest {
  Field4View<D> position, searched, middle;
  RecordsView<D, Record4> places;

  PANTA_HD void operator()(Index i) const {
    const Vec4 x = position.vec4(i);
    searched.set(i, x);
    middle.set(i, x);
    places.set(i, {x});
  }
};

}  // namespace panta::viscoelastic
