#pragma once

#include <cstddef>

namespace panta {

// Gives arrays the same size.
template <class... Arrays>
void resize_all(std::size_t size, Arrays&... arrays) {
  (arrays.resize(size), ...);
}

}  // namespace panta
