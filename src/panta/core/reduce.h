// reduce(exec, n, identity, map, scratch): combines map(0) … map(n-1), always in the same order:
// blocks of a fixed size, each from its first item to its last, then the blocks in turn. Bitwise
// the same for any thread count, and on the GPU from run to run. The type's `combine(a, b)` does
// the combining.
#pragma once

#include "panta/core/buffer.h"
#include "panta/core/launch.h"

namespace panta {

inline constexpr Index reduce_block = 256;

PANTA_HD double combine(double a, double b) { return a + b; }

namespace detail {
template <class T, class Map>
struct ReduceBlock {
  Index n;
  T identity;
  Map map;
  T* partial;
  PANTA_HD void operator()(Index block) const {
    const Index first = block * reduce_block;
    const Index last = n - first < reduce_block ? n : first + reduce_block;
    T total = identity;
    for (Index i = first; i < last; ++i) total = combine(total, map(i));
    partial[block] = total;
  }
};
}  // namespace detail

template <class D, class T, class Map>
T reduce(const D& exec, Index n, const T& identity, const Map& map, Buffer<D, T>& scratch) {
  const Index blocks = (n + reduce_block - 1) / reduce_block;
  scratch.resize(static_cast<std::size_t>(blocks));
  launch(exec, blocks, detail::ReduceBlock<T, Map>{n, identity, map, scratch.data()});
  exec.synchronize();
  T total = identity;
  for (const T& partial : scratch.download()) total = combine(total, partial);
  return total;
}

}  // namespace panta
