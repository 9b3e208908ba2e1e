// Before the contacts of a step: anchors of slip (contact.h) are kept or reset, and grains grow
// (grain_sizes.h).
#pragma once

#include "panta/methods/unified_macklin2014/grain_sizes.h"
#include "panta/methods/unified_macklin2014/substep.h"
#include "panta/solver/place_for_search.h"

namespace panta::unified {

inline constexpr std::uint64_t renewal = 32;  // steps, of the anchors of grains that move

// The point from which slip is measured, and its age. Positions can be used too: their age is 0.
template <class D>
struct AnchorsView {
  Field4View<D> field;

  PANTA_HD Vec3 place(Index i) const { return field.xyz(i); }
  PANTA_HD float age(Index i) const { return field.w(i); }  // s
  PANTA_HD void set(Index i, const Vec3& at, float age) const {
    field.set(i, {at.x, at.y, at.z, age});
  }
  PANTA_HD void set_age(Index i, float age) const { field.set_w(i, age); }
  PANTA_HD void move(Index i, const Vec3& way) const { field.set_xyz(i, place(i) + way); }
};

// At the start of a step: an anchor that is too far away is reset to the particle's position.
template <class D>
struct DropAnchors {
  Field4View<D> position, velocity;
  AnchorsView<D> anchors;
  float reach;          // m
  float reach_at_rest;  // m, of anchors that follow; 0: none do
  float at_rest;        // m, grains that move less in a step are at rest
  const StepState* state;
  const std::uint32_t* phase;
  const Substances* substances;

  PANTA_HD void operator()(Index i) const {
    const Vec3 x = position.xyz(i);
    const float dt = static_cast<float>(state->dt_before), way = length(x - anchors.place(i));
    const bool follows = reach_at_rest > 0 && substances->kind[phase[i]] == MaterialKind::granular;
    const bool moves = length(velocity.xyz(i)) * dt > at_rest;
    const bool renewed = state->steps % renewal == 0;
    if (follows ? (moves ? !renewed : way < reach_at_rest) : way < reach) {
      anchors.set_age(i, anchors.age(i) + dt);
    } else {
      anchors.set(i, x, 0);
    }
  }
};

// At the start of a step: diameters of free grains approach their final values (grain_sizes.h).
template <class D>
struct GrowGrains {
  StepGate gate;
  float* radius;
  GrainSizes sizes;
  const std::uint32_t* ids;
  const std::uint32_t* held;
  const std::uint32_t* phase;
  const Substances* substances;

  PANTA_HD void operator()(Index i) const {
    if (gate.closed() || (held && held[i])) return;
    if (substances->kind[phase[i]] != MaterialKind::granular) return;
    radius[i] = sizes.after(radius[i], ids[i], static_cast<float>(gate.state->dt));
  }
};

template <class D>
struct PlaceWithAnchors {
  PlaceForSearch<D, StoredVelocity<D>> place;
  DropAnchors<D> drop;
  GrowGrains<D> grow;
  PANTA_HD void operator()(Index i) const { place(i), drop(i), grow(i); }
};

}  // namespace panta::unified
