// The mark of removed particles: the fourth component of a position, 0 for all others. They are
// dropped by the next sort by cell (sources/population.h).
#pragma once

#include "panta/core/field.h"

namespace panta {

inline constexpr float removed_mark = 1.0f;

PANTA_HD bool is_removed(const Vec4& position) { return position.w != 0; }

template <class D>
PANTA_HD bool is_removed(const Field4View<D>& position, Index i) {
  return position.w(i) != 0;
}
template <class D>
PANTA_HD void mark_removed(const Field4View<D>& position, Index i) {
  position.set_w(i, removed_mark);
}

}  // namespace panta
