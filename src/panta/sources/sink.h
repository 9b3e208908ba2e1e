// Sinks: particles inside them are removed at the end of a step.
#pragma once

#include <vector>

#include "panta/core/field.h"
#include "panta/geometry/shape.h"
#include "panta/geometry/shape_program.h"
#include "panta/sources/population.h"

namespace panta {

struct SinksView {
  const ShapeList::Range* sinks = nullptr;
  const ShapeNode* nodes = nullptr;
  const DistanceGridView* grids = nullptr;
  int count = 0;

  PANTA_HD bool contains(const Vec3& x) const {
    for (int k = 0; k < count; ++k)
      if (distance({nodes + sinks[k].first, sinks[k].count, grids}, x).value < 0) return true;
    return false;
  }
};

// Marks the particles inside the sinks as removed, outside of a step.
template <class D>
struct ClearRegion {
  SinksView sinks;
  Field4View<D> position;
  Population* population;

  PANTA_HD void operator()(Index i) const {
    if (static_cast<std::uint32_t>(i) >= population->occupied || is_removed(position, i)) return;
    if (sinks.contains(position.xyz(i))) remove_particle(position, i, *population);
  }
};

}  // namespace panta
