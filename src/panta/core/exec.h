// Executors: where work runs. Cpu is a number of OpenMP threads, Cuda a stream on a GPU. A solver
// is a template over its executor; its one source file is compiled by the C++ compiler for Cpu and
// by nvcc for Cuda (PANTA_DEVICE, set by the build).
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#include <cuda_runtime.h>

#include "panta/core/error.h"
#endif

namespace panta {

using Index = std::int32_t;

enum class DeviceKind { cpu, cuda };

struct Cpu {
  static constexpr DeviceKind kind = DeviceKind::cpu;
  int threads = 1;
  void synchronize() const {}
};

#ifdef __CUDACC__
inline void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw Error(ErrorKind::device,
              std::string("CUDA: ") + what + " failed: " + cudaGetErrorString(status));
}

struct Cuda {
  static constexpr DeviceKind kind = DeviceKind::cuda;
  cudaStream_t stream = nullptr;
  void synchronize() const { check_cuda(cudaStreamSynchronize(stream), "synchronising"); }
};
#else
struct Cuda;
#endif

}  // namespace panta
