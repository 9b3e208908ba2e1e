// The number of particles, stored on the device so that emitters and sinks need no synchronisation
// with the host.
//
// Arrays have more slots than particles. The first `occupied` slots are in use; some of their
// particles may be gone (removed: their position has w != 0) until the next sort by cell moves them
// to the end. New particles take the slots after the occupied ones.
#pragma once

#include <cstdint>

#include "panta/core/atomics.h"
#include "panta/particles/particles.h"
#include "panta/step/step_state.h"

namespace panta {

struct Population {
  std::uint32_t occupied = 0;
  std::uint32_t gone = 0;  // number of occupied slots whose particle is removed
  std::uint32_t slots = 0;
  std::uint32_t next_id = 0;
  std::uint64_t emitted = 0;  // by emitters and by splitting
  std::uint64_t removed = 0;  // by sinks, by programs and by merging

  std::uint32_t living() const { return occupied - gone; }
};

// Marks a particle as removed, and counts it.
template <class D>
PANTA_HD void remove_particle(const Field4View<D>& position, Index i, Population& population) {
  mark_removed(position, i);
  atomic_add(&population.gone, 1u);
}

// After a sort, when the removed particles are at the end: shrinks the occupied range.
struct DropGone {
  Population* population;
  PANTA_HD void operator()(Index) const {
    population->occupied -= population->gone;
    population->removed += population->gone;
    population->gone = 0;
  }
};

}  // namespace panta
