// reduce_on_device<Op, N>(exec, n, map, finish, scratch): N sums or maxima in one pass; the results
// stay on the device. map(i, v) is called exactly once for every i in [0, n) and sets the N doubles
// of v; it may also write to other arrays. Then finish(total) is called once, on the device.
//
// The order is fixed: first within blocks of reduce_items, then over the blocks. On the CPU the
// result is bitwise the same for any thread count, on the GPU from run to run. Once `scratch` has
// been used for as many items, nothing is allocated, so that a Recording may contain the call. A
// scratch serves one stream at a time.
#pragma once

#include <cmath>

#include "panta/core/buffer.h"
#include "panta/core/launch.h"

namespace panta {

inline constexpr Index reduce_items = 1024;

struct AddUp {
  static constexpr double identity = 0;
  PANTA_HD static double combine(double a, double b) { return a + b; }
};

// The largest |v|. NaN wins; the result for n = 0 is 0.
struct LargestMagnitude {
  static constexpr double identity = 0;
  PANTA_HD static double combine(double a, double b) {
    const double size = fabs(b);
    return size > a || size != size ? size : a;
  }
};

template <class D>
struct DeviceReduceScratch {
  Buffer<D, double> partial;
  Buffer<D, std::uint32_t> arrived;  // finished blocks of a GPU kernel; zero between kernels

  static std::size_t blocks(Index n) {
    const Index full = n / reduce_items;
    return static_cast<std::size_t>(full + (n % reduce_items > 0 || n == 0 ? 1 : 0));
  }
  void reserve(Index n, int values) {
    partial.resize_discarding(blocks(n) * static_cast<std::size_t>(values));
    arrived.resize(1);
  }
};

namespace detail {
// One block on the CPU: eight interleaved sums, so that additions are independent of each other.
template <class Op, int N, class Map>
void reduce_block_of_cpu(Index first, Index last, const Map& map, double* partial) {
  constexpr Index lanes = 8;
  double sum[N][lanes];
  for (int k = 0; k < N; ++k)
    for (Index lane = 0; lane < lanes; ++lane) sum[k][lane] = Op::identity;
  const auto take = [&](Index i, Index lane) {
    double v[N];
    map(i, v);
    for (int k = 0; k < N; ++k) sum[k][lane] = Op::combine(sum[k][lane], v[k]);
  };
  Index i = first;
  for (; last - i >= lanes; i += lanes)
    for (Index lane = 0; lane < lanes; ++lane) take(i + lane, lane);
  for (Index lane = 0; i < last; ++i, ++lane) take(i, lane);
  for (int k = 0; k < N; ++k) {
    partial[k] = Op::identity;
    for (Index lane = 0; lane < lanes; ++lane) partial[k] = Op::combine(partial[k], sum[k][lane]);
  }
}
}  // namespace detail

template <class Op, int N, class Map, class Finish>
void reduce_on_device(const Cpu& exec, Index n, const Map& map, const Finish& finish,
                      DeviceReduceScratch<Cpu>& scratch) {
  scratch.reserve(n, N);
  const Index blocks = static_cast<Index>(scratch.blocks(n));
  double* partial = scratch.partial.data();
#pragma omp parallel for schedule(static) num_threads(exec.threads) if (blocks > 4)
  for (Index b = 0; b < blocks; ++b) {
    const Index first = b * reduce_items;
    const Index last = n - first < reduce_items ? n : first + reduce_items;
    detail::reduce_block_of_cpu<Op, N>(first, last, map, partial + b * N);
  }
  double total[N];
  for (int k = 0; k < N; ++k) {
    total[k] = Op::identity;
    for (Index b = 0; b < blocks; ++b) total[k] = Op::combine(total[k], partial[b * N + k]);
  }
  finish(total);
}

#ifdef __CUDACC__
namespace detail {
inline constexpr Index reduce_threads = 256;

// Thread 0 gets the total of all threads. `parts` is shared memory; no thread may still be reading
// it.
template <class Op, int N>
__device__ __forceinline__ void combine_threads(double (&mine)[N],
                                                double (&parts)[N][reduce_threads / 32]) {
#pragma unroll
  for (int k = 0; k < N; ++k) {
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
      mine[k] = Op::combine(mine[k], __shfl_down_sync(0xffffffffu, mine[k], apart));
    if (threadIdx.x % 32 == 0) parts[k][threadIdx.x / 32] = mine[k];
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
#pragma unroll
  for (int k = 0; k < N; ++k)
    for (int warp = 1; warp < reduce_threads / 32; ++warp)
      mine[k] = Op::combine(mine[k], parts[k][warp]);
}

// The block that finishes last combines the partial results of all blocks, always in the same
// order.
template <class Op, int N, class Map, class Finish>
__global__ void __launch_bounds__(reduce_threads)
    run_reduction_on_device(Index n, Map map, Finish finish, double* partial,
                            std::uint32_t* arrived) {
  __shared__ double parts[N][reduce_threads / 32];
  __shared__ bool is_last;
  const Index t = static_cast<Index>(threadIdx.x);
  const Index first = static_cast<Index>(blockIdx.x) * reduce_items;
  const Index items = n - first < reduce_items ? n - first : reduce_items;
  double mine[N];
#pragma unroll
  for (int k = 0; k < N; ++k) mine[k] = Op::identity;
  for (Index item = t; item < items; item += reduce_threads) {
    double v[N];
    map(first + item, v);
#pragma unroll
    for (int k = 0; k < N; ++k) mine[k] = Op::combine(mine[k], v[k]);
  }
  combine_threads<Op>(mine, parts);
  if (t == 0) {
    for (int k = 0; k < N; ++k) partial[blockIdx.x * N + k] = mine[k];
    __threadfence();  // makes the sums visible before the count
    is_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;  // the last one resets it to 0
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
#pragma unroll
  for (int k = 0; k < N; ++k) mine[k] = Op::identity;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += reduce_threads)
#pragma unroll
    for (int k = 0; k < N; ++k) mine[k] = Op::combine(mine[k], partial[b * N + k]);
  combine_threads<Op>(mine, parts);
  if (t == 0) finish(mine);
}
}  // namespace detail

template <class Op, int N, class Map, class Finish>
void reduce_on_device(const Cuda& exec, Index n, const Map& map, const Finish& finish,
                      DeviceReduceScratch<Cuda>& scratch) {
  scratch.reserve(n, N);
  const auto blocks = static_cast<unsigned>(scratch.blocks(n));
  detail::run_reduction_on_device<Op, N><<<blocks, detail::reduce_threads, 0, exec.stream>>>(
      n, map, finish, scratch.partial.data(), scratch.arrived.data());
  check_cuda(cudaGetLastError(), "launching a kernel");
}
#endif

}  // namespace panta
