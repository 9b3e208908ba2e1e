#include "panta/methods/unified_macklin2014/constraints/incidence.h"

#include <algorithm>

namespace panta::unified {

RankedIds ranked(std::span<const std::uint32_t> ids) {
  RankedIds result{{ids.begin(), ids.end()}, {}};
  std::vector<std::uint32_t>& distinct = result.distinct;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  result.rank.reserve(ids.size());
  for (const std::uint32_t id : ids)
    result.rank.push_back(static_cast<std::uint32_t>(
        std::lower_bound(distinct.begin(), distinct.end(), id) - distinct.begin()));
  return result;
}

Incidence incidence(const std::vector<std::uint32_t>& owner, std::size_t owners) {
  Incidence result{std::vector<std::uint32_t>(owners + 1),
                   std::vector<std::uint32_t>(owner.size())};
  for (const std::uint32_t each : owner) ++result.begins[each + 1];
  for (std::size_t p = 0; p < owners; ++p) result.begins[p + 1] += result.begins[p];
  std::vector<std::uint32_t> next = result.begins;
  for (std::size_t k = 0; k < owner.size(); ++k)
    result.entries[next[owner[k]]++] = static_cast<std::uint32_t>(k);
  return result;
}

}  // namespace panta::unified
