// Fills per-vertex lists of users (triangles) on several threads, in the order of the users: each
// thread reads all triangles and handles only its own part of the vertices. More than a few threads
// are useless, as memory bandwidth is the limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "panta/core/make_exec.h"

namespace panta {

// Calls work(begin, size) for the parts; a vertex v belongs to a part if v - begin < size.
template <class F>
void for_vertex_parts(std::size_t vertices, int threads, const F& work) {
  constexpr int most_readers = 8;
  const int readers = std::min(make_exec<Cpu>(threads).threads, most_readers);
#pragma omp parallel for num_threads(readers) schedule(static, 1)
  for (int r = 0; r < readers; ++r) {
    const auto bound = [&](int part) {
      return static_cast<std::uint32_t>(vertices * static_cast<std::size_t>(part) /
                                        static_cast<std::size_t>(readers));
    };
    work(bound(r), bound(r + 1) - bound(r));
  }
}

}  // namespace panta
