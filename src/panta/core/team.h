// launch_teams(exec, teams, largest, functor): functor(g, team) for every g in [0, teams), each
// with a team of threads; `largest` is the amount of work of the largest team. Inside the functor
//
//   team.each(n, f)     f(k) for every k in [0, n), distributed over the team
//   team.add_up(sums)   sums an array of doubles over the team; then every thread has the total
//   team.largest(x)     maximum of x over the team; x must not be negative
//   team.wait()         barrier; the two functions above contain one
//
// On the CPU a team is one thread, on the GPU a block. Totals are summed in a fixed order.
#pragma once

#include "panta/core/launch.h"

namespace panta {

struct CpuTeam {
  template <class F>
  PANTA_HD void each(Index n, const F& f) const {
    for (Index k = 0; k < n; ++k) f(k);
  }
  template <int N>
  PANTA_HD void add_up(double (&)[N]) const {}
  PANTA_HD double largest(double x) const { return x; }
  PANTA_HD void wait() const {}
};

template <class F>
void launch_teams(const Cpu& exec, Index teams, Index, const F& functor) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(exec.threads)
  for (Index g = 0; g < teams; ++g) functor(g, CpuTeam{});
}

#ifdef __CUDACC__
struct CudaTeam {
  static constexpr int most_warps = 8;

  template <class F>
  PANTA_HD void each([[maybe_unused]] Index n, [[maybe_unused]] const F& f) const {
#ifdef __CUDA_ARCH__
    for (Index k = threadIdx.x; k < n; k += static_cast<Index>(blockDim.x)) f(k);
#endif
  }
  // Within a warp the lanes exchange halves of the values that they still have to add: at the end
  // lane k has the total of sums[k]. This takes a fifth of the exchanges of summing each value
  // separately.
  template <int N>
  PANTA_HD void add_up([[maybe_unused]] double (&sums)[N]) const {
#ifdef __CUDA_ARCH__
    constexpr int width = N <= 1 ? 1 : N <= 2 ? 2 : N <= 4 ? 4 : N <= 8 ? 8 : N <= 16 ? 16 : 32;
    static_assert(N <= width);
    const unsigned lane = threadIdx.x % 32;
    double left[width];
#pragma unroll
    for (int s = 0; s < width; ++s) left[s] = s < N ? sums[s] : 0;
    exchange<width / 2>(left);
#pragma unroll
    for (int apart = width; apart < 32; apart *= 2)
      left[0] += __shfl_xor_sync(0xffffffffu, left[0], apart);
    __shared__ double parts[most_warps][width];
    if (lane < width) parts[threadIdx.x / 32][lane] = left[0];
    __syncthreads();
#pragma unroll
    for (int s = 0; s < N; ++s) {
      sums[s] = 0;
      for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) sums[s] += parts[warp][s];
    }
    __syncthreads();
#endif
  }
  PANTA_HD double largest(double x) const {
#ifdef __CUDA_ARCH__
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) x = fmax(x, __shfl_xor_sync(0xffffffffu, x, apart));
    __shared__ double parts[most_warps];
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
    __syncthreads();
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) x = fmax(x, parts[warp]);
    __syncthreads();
#endif
    return x;
  }
  PANTA_HD void wait() const {
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
  }

 private:
  // One lane of each pair keeps the lower half of the sums, the other the upper half.
  template <int Half, int N>
  PANTA_HD static void exchange([[maybe_unused]] double (&left)[N]) {
#ifdef __CUDA_ARCH__
    if constexpr (Half > 0) {
      const bool upper = threadIdx.x & Half;
#pragma unroll
      for (int s = 0; s < Half; ++s) {
        const double sent = upper ? left[s] : left[s + Half];
        left[s] = (upper ? left[s + Half] : left[s]) + __shfl_xor_sync(0xffffffffu, sent, Half);
      }
      exchange<Half / 2>(left);
    }
#endif
  }
};

namespace detail {
template <class F>
__global__ void __launch_bounds__(32 * CudaTeam::most_warps) run_teams(F functor) {
  functor(static_cast<Index>(blockIdx.x), CudaTeam{});
}
}  // namespace detail

template <class F>
void launch_teams(const Cuda& exec, Index teams, Index largest, const F& functor) {
  if (teams <= 0) return;
  unsigned threads = 32;
  while (threads < 32 * CudaTeam::most_warps && static_cast<Index>(2 * threads) < largest)
    threads *= 2;  // two items per thread: fewer threads repeat the work common to a team
  detail::run_teams<<<static_cast<unsigned>(teams), threads, 0, exec.stream>>>(functor);
  check_cuda(cudaGetLastError(), "launching a kernel");
}
#endif

}  // namespace panta
