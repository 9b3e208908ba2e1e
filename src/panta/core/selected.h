// Selection of elements of an array by index.
#pragma once

#include <cstddef>
#include <vector>

namespace panta {

// The elements with these indices, in this order.
template <class T>
std::vector<T> selected(const std::vector<T>& values, const std::vector<std::size_t>& indices) {
  std::vector<T> out;
  out.reserve(indices.size());
  for (const std::size_t i : indices) out.push_back(values[i]);
  return out;
}

}  // namespace panta
