// Implementation of the NeighborLists template.
#pragma once

#include PANTA_FOR_DEVICE("panta/neighbors/build_list_cpu.h", "panta/neighbors/build_list_cuda.h")
#include "panta/neighbors/lists.h"

namespace panta {

namespace detail {

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
  capacity_ = std::max(capacity_, (capacity + 3) / 4 * 4);  // a multiple of four
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
  return {.entries = entries_.data(),
          .counts = counts_.data(),
          .starts = starts_.data(),
          .room = room(),
          .capacity = capacity_,
          .stride = blocks ? block_room() : static_cast<std::size_t>(particles_),
          .particles = queries_,
          .living = living_};
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
