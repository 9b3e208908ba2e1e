// Counting bits, for host and device. (The standard library's own functions compile for the GPU and
// give wrong answers there.)
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

// The number of the lowest bit that is set; there must be one.
PANTA_HD int lowest_bit(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __ffsll(static_cast<long long>(bits)) - 1;
#else
  return std::countr_zero(bits);
#endif
}

}  // namespace panta
