// Atomic operations whose result does not depend on the order of the threads.
#pragma once

#include <cstdint>
#include <cstring>

#include "panta/core/macros.h"

namespace panta {

// Bits of a non-negative float. They order like the floats themselves; NaN orders above all.
PANTA_HD std::uint32_t ordered_bits(float a) {
#ifdef __CUDA_ARCH__
  return __float_as_uint(a) & 0x7fffffffu;
#else
  std::uint32_t bits;
  std::memcpy(&bits, &a, sizeof bits);
  return bits & 0x7fffffffu;
#endif
}
PANTA_HD float from_ordered_bits(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits);
#else
  float a;
  std::memcpy(&a, &bits, sizeof a);
  return a;
#endif
}

// *target becomes the largest value of all threads; exact, so the order does not matter.
PANTA_HD void atomic_maximum(std::uint32_t* target, std::uint32_t value) {
#ifdef __CUDA_ARCH__
  if (value > *target) atomicMax(target, value);
#else
  std::uint32_t seen = __atomic_load_n(target, __ATOMIC_RELAXED);
  while (seen < value && !__atomic_compare_exchange_n(target, &seen, value, true, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED)) {
  }
#endif
}

// Adds integers; exact in any order.
PANTA_HD void atomic_add(std::uint32_t* target, std::uint32_t value) {
#ifdef __CUDA_ARCH__
  atomicAdd(target, value);
#else
  __atomic_fetch_add(target, value, __ATOMIC_RELAXED);
#endif
}

// Sets bits.
PANTA_HD void atomic_or(std::uint32_t* target, std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  if ((*target & bits) != bits) atomicOr(target, bits);
#else
  __atomic_fetch_or(target, bits, __ATOMIC_RELAXED);
#endif
}

// Reads a word in which other threads may be setting bits.
PANTA_HD std::uint32_t atomic_load(const std::uint32_t* word) {
#ifdef __CUDA_ARCH__
  return *word;
#else
  return __atomic_load_n(word, __ATOMIC_RELAXED);
#endif
}

// Stores `value` in *slot if it contains `empty`; returns the previous content.
PANTA_HD std::uint64_t atomic_claim(std::uint64_t* slot, std::uint64_t empty, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  return atomicCAS(reinterpret_cast<unsigned long long*>(slot), empty, value);
#else
  std::uint64_t seen = empty;
  __atomic_compare_exchange_n(slot, &seen, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return seen;
#endif
}

}  // namespace panta
