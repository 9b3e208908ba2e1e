// Host copies of particle values in the order of ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace panta {

// out becomes `values` ordered by `id`.
template <class T>
void place_by_id(const std::vector<std::uint32_t>& id, const std::vector<T>& values,
                 std::vector<T>& out) {
  std::vector<std::size_t> order(id.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool dense = !id.empty() && *std::max_element(id.begin(), id.end()) + 1 == id.size();
  if (dense) {
    for (std::size_t i = 0; i < id.size(); ++i) order[id[i]] = i;
  } else {
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  }
  out.resize(id.size());
  for (std::size_t k = 0; k < id.size(); ++k) out[k] = values[order[k]];
}

}  // namespace panta
