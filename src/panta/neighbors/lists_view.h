// Neighbour lists in the form for kernels.
//
// On the GPU the k-th neighbours of all particles are contiguous, so that adjacent threads read
// adjacent memory. On the CPU lists are contiguous inside blocks of particles; one thread builds a
// block, and a block has room for `capacity` entries per particle.
#pragma once

#include <cstdint>

#include "panta/core/atomics.h"
#include "panta/core/exec.h"
#include "panta/core/macros.h"

namespace panta {

inline constexpr Index list_block = 256;  // particles, CPU

// Request for more room: the length needed, and a flag that reports the request.
struct ListRoom {
  std::uint32_t* longest = nullptr;
  std::uint32_t* flags = nullptr;  // may be null
  std::uint32_t flag = 0;

  PANTA_HD void ask(std::uint32_t needed) const {
    atomic_maximum(longest, needed);
    if (flags) atomic_or(flags, flag);
  }
};

template <class D>
struct ListsView {
  std::uint32_t* entries = nullptr;
  std::uint32_t* counts = nullptr;
  std::uint32_t* starts = nullptr;  // CPU: start of a list within its block
  ListRoom room;                    // lists that are too long report the length needed
  Index capacity = 0;               // entries per particle
  std::size_t stride = 0;           // CPU: entries per block; GPU: particles
  Index particles = 0;
  const std::uint32_t* living = nullptr;  // GPU: particles from this number on have no list

  PANTA_HD Index count(Index i) const { return static_cast<Index>(counts[i]); }
  PANTA_HD std::uint32_t* block(Index b) const {
    return entries + static_cast<std::size_t>(b) * stride;
  }
  PANTA_HD std::uint32_t* row(Index i) const {  // CPU
    return block(i / list_block) + starts[i];
  }
  PANTA_HD std::uint32_t* four(Index i, Index k) const {  // GPU: entries 4 k … 4 k + 3
    return entries + 4 * (static_cast<std::size_t>(k) * stride + static_cast<std::size_t>(i));
  }
};

}  // namespace panta
