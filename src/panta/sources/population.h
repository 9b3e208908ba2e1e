// How many particles there are, kept on the device so that emitters and sinks work without a word
// from the host.
//
// Arrays have more slots than particles. The first `occupied` slots are in use; some of the
// particles in them may be gone (their position's w is not 0) until the next sort by cell puts them
// behind the others. New particles take the slots after the occupied ones.
#pragma once

#include <cstdint>

#include "panta/particles/particles.h"
#include "panta/step/step_state.h"

namespace panta {

struct Population {
  std::uint32_t occupied = 0;
  std::uint32_t gone = 0;  // of the occupied
  std::uint32_t slots = 0;
  std::uint32_t next_id = 0;
  std::uint64_t emitted = 0;  // by emitters and by splitting
  std::uint64_t removed = 0;  // by sinks, by programs and by merging

  std::uint32_t living() const { return occupied - gone; }
};

// After a sort: those that are gone lie behind the others.
struct DropGone {
  Population* population;
  PANTA_HD void operator()(Index) const {
    population->occupied -= population->gone;
    population->removed += population->gone;
    population->gone = 0;
  }
};

}  // namespace panta
