// Emitters and sinks at the end of a step: emitters release particles, sinks remove them.
#pragma once

#include "panta/core/field.h"
#include "panta/sources/emitter.h"
#include "panta/sources/sink.h"

namespace panta {

struct OpenBoundaries {
  Population* population;
  const EmitterSpec* emitters;
  std::uint32_t* held;  // 1 + the emitter that holds the particle; null without emitters
  SinksView sinks;

  PANTA_HD bool occupied(Index i) const {
    return static_cast<std::uint32_t>(i) < population->occupied;
  }
  PANTA_HD bool is_held(Index i) const { return held && held[i]; }
  // The emitter of a particle that is held.
  PANTA_HD const EmitterSpec& emitter(Index i) const { return emitters[held[i] - 1]; }
  // Releases a particle that is held, at x, if it is past the opening.
  PANTA_HD void release(Index i, const Vec3& x) const {
    if (dot(x - emitter(i).opening, emitter(i).direction) >= 0) held[i] = 0;
  }
  // Removes a particle at x that is inside a sink.
  template <class D>
  PANTA_HD void drain(const Field4View<D>& position, Index i, const Vec3& x) const {
    if (sinks.count > 0 && !is_removed(position, i) && sinks.contains(x))
      remove_particle(position, i, *population);
  }
};

}  // namespace panta
