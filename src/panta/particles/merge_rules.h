// The columns of particles as a list that kernels walk, with how each of them merges.
#pragma once

#include <cstdint>

#include "panta/particles/column.h"
#include "panta/particles/new_particles.h"

namespace panta {

template <class D>
struct MergeRules {
  NewParticles<D> columns;  // the storage, and the values of a new particle
  int position = 0;         // which of the fields: it may cross a periodic border
  Merge field[max_fields] = {};
  Merge packed[max_fields] = {};  // of the fourth components; none where nothing is packed in them
  Merge word[max_words] = {};
  bool whole[max_words] = {};  // a whole number, not the bits of a float
};

}  // namespace panta
