// Evenly distributed random numbers for the samples of a pixel: each pair uses the first two
// dimensions of Sobol's sequence, with scrambled points in a separate random order, so that pairs
// are independent of each other and every power of two of samples covers the square evenly.
//
// Owen scrambling, done for all bits at once by a hash in which every bit depends on lower ones
// only (Laine and Karras 2011; Burley 2020). A number depends only on (seed, sample, position in
// the path), not on the number of threads.
#pragma once

#include <array>
#include <cstdint>

#include "panta/core/random.h"
#include "panta/render/final/optics.h"

namespace panta {

namespace sobol {

constexpr std::uint32_t reverse_bits(std::uint32_t v) {
  v = __builtin_bswap32(v);
  v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  return ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
}

// The second dimension, one byte of the index at a time.
using ByteTables = std::array<std::array<std::uint32_t, 256>, 4>;
constexpr ByteTables make_second_dimension() {
  std::array<std::uint32_t, 32> direction{};
  direction[0] = 1u << 31;
  for (std::size_t k = 1; k < 32; ++k)
    direction[k] = direction[k - 1] ^ (direction[k - 1] >> 1);  // of the polynomial x + 1
  ByteTables tables{};
  for (std::size_t byte = 0; byte < 4; ++byte)
    for (std::size_t value = 0; value < 256; ++value)
      for (std::size_t bit = 0; bit < 8; ++bit)
        if (value >> bit & 1) tables[byte][value] ^= direction[8 * byte + bit];
  return tables;
}
inline constexpr ByteTables second_dimension = make_second_dimension();

// Owen scrambling of a number whose bits are reversed.
inline std::uint32_t scramble_reversed(std::uint32_t v, std::uint32_t seed) {
  v += seed;
  for (const std::uint32_t factor : {0x6c50b47cu, 0xb82f1e52u, 0xc7afe638u, 0x8d22f6e6u})
    v ^= v * factor;
  return v;
}
inline std::uint32_t scramble(std::uint32_t v, std::uint32_t seed) {
  return reverse_bits(scramble_reversed(reverse_bits(v), seed));
}
inline float to_unit(std::uint32_t v) { return static_cast<float>(v >> 8) * (1.0f / 16777216.0f); }

}  // namespace sobol

class Sampler {
 public:
  Sampler() = default;
  Sampler(std::uint64_t seed, std::uint32_t sample) : seed_(mix_bits(seed)), sample_(sample) {}

  Pair next() {
    const std::uint64_t hash = mix_bits(seed_ + 0x9e3779b97f4a7c15ull * ++place_);
    const auto low = static_cast<std::uint32_t>(hash),
               high = static_cast<std::uint32_t>(hash >> 32);
    const std::uint32_t index = sobol::scramble(sample_, low);
    const auto& table = sobol::second_dimension;
    const std::uint32_t y = table[0][index & 255] ^ table[1][index >> 8 & 255] ^
                            table[2][index >> 16 & 255] ^ table[3][index >> 24];
    // The first dimension is the index with its bits reversed.
    return {sobol::to_unit(sobol::reverse_bits(sobol::scramble_reversed(index, high))),
            sobol::to_unit(sobol::scramble(y, high * 0x9e3779b1u + low))};
  }

  // For the other branch of a path that splits.
  Sampler fork() const {
    Sampler other = *this;
    other.seed_ = mix_bits(seed_ ^ (0xd1b54a32d192ed03ull * (place_ + 1)));
    return other;
  }

 private:
  std::uint64_t seed_ = 0;
  std::uint32_t sample_ = 0;
  std::uint64_t place_ = 0;
};

}  // namespace panta
