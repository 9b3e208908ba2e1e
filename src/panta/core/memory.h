// Raw memory of a device. Every allocation is counted, so that tests can show that a step in steady
// state allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "panta/core/error.h"
#include "panta/core/exec.h"

namespace panta {

// Allocations made by Buffers so far, on all devices.
std::uint64_t allocation_count();
void count_allocation();

// The error for an allocation that does not fit; `free_bytes` of `total` are free.
Error out_of_memory(const char* what, std::size_t bytes, std::size_t free_bytes, std::size_t total);

template <class D>
struct Memory;

template <>
struct Memory<Cpu> {
  static void* allocate(std::size_t bytes);  // zero, aligned to 64 bytes, pages taken on first use
  static void release(void* p);
  static void copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  static void upload(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes); }
  static void download(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes); }
};

#ifdef __CUDACC__
template <>
struct Memory<Cuda> {
  static void* allocate(std::size_t bytes) {
    void* p = nullptr;
    if (cudaMalloc(&p, bytes) != cudaSuccess) {
      cudaGetLastError();
      std::size_t free_bytes = 0, total = 0;
      cudaMemGetInfo(&free_bytes, &total);
      throw out_of_memory("GPU memory", bytes, free_bytes, total);
    }
    count_allocation();
    check_cuda(cudaMemset(p, 0, bytes), "clearing memory");
    return p;
  }
  static void release(void* p) { cudaFree(p); }
  static void copy(void* to, const void* from, std::size_t bytes) {
    check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice), "copying on the device");
  }
  static void upload(void* to, const void* from, std::size_t bytes) {
    check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying to the device");
  }
  static void download(void* to, const void* from, std::size_t bytes) {
    check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copying from the device");
  }
};
#endif

}  // namespace panta
