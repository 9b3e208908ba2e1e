// Bit counting for host and device. (The standard library's functions compile for the GPU but give
// wrong results there.)
#pragma once

#include <bit>
#include <cstdint>

#include "panta/core/macros.h"

namespace panta {

PANTA_HD int count_bits(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __popcll(bits);
#else
  return std::popcount(bits);
#endif
}

// Index of the lowest set bit; `bits` must not be 0.
PANTA_HD int lowest_bit(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __ffsll(static_cast<long long>(bits)) - 1;
#else
  return std::countr_zero(bits);
#endif
}

}  // namespace panta
