// Which materials touch each other. A material is the group: things that are to be told apart are
// given materials of their own. Bodies that a material ignores are left out where walls are found.
#pragma once

#include "panta/core/scalar_math.h"
#include "panta/methods/unified_macklin2014/substances.h"

namespace panta::unified {

// What a particle touches.
struct MetMaterials {
  const float* meets = nullptr;  // its row of the table; null: everything
  const std::uint32_t* phase = nullptr;

  // 1 for neighbours that it touches, 0 for others.
  template <class F, class J>
  PANTA_HD F share(const J& j) const {
    return meets ? j.table(meets, phase) : 1.0f + F{};
  }
};

struct ContactFilter {
  const std::uint32_t* phase = nullptr;
  const Substances* substances = nullptr;  // null: everything touches everything

  PANTA_HD MetMaterials of(Index i) const {
    if (!substances) return {};
    return {substances->meets[phase[i]], phase};
  }
};

}  // namespace panta::unified
