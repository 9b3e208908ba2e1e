// Building neighbour lists on the GPU: one thread per particle.
#pragma once

#include "panta/core/atomics.h"
#include "panta/core/field.h"
#include "panta/neighbors/grid_view.h"
#include "panta/neighbors/lists_view.h"
#include "panta/neighbors/pair_maths.h"

namespace panta::detail {

template <class D, bool Periodic, class Body>
struct BuildList;

template <bool Periodic, class Body>
struct BuildList<Cuda, Periodic, Body> {
  GridView grid;
  Field4View<Cuda> positions, queries;
  ListsView<Cuda> lists;
  bool same_set;
  float radius;
  Body body;

  __device__ __forceinline__ void operator()(Index i) const {
    if (lists.living && static_cast<std::uint32_t>(i) >= *lists.living) {
      lists.counts[i] = 0;
      return;
    }
    const Vec3 x = queries.xyz(i);
    const float radius2 = radius * radius;
    const Index own = same_set ? i : -1;
    typename Body::template Sum<float> sum{};
    Index count = 0;
    uint4 last{};  // the last neighbours found, newest in w
    const auto push = [&](std::uint32_t j) { last = {last.y, last.z, last.w, j}; };
    const auto store = [&](Index k) {
      if (4 * k < lists.capacity) *reinterpret_cast<uint4*>(lists.four(i, k)) = last;
    };
    for_each_run<Periodic>(grid, x, radius, [&](const Run& run, const Vec3& shift) {
      const Vec3 from = x - shift;
#pragma unroll 4
      for (Index j = run.begin; j < run.end; ++j) {
        const float distance2 = squared_length(from - positions.constant_xyz(j));
        const bool near = distance2 < radius2 && j != own;
        // Threads of a warp rarely agree on which candidates are near: adding zero is cheaper than
        // a branch.
        body.add(sum, near ? distance2 : far_away);
        if (near) {
          push(static_cast<std::uint32_t>(j));
          if (++count % 4 == 0) store(count / 4 - 1);
        }
      }
    });
    if (count % 4 != 0) {  // the rest, filled up with a valid neighbour
      for (Index k = count; k % 4 != 0; ++k) push(last.w);
      store(count / 4);
    }
    if (count > lists.capacity) {
      lists.room.ask(static_cast<std::uint32_t>(count));
      count = lists.capacity;
    }
    lists.counts[i] = static_cast<std::uint32_t>(count);
    body.finish(i, sum);
  }
};

}  // namespace panta::detail
