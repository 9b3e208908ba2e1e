// Before the contacts of a step: anchors of slip (contact.h) are kept or reset, and grains grow
// (grain_sizes.h).
#pragma once

#include "panta/methods/unified_macklin2014/grain_sizes.h"
#include "panta/methods/unified_macklin2014/substep.h"
#include "panta/solver/place_for_search.h"

namespace panta::unified {

inline constexpr std::uint64_t renewal = 32;  // steps, of the anchors of grains that move

// At the start of a step: an anchor that is too far away is reset to the particle's position.
template <class D>
struct DropAnchors {
  Field4View<D> position, velocity, anchors;  // anchors.w: s, since when
  float reach;                                // m
  float reach_at_rest;                        // m, of anchors that follow; 0: none do
  float at_rest;                              // m, grains that move less in a step are at rest
  const StepState* state;
  const std::uint32_t* phase;
  const Substances* substances;

  PANTA_HD void operator()(Index i) const {
    const Vec3 x = position.xyz(i);
    const Vec4 anchor = anchors.vec4(i);
    const float dt = static_cast<float>(state->dt_before), way = length(x - anchor.xyz());
    const bool follows = reach_at_rest > 0 && substances->kind[phase[i]] == MaterialKind::granular;
    const bool moves = length(velocity.xyz(i)) * dt > at_rest;
    const bool renewed = state->steps % renewal == 0;
    if (follows ? (moves ? !renewed : way < reach_at_rest) : way < reach) {
      anchors.set_w(i, anchor.w + dt);
    } else {
      anchors.set(i, {x.x, x.y, x.z, 0});
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
