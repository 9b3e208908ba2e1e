// Host copies of particle values in the order of ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace panta {

// order[k] is the place of the k-th smallest id.
inline std::vector<std::uint32_t> order_by_id(const std::vector<std::uint32_t>& id) {
  std::vector<std::uint32_t> order(id.size());
  std::iota(order.begin(), order.end(), 0u);
  const bool dense = !id.empty() && *std::max_element(id.begin(), id.end()) + 1 == id.size();
  if (dense) {
    for (std::size_t i = 0; i < id.size(); ++i) order[id[i]] = static_cast<std::uint32_t>(i);
  } else {
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
  }
  return order;
}

template <class T>
std::vector<T> in_order(const std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> out(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) out[k] = values[order[k]];
  return out;
}

}  // namespace panta
