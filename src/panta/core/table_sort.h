// sort_into_table(exec, keys, n, key_count, many_last, order, starts, scratch): the stable order of
// keys in [0, key_count], and the table of the first position of each key: starts[k] = number of
// keys below k, for k in [0, key_count]. `order[k]` is the index in `keys` of the k-th sorted key.
//
// On the GPU it is a counting sort: every item takes a number among the items of its key, in any
// order; a scan of the counts gives the table; then each item finds its rank within its key by
// comparing indices. That is fast where few items share a key, as in cells of a grid. Where many
// may share the last key (`many_last`), such as particles outside the grid, and on the CPU it is a
// radix sort.
#pragma once

#include "panta/core/scan.h"
#include "panta/core/sort.h"

namespace panta {

template <class D>
struct TableSortScratch {
  Buffer<D, std::uint32_t> sorted;            // radix sort
  Buffer<D, std::uint32_t> counts, arrivals;  // counting
  SortScratch<D, std::uint32_t> sort;
  ScanScratch<D> scan;
};

namespace detail {

inline int bits_for(std::uint64_t count) {
  int bits = 0;
  while (bits < 63 && (std::uint64_t{1} << bits) < count) ++bits;
  return bits;
}

template <class D>
void sort_table_by_digits(const D& exec, const Buffer<D, std::uint32_t>& keys, Index n,
                          std::uint32_t key_count, Buffer<D, std::uint32_t>& order,
                          Buffer<D, std::uint32_t>& starts, TableSortScratch<D>& scratch) {
  sort_by_key(exec, keys, scratch.sorted, order, n, bits_for(std::uint64_t{key_count} + 1),
              scratch.sort);
  starts.resize(static_cast<std::size_t>(key_count) + 1);
  find_key_starts(exec, scratch.sorted.data(), n, starts.data(), key_count);
}

}  // namespace detail

inline void sort_into_table(const Cpu& exec, const Buffer<Cpu, std::uint32_t>& keys, Index n,
                            std::uint32_t key_count, bool, Buffer<Cpu, std::uint32_t>& order,
                            Buffer<Cpu, std::uint32_t>& starts, TableSortScratch<Cpu>& scratch) {
  detail::sort_table_by_digits(exec, keys, n, key_count, order, starts, scratch);
}

#ifdef __CUDACC__
namespace detail {

struct TakeNumbers {
  const std::uint32_t* keys;
  std::uint32_t* counts;
  std::uint32_t* arrivals;  // result: number of items of the same key that came before
  __device__ void operator()(Index i) const { arrivals[i] = atomicAdd(&counts[keys[i]], 1u); }
};

struct PlaceByArrival {
  const std::uint32_t* keys;
  const std::uint32_t* starts;
  const std::uint32_t* arrivals;
  std::uint32_t* placed;
  __device__ void operator()(Index i) const {
    placed[starts[keys[i]] + arrivals[i]] = static_cast<std::uint32_t>(i);
  }
};

struct PlaceByRank {
  const std::uint32_t* keys;
  const std::uint32_t* starts;
  const std::uint32_t* counts;
  const std::uint32_t* placed;
  std::uint32_t* order;
  __device__ void operator()(Index k) const {
    const std::uint32_t i = placed[k], key = keys[i];
    const std::uint32_t begin = starts[key], end = begin + counts[key];
    std::uint32_t rank = 0;
    for (std::uint32_t other = begin; other < end; ++other) rank += placed[other] < i;
    order[begin + rank] = i;
  }
};

inline void sort_table_by_counting(const Cuda& exec, const Buffer<Cuda, std::uint32_t>& keys,
                                   Index n, std::uint32_t key_count,
                                   Buffer<Cuda, std::uint32_t>& order,
                                   Buffer<Cuda, std::uint32_t>& starts,
                                   TableSortScratch<Cuda>& scratch) {
  const std::size_t size = static_cast<std::size_t>(n), table = std::size_t{key_count} + 1;
  order.resize(size);
  scratch.sorted.resize(size);
  scratch.arrivals.resize(size);
  scratch.counts.resize(table);
  starts.resize(table);
  check_cuda(cudaMemsetAsync(scratch.counts.data(), 0, table * sizeof(std::uint32_t), exec.stream),
             "clearing a table");
  launch(exec, n, TakeNumbers{keys.data(), scratch.counts.data(), scratch.arrivals.data()});
  scan_below(exec, scratch.counts.data(), starts.data(), static_cast<Index>(table), scratch.scan);
  launch(
      exec, n,
      PlaceByArrival{keys.data(), starts.data(), scratch.arrivals.data(), scratch.sorted.data()});
  launch(exec, n,
         PlaceByRank{keys.data(), starts.data(), scratch.counts.data(), scratch.sorted.data(),
                     order.data()});
}

}  // namespace detail

inline void sort_into_table(const Cuda& exec, const Buffer<Cuda, std::uint32_t>& keys, Index n,
                            std::uint32_t key_count, bool many_last,
                            Buffer<Cuda, std::uint32_t>& order, Buffer<Cuda, std::uint32_t>& starts,
                            TableSortScratch<Cuda>& scratch) {
  const auto& sort =
      many_last ? detail::sort_table_by_digits<Cuda> : detail::sort_table_by_counting;
  sort(exec, keys, n, key_count, order, starts, scratch);
}
#endif

}  // namespace panta
