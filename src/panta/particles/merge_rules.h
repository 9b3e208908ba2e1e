// The columns of particles as a list for kernels, with the merge rule of each.
#pragma once

#include <cstdint>

#include "panta/particles/column.h"
#include "panta/particles/new_particles.h"

namespace panta {

template <class D>
struct MergeRules {
  NewParticles<D> columns;  // the storage, and the values of a new particle
  int position = 0;         // index of the position field: it may cross a periodic border
  Merge field[max_fields] = {};
  Merge packed[max_fields] = {};  // of the fourth components; none if unused
  Merge word[max_words] = {};
  bool whole[max_words] = {};  // an integer, not the bits of a float
};

}  // namespace panta
