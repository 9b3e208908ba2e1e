// Neighbour lists: for every particle the others within `radius` (never itself), found with the
// grid.
//
// Building computes every distance anyway, so a sum over distances can be computed at the same time
// at low cost. Its body:
//
//   struct Body {
//     template <class F> struct Sum { ... };                          members of type F only
//     template <class F> PANTA_HD void add(Sum<F>& sum, F r2) const;  vanishes beyond the support
//     PANTA_HD void finish(Index i, const Sum<float>& sum) const;
//   };
//
// (NoSum if there is no sum.) With a search margin (radius = support + margin) lists stay valid
// until a particle has moved half the margin: farthest_move() gives the exact distance.
#pragma once

#include "panta/neighbors/grid.h"
#include "panta/neighbors/pair_sum.h"

namespace panta {

struct NoSum {
  template <class F>
  struct Sum {
    F unused{};
  };
  template <class F>
  PANTA_HD void add(Sum<F>&, F) const {}
  PANTA_HD void finish(Index, const Sum<float>&) const {}
};

template <class D>
class NeighborLists {
 public:
  // Reserves room for `particles` lists of `capacity` entries (on the CPU: on average over a block
  // of particles); returns false if there was room already.
  bool reserve(Index particles, Index capacity);
  Index capacity() const { return capacity_; }

  // Lists of `queries` among `positions`, which the grid has sorted and indexed. The two may be the
  // same set (then a particle is not its own neighbour). If capacity() does not suffice, longest()
  // is the necessary capacity: reserve it and build again.
  template <class Body>
  void build(const D& exec, const GridView& grid, Field4View<D> positions, Field4View<D> queries,
             Index query_count, bool same_set, float radius, const Body& body);

  // Builds, growing as needed.
  template <class Body>
  void build_growing(const D& exec, const GridView& grid, Field4View<D> positions,
                     Field4View<D> queries, Index query_count, bool same_set, float radius,
                     const Body& body);

  // After this call only the first *living queries get lists (on the GPU, where a launch covers
  // more).
  void set_living(const std::uint32_t* living) { living_ = living; }

  // Lists that find no room also set `flag` in *flags and store the length needed in *longest, on
  // the device, so that a step can be stopped and repeated.
  void report_to(std::uint32_t* longest, std::uint32_t* flags, std::uint32_t flag) {
    reported_ = {longest, flags, flag};
  }

  ListsView<D> view();
  Index longest() const { return static_cast<Index>(longest_.get()); }
  void reset_longest() { longest_.set(0); }
  std::vector<std::uint32_t> download_counts() const {
    return counts_.download(static_cast<std::size_t>(queries_));
  }

  // Stores the positions of the particles at the build; then the largest displacement since, m.
  void remember(const D& exec, Field4View<D> positions, Index n);
  float farthest_move(const D& exec, Field4View<D> positions, Index n);

 private:
  ListRoom room() { return reported_.longest ? reported_ : ListRoom{longest_.data(), nullptr, 0}; }
  static Index block_count(Index particles) { return (particles + list_block - 1) / list_block; }
  std::size_t block_room() const {  // a block's entries, and a pack behind them
    return static_cast<std::size_t>(list_block) * static_cast<std::size_t>(capacity_) + 16;
  }

  Buffer<D, std::uint32_t> entries_, counts_, starts_;
  DeviceValue<D, std::uint32_t> longest_{0}, farthest_{0};
  Field4<D> remembered_;
  Index capacity_ = 0, particles_ = 0, queries_ = 0;
  const std::uint32_t* living_ = nullptr;
  ListRoom reported_;
};

}  // namespace panta

#include "panta/neighbors/lists_impl.h"
