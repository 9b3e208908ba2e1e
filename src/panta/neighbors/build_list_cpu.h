// Building neighbour lists on the CPU: sixteen candidates at a time, a block of particles per
// thread.
#pragma once

#include "panta/core/atomics.h"
#include "panta/neighbors/dense_runs.h"
#include "panta/neighbors/lists_view.h"
#include "panta/neighbors/sum_over_list_cpu.h"

namespace panta::detail {

template <class D, bool Periodic, class Body>
struct BuildList;

template <bool Periodic, class Body>
struct BuildList<Cpu, Periodic, Body> {
  GridView grid;
  Field4View<Cpu> positions, queries;
  ListsView<Cpu> lists;
  bool same_set;
  float radius;
  Body body;

  // One block of queries; their lists are contiguous.
  PANTA_HD void operator()(Index block) const {
    std::uint32_t* const entries = lists.block(block);
    const Index first = block * list_block;
    const Index last = lists.particles - first < list_block ? lists.particles : first + list_block;
    const Index room = list_block * lists.capacity;
    Index used = 0;
    for (Index i = first; i < last; ++i) {
      const Index count = one_list(i, entries + (used <= room ? used : 0), room - used);
      lists.starts[i] = static_cast<std::uint32_t>(used);
      lists.counts[i] = static_cast<std::uint32_t>(count);
      used += count;
      if (used > room) lists.starts[i] = lists.counts[i] = 0;  // rebuilt with more room
    }
    store(entries + (used <= room ? used : 0), I16{});  // valid indices after the end
    if (used > room)
      lists.room.ask(static_cast<std::uint32_t>((used + list_block - 1) / list_block));
  }

  // Writes the list of query i, a whole pack at a time while there is room; returns its length. The
  // squared distances of the neighbours are collected in a second array and summed one full pack at
  // a time.
  PANTA_HD Index one_list(Index i, std::uint32_t* list, Index room) const {
    const Vec3 x = queries.xyz(i);
    const float radius2 = radius * radius;
    typename Body::template Sum<F16> sum{};
    alignas(64) float distances[collected + pack_width];
    Index count = 0, waiting = 0;
    const auto walk = [&](const Run& run, const Vec3& shift) {
      const Vec3 from = x - shift;
      for (Index k = run.begin; k < run.end; k += pack_width) {
        const Vec3T<F16> d{from.x - load(positions.component(0) + k),
                           from.y - load(positions.component(1) + k),
                           from.z - load(positions.component(2) + k)};
        const F16 distance2 = squared_length(d);
        LaneMask near = lanes_below(distance2, radius2) & first_lanes(run.end - k);
        const std::uint32_t own_lane = static_cast<std::uint32_t>(i - k);
        if (same_set && own_lane < pack_width) near &= ~(1u << own_lane);
        const Index found = __builtin_popcount(near);
        if (count <= room) compress_store(list + count, near, lane_numbers() + k);
        compress_store(distances + waiting, near, distance2);
        count += found;
        waiting += found;
        if (waiting > collected - pack_width) waiting = add_distances(sum, distances, waiting);
      }
    };
    if (Periodic || grid.spec.hashed) {
      for_each_run<Periodic>(grid, x, radius, walk);
    } else {
      RunList runs;
      find_dense_runs(grid, x, radius, runs);
      for (int k = 0; k < runs.count; ++k)
        walk({static_cast<Index>(runs.begin[k]), static_cast<Index>(runs.end[k])}, Vec3{});
    }
    add_distances(sum, distances, waiting);
    body.finish(i, add_lanes<Body::template Sum>(sum));
    return count;
  }

  static constexpr Index collected = 128;

  // Sums the waiting distances; returns how many wait afterwards: 0.
  PANTA_HD Index add_distances(typename Body::template Sum<F16>& sum, const float* distances,
                               Index count) const {
    for (Index k = 0; k < count; k += pack_width)
      body.add(sum, choose(first_lanes(count - k), load(distances + k), splat(far_away)));
    return 0;
  }
};

}  // namespace panta::detail
