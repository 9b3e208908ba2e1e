// Implementation of the NeighborLists template.
#pragma once

#include "panta/neighbors/dense_runs.h"
#include "panta/neighbors/lists.h"

namespace panta {

namespace detail {

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

#ifndef __CUDACC__
  // One block of queries: their lists follow each other.
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
      if (used > room) lists.starts[i] = lists.counts[i] = 0;  // to be built again with more room
    }
    store(entries + (used <= room ? used : 0), I16{});  // lanes behind the end name a real particle
    if (used > room)
      atomic_maximum(lists.longest,
                     static_cast<std::uint32_t>((used + list_block - 1) / list_block));
  }

  // Writes the list of query i, a whole pack at a time while there is room; returns its length. The
  // squared distances of the neighbours found are collected beside it and summed a full pack at a
  // time.
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

  // Returns how many distances wait afterwards: none.
  PANTA_HD Index add_distances(typename Body::template Sum<F16>& sum, const float* distances,
                               Index count) const {
    for (Index k = 0; k < count; k += pack_width)
      body.add(sum, choose(first_lanes(count - k), load(distances + k), splat(far_away)));
    return 0;
  }
#endif
};

#ifdef __CUDACC__
template <bool Periodic, class Body>
struct BuildList<Cuda, Periodic, Body> {
  GridView grid;
  Field4View<Cuda> positions, queries;
  ListsView<Cuda> lists;
  bool same_set;
  float radius;
  Body body;

  __device__ __forceinline__ void operator()(Index i) const {
    const Vec3 x = queries.xyz(i);
    const float radius2 = radius * radius;
    const Index own = same_set ? i : -1;
    typename Body::template Sum<float> sum{};
    Index count = 0;
    uint4 last{};  // the neighbours found last, newest in w
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
        // Threads of a warp rarely agree on what is near: adding nothing is cheaper than a branch.
        body.add(sum, near ? distance2 : far_away);
        if (near) {
          push(static_cast<std::uint32_t>(j));
          if (++count % 4 == 0) store(count / 4 - 1);
        }
      }
    });
    if (count % 4 != 0) {  // the rest, filled up with a neighbour that exists
      for (Index k = count; k % 4 != 0; ++k) push(last.w);
      store(count / 4);
    }
    if (count > lists.capacity) {
      atomic_maximum(lists.longest, static_cast<std::uint32_t>(count));
      count = lists.capacity;
    }
    lists.counts[i] = static_cast<std::uint32_t>(count);
    body.finish(i, sum);
  }
};
#endif

template <class D>
struct CopyPositions {
  Field4View<D> from, to;
  PANTA_HD void operator()(Index i) const { to.set_xyz(i, from.xyz(i)); }
};

template <class D>
struct MoveSince {
  Field4View<D> now, then;
  PANTA_HD void operator()(Index i, float* value) const {
    value[0] = length(now.xyz(i) - then.xyz(i));
  }
};

}  // namespace detail

template <class D>
bool NeighborLists<D>::reserve(Index particles, Index capacity) {
  if (particles <= particles_ && capacity <= capacity_) return false;
  capacity_ = std::max(capacity_, (capacity + 3) / 4 * 4);  // whole fours
  particles_ = std::max(particles_, particles);
  const std::size_t padded = static_cast<std::size_t>(block_count(particles_)) * list_block;
  entries_.resize_discarding(static_cast<std::size_t>(block_count(particles_)) * block_room());
  counts_.resize_discarding(padded);
  starts_.resize_discarding(padded);
  return true;
}

template <class D>
ListsView<D> NeighborLists<D>::view() {
  const bool blocks = D::kind == DeviceKind::cpu;
  return {entries_.data(), counts_.data(),
          starts_.data(),  longest_.data(),
          capacity_,       blocks ? block_room() : static_cast<std::size_t>(particles_),
          queries_};
}

template <class D>
template <class Body>
void NeighborLists<D>::build(const D& exec, const GridView& grid, Field4View<D> positions,
                             Field4View<D> queries, Index query_count, bool same_set, float radius,
                             const Body& body) {
  queries_ = query_count;
  const Index items = D::kind == DeviceKind::cpu ? block_count(query_count) : query_count;
  if (grid.spec.periodic()) {
    launch_uneven(
        exec, items, 1,
        detail::BuildList<D, true, Body>{grid, positions, queries, view(), same_set, radius, body});
  } else {
    launch_uneven(exec, items, 1,
                  detail::BuildList<D, false, Body>{grid, positions, queries, view(), same_set,
                                                    radius, body});
  }
}

template <class D>
template <class Body>
void NeighborLists<D>::build_growing(const D& exec, const GridView& grid, Field4View<D> positions,
                                     Field4View<D> queries, Index query_count, bool same_set,
                                     float radius, const Body& body) {
  reserve(query_count, capacity_ > 0 ? capacity_ : 48);
  for (;;) {
    longest_.set(0);
    build(exec, grid, positions, queries, query_count, same_set, radius, body);
    exec.synchronize();
    const Index needed = longest();
    if (needed <= capacity_) return;
    reserve(query_count, needed);
  }
}

template <class D>
void NeighborLists<D>::remember(const D& exec, Field4View<D> positions, Index n) {
  remembered_.resize(static_cast<std::size_t>(n));
  launch(exec, n, detail::CopyPositions<D>{positions, remembered_.view()});
}

template <class D>
float NeighborLists<D>::farthest_move(const D& exec, Field4View<D> positions, Index n) {
  farthest_.set(0);
  launch_maxima<1>(exec, n, detail::MoveSince<D>{positions, remembered_.view()}, farthest_.data());
  exec.synchronize();
  return from_ordered_bits(farthest_.get());
}

}  // namespace panta
