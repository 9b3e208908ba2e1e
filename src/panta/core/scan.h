// exclusive_scan(exec, in, out, n, scratch): out[i] = in[0] + … + in[i-1]; out has n + 1 entries,
// and the last is the total.
#pragma once

#include <cstdint>

#include "panta/core/buffer.h"
#include "panta/core/launch.h"
#ifdef __CUDACC__
#include <cub/device/device_scan.cuh>
#endif

namespace panta {

template <class D>
struct ScanScratch {
  Buffer<D, unsigned char> bytes;
};

inline void exclusive_scan(const Cpu& exec, const std::uint32_t* in, std::uint32_t* out, Index n,
                           ScanScratch<Cpu>& scratch) {
  const int blocks = exec.threads;
  scratch.bytes.resize(static_cast<std::size_t>(blocks + 1) * sizeof(std::uint32_t));
  auto* start = reinterpret_cast<std::uint32_t*>(scratch.bytes.data());
  const auto first = [&](int b) { return static_cast<Index>(std::int64_t(n) * b / blocks); };
  start[0] = 0;
#pragma omp parallel for num_threads(exec.threads)
  for (int b = 0; b < blocks; ++b) {
    const Index begin = first(b), end = first(b + 1);
    std::uint32_t sum = 0;
    for (Index i = begin; i < end; ++i) sum += in[i];
    start[b + 1] = sum;
  }
  for (int b = 0; b < blocks; ++b) start[b + 1] += start[b];
#pragma omp parallel for num_threads(exec.threads)
  for (int b = 0; b < blocks; ++b) {
    const Index begin = first(b), end = first(b + 1);
    std::uint32_t sum = start[b];
    for (Index i = begin; i < end; ++i) {
      const std::uint32_t value = in[i];
      out[i] = sum;
      sum += value;
    }
  }
  out[n] = start[blocks];
}

#ifdef __CUDACC__
namespace detail {
struct ScanTotal {
  const std::uint32_t* in;
  std::uint32_t* out;
  Index n;
  PANTA_HD void operator()(Index) const { out[n] = n > 0 ? out[n - 1] + in[n - 1] : 0; }
};
}  // namespace detail

// The same without the total; `in` and `out` must not overlap.
inline void scan_below(const Cuda& exec, const std::uint32_t* in, std::uint32_t* out, Index n,
                       ScanScratch<Cuda>& scratch) {
  std::size_t bytes = 0;
  check_cuda(cub::DeviceScan::ExclusiveSum(nullptr, bytes, in, out, n, exec.stream),
             "sizing a scan");
  scratch.bytes.resize(bytes);
  check_cuda(cub::DeviceScan::ExclusiveSum(scratch.bytes.data(), bytes, in, out, n, exec.stream),
             "scanning");
}

inline void exclusive_scan(const Cuda& exec, const std::uint32_t* in, std::uint32_t* out, Index n,
                           ScanScratch<Cuda>& scratch) {
  scan_below(exec, in, out, n, scratch);
  launch(exec, 1, detail::ScanTotal{in, out, n});
}
#endif

}  // namespace panta
