#include "panta/methods/unified_macklin2014/constraints/element_layout.h"

#include <algorithm>

#include "panta/methods/unified_macklin2014/constraints/incidence.h"

namespace panta::unified {

ElementLayout lay_out_elements(const std::vector<std::uint32_t>& particles,
                               const std::vector<std::uint32_t>& elements, int element_size) {
  const auto size = static_cast<std::size_t>(element_size);
  ElementLayout layout;
  layout.ranges.push_back({});
  for (const std::uint32_t count : elements) {
    const ElementRange begin = layout.ranges.back();
    const RankedIds ids = ranked({particles.data() + begin.element * size, count * size});
    layout.members.insert(layout.members.end(), ids.distinct.begin(), ids.distinct.end());
    for (const std::uint32_t rank : ids.rank) layout.corners.push_back(begin.member + rank);
    layout.ranges.push_back(
        {static_cast<std::uint32_t>(layout.members.size()), begin.element + count});
    layout.most_elements = std::max(layout.most_elements, count);
  }
  Incidence of_members = incidence(layout.corners, layout.members.size());
  layout.begins = std::move(of_members.begins);
  layout.entries = std::move(of_members.entries);
  return layout;
}

}  // namespace panta::unified
