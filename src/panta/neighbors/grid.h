// Builds the cell grid of neighbors/grid_view.h.
//
//   grid.fit(bounds, ...);      chooses cells and form; on the host, only from time to time
//   grid.sort(exec, positions)  the order of particles by cell, and the table for that order
//   grid.view()                 for the particles after the caller has reordered them
#pragma once

#include <cstdint>

#include "panta/core/bounds.h"
#include "panta/core/field.h"
#include "panta/core/reduce.h"
#include "panta/core/table_sort.h"
#include "panta/neighbors/grid_view.h"

namespace panta {

struct GridOptions {
  float radius = 1;            // m, the largest distance of a query
  int dimensions = 3;          // 2: z is ignored
  Vec3 period;                 // m, 0 where not periodic
  Vec3 period_origin;          // lower end of periodic axes
  float spacing = 0;           // m, typical distance of particles; 0: unknown
  bool always_hashed = false;  // use the unbounded form even if a dense table would suffice
};

// The grid for particles inside `bounds`: dense if the table is small compared with the particles.
GridSpec make_grid_spec(const Bounds& bounds, Index particles, const GridOptions& options);

template <class D>
class Grid {
 public:
  // Returns whether the spec changed.
  bool fit(const GridSpec& spec);

  // Computes order(): order()[k] is the index of the particle that belongs in place k. If `invalid`
  // is given, *invalid becomes 1 + the index of a particle whose position is not finite; the caller
  // sets it to 0 first. With `some_gone`, particles whose position has w != 0 come last and are in
  // no cell.
  void sort(const D& exec, Field4View<D> positions, Index n, std::uint32_t* invalid,
            bool some_gone = false);
  const std::uint32_t* order() const { return order_.data(); }

  GridView view() const;
  const GridSpec& spec() const { return spec_; }

 private:
  void index_rows(const D& exec);
  std::uint32_t cell_count() const {
    return static_cast<std::uint32_t>(spec_.count(0)) * static_cast<std::uint32_t>(spec_.count(1)) *
           static_cast<std::uint32_t>(spec_.count(2));
  }

  GridSpec spec_;
  Index particles_ = 0;
  Buffer<D, std::uint32_t> cells_, starts_, order_;
  TableSortScratch<D> dense_scratch_;
  Buffer<D, std::uint64_t> keys_, sorted_keys_, row_keys_;
  Buffer<D, std::uint32_t> row_begin_, row_end_;
  SortScratch<D, std::uint64_t> hashed_scratch_;
};

// The bounding box of the finite positions of particles that are not gone (w = 0).
template <class D>
Bounds find_bounds(const D& exec, Field4View<D> positions, Index n, Buffer<D, Bounds>& scratch);

}  // namespace panta
