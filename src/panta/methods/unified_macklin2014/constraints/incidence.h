// Incidence lists on the host, in flat arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace panta::unified {

// Ids by their rank among those that occur.
struct RankedIds {
  std::vector<std::uint32_t> distinct;  // rising
  std::vector<std::uint32_t> rank;      // of each of the ids given
};
RankedIds ranked(std::span<const std::uint32_t> ids);

// The entries of owner p are entries[begins[p]] to entries[begins[p + 1] - 1], rising.
struct Incidence {
  std::vector<std::uint32_t> begins, entries;
};
// owner[k]: the owner of entry k, below `owners`.
Incidence incidence(const std::vector<std::uint32_t>& owner, std::size_t owners);

}  // namespace panta::unified
