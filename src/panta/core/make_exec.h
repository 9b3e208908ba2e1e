// Creating executors, and checking whether a device is available.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

#include <string>

#include "panta/core/exec.h"

namespace panta {

// The device for `threads` CPU threads (0: all cores; ignored by GPUs).
template <class D>
D make_exec(int threads);

#ifndef __CUDACC__
template <>
inline Cpu make_exec<Cpu>(int threads) {
#ifdef _OPENMP
  return Cpu{threads > 0 ? threads : omp_get_num_procs()};
#else
  return Cpu{1};
#endif
}
#else
template <>
inline Cuda make_exec<Cuda>(int) {
  Cuda exec;
  check_cuda(cudaStreamCreate(&exec.stream), "creating a stream");
  return exec;
}
#endif

inline int thread_count(const Cpu& exec) { return exec.threads; }
#ifdef __CUDACC__
inline int thread_count(const Cuda&) { return 1; }
#endif

// The reason why the device cannot be used, empty if it can. Defined once per device.
template <class D>
std::string device_problem();

// The device's name, for reports.
template <class D>
std::string device_name();

// Bytes of free memory on it.
template <class D>
double free_memory_bytes();

}  // namespace panta
