// Stateless random numbers: a hash of (seed, id, counter). The same on every device, for any thread
// count and in any order.
#pragma once

#include <cstdint>

#include "panta/core/macros.h"

namespace panta {

PANTA_HD std::uint64_t mix_bits(
    std::uint64_t z) {  // the finaliser of SplitMix64 (Steele et al. 2014)
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// Uniform in [0, 1).
PANTA_HD float random_uniform(std::uint64_t seed, std::uint64_t id, std::uint64_t counter) {
  const std::uint64_t bits =
      mix_bits(mix_bits(seed + 0x9e3779b97f4a7c15ull * (id + 1)) + 0x9e3779b97f4a7c15ull * counter);
  return static_cast<float>(bits >> 40) * (1.0f / 16777216.0f);
}

}  // namespace panta
