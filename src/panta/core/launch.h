// launch(exec, n, functor): functor(i) for every i in [0, n), over OpenMP threads or as a CUDA
// grid. Functors are named structs with `PANTA_HD void operator()(Index) const` that hold views and
// parameters by value.
#pragma once

#include <algorithm>
#include <cstdint>

#include "panta/core/atomics.h"
#include "panta/core/exec.h"
#include "panta/core/macros.h"

namespace panta {

// Below this number of items starting threads costs more than the work.
inline constexpr Index serial_below = 512;

template <class F>
void launch(const Cpu& exec, Index n, const F& functor) {
  if (n < serial_below) {
    for (Index i = 0; i < n; ++i) functor(i);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(exec.threads)
  for (Index i = 0; i < n; ++i) functor(i);
}

// As launch, but with dynamic scheduling: a free thread takes the next `turn` items. Results must
// not depend on which thread does which item.
template <class F>
void launch_uneven(const Cpu& exec, Index n, int turn, const F& functor) {
#pragma omp parallel for schedule(dynamic, turn) num_threads(exec.threads)
  for (Index i = 0; i < n; ++i) functor(i);
}

// launch_maxima<N>(exec, n, functor, out): functor(i, float v[N]) sets N magnitudes; out[k] becomes
// the maximum of its old value and all |v[k]|, as ordered bits; NaN wins.
template <int N, class F>
void launch_maxima(const Cpu& exec, Index n, const F& functor, std::uint32_t* out) {
#pragma omp parallel num_threads(exec.threads) if (n >= serial_below)
  {
    std::uint32_t mine[N] = {};
#pragma omp for schedule(static) nowait
    for (Index i = 0; i < n; ++i) {
      float v[N] = {};
      functor(i, v);
      for (int k = 0; k < N; ++k) mine[k] = std::max(mine[k], ordered_bits(v[k]));
    }
    for (int k = 0; k < N; ++k) atomic_maximum(&out[k], mine[k]);
  }
}

#ifdef __CUDACC__
inline constexpr int cuda_block = 128;

namespace detail {
template <class F>
__global__ void __launch_bounds__(cuda_block) run_each(Index n, F functor) {
  const Index i = static_cast<Index>(blockIdx.x * cuda_block + threadIdx.x);
  if (i < n) functor(i);
}

template <int N, class F>
__global__ void __launch_bounds__(cuda_block)
    run_maxima(Index n, F functor, std::uint32_t* __restrict__ out) {
  const Index i = static_cast<Index>(blockIdx.x * cuda_block + threadIdx.x);
  float v[N] = {};
  if (i < n) functor(i, v);
  for (int k = 0; k < N; ++k) {
    const std::uint32_t top = __reduce_max_sync(0xffffffffu, ordered_bits(v[k]));
    if (threadIdx.x % 32 == 0) atomic_maximum(&out[k], top);
  }
}

inline unsigned blocks_for(Index n) {
  return static_cast<unsigned>((n + cuda_block - 1) / cuda_block);
}
}  // namespace detail

template <class F>
void launch(const Cuda& exec, Index n, const F& functor) {
  if (n <= 0) return;
  detail::run_each<<<detail::blocks_for(n), cuda_block, 0, exec.stream>>>(n, functor);
  check_cuda(cudaGetLastError(), "launching a kernel");
}

template <class F>
void launch_uneven(const Cuda& exec, Index n, int, const F& functor) {
  launch(exec, n, functor);
}

template <int N, class F>
void launch_maxima(const Cuda& exec, Index n, const F& functor, std::uint32_t* out) {
  if (n <= 0) return;
  detail::run_maxima<N><<<detail::blocks_for(n), cuda_block, 0, exec.stream>>>(n, functor, out);
  check_cuda(cudaGetLastError(), "launching a kernel");
}
#endif

}  // namespace panta
