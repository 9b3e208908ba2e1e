// reduce(exec, n, identity, map, scratch): combines map(0) … map(n-1) with the type's `combine(a,
// b)`, always in the same order: in blocks of a fixed size, on the CPU from the first item to the
// last, on the GPU by halving, then over the blocks in turn. Bitwise the same for any thread count,
// and on the GPU from run to run.
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

inline Index reduce_blocks(Index n) { return (n + reduce_block - 1) / reduce_block; }

template <class D, class T>
T combined(const T& identity, const Buffer<D, T>& partial) {
  T total = identity;
  for (const T& part : partial.download()) total = combine(total, part);
  return total;
}
}  // namespace detail

template <class T, class Map>
T reduce(const Cpu& exec, Index n, const T& identity, const Map& map, Buffer<Cpu, T>& scratch) {
  const Index blocks = detail::reduce_blocks(n);
  scratch.resize(static_cast<std::size_t>(blocks));
  launch(exec, blocks, detail::ReduceBlock<T, Map>{n, identity, map, scratch.data()});
  return detail::combined(identity, scratch);
}

#ifdef __CUDACC__
namespace detail {
template <class T, class Map>
__global__ void __launch_bounds__(reduce_block)
    run_reduction(Index n, T identity, Map map, T* __restrict__ partial) {
  __shared__ T part[reduce_block];
  const Index t = static_cast<Index>(threadIdx.x);
  const Index i = static_cast<Index>(blockIdx.x) * reduce_block + t;
  part[t] = i < n ? map(i) : identity;
  for (Index half = reduce_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) part[t] = combine(part[t], part[t + half]);
  }
  if (t == 0) partial[blockIdx.x] = part[0];
}
}  // namespace detail

template <class T, class Map>
T reduce(const Cuda& exec, Index n, const T& identity, const Map& map, Buffer<Cuda, T>& scratch) {
  const Index blocks = detail::reduce_blocks(n);
  scratch.resize(static_cast<std::size_t>(blocks));
  if (blocks > 0) {
    detail::run_reduction<<<static_cast<unsigned>(blocks), reduce_block, 0, exec.stream>>>(
        n, identity, map, scratch.data());
    check_cuda(cudaGetLastError(), "launching a kernel");
    exec.synchronize();
  }
  return detail::combined(identity, scratch);
}
#endif

}  // namespace panta
