#include "panta/core/launch.h"
#include "panta/core/reduce.h"
#include "panta/core/removed_mark.h"
#include "panta/neighbors/grid.h"

namespace panta {

namespace detail {

inline constexpr int gone_bit = 3 * hashed_coordinate_bits;

struct CellCoordinates {
  int x, y, z;
};
PANTA_HD CellCoordinates cell_of(const GridSpec& s, const Vec3& p) {
  return {static_cast<int>(floorf(s.scaled(p, 0))), static_cast<int>(floorf(s.scaled(p, 1))),
          static_cast<int>(floorf(s.scaled(p, 2)))};
}
PANTA_HD bool is_finite(const Vec3& p) {
  return panta::is_finite(p.x) && panta::is_finite(p.y) && panta::is_finite(p.z);
}

template <class D, class Key>
struct AssignCells {
  GridSpec spec;
  Field4View<D> positions;
  Key* keys;
  std::uint32_t* invalid;
  bool some_gone;
  PANTA_HD void operator()(Index i) const {
    if (some_gone && is_removed(positions, i)) {
      keys[i] = gone_key();
      return;
    }
    const Vec3 p = positions.xyz(i);
    if (invalid && !is_finite(p)) atomic_maximum(invalid, static_cast<std::uint32_t>(i) + 1);
    const CellCoordinates c = cell_of(spec, p);
    keys[i] = key(c);
  }
  PANTA_HD Key key(const CellCoordinates& c) const {
    if constexpr (sizeof(Key) == 8) {
      return spec.cell_key(c.x, c.y, c.z);
    } else {
      return spec.cell_number(c.x, c.y, c.z);
    }
  }
  // Above the key of every cell.
  PANTA_HD Key gone_key() const {
    if constexpr (sizeof(Key) == 8) {
      return Key{1} << gone_bit;
    } else {
      return static_cast<Key>(spec.count(0) * spec.count(1) * spec.count(2));
    }
  }
};

struct ClearRows {
  std::uint64_t* row_keys;
  PANTA_HD void operator()(Index slot) const { row_keys[slot] = empty_row; }
};

// The first particle of each row enters the row into the table.
struct EnterRows {
  const std::uint64_t* keys;
  std::uint64_t* row_keys;
  std::uint32_t* row_begin;
  std::uint32_t slot_mask;
  PANTA_HD void operator()(Index i) const {
    const std::uint64_t row = keys[i] >> hashed_coordinate_bits;
    if (i > 0 && keys[i - 1] >> hashed_coordinate_bits == row) return;
    std::uint32_t slot = static_cast<std::uint32_t>(hash_row(row)) & slot_mask;
    while (atomic_claim(&row_keys[slot], empty_row, row) != empty_row)
      slot = (slot + 1) & slot_mask;
    row_begin[slot] = static_cast<std::uint32_t>(i);
  }
};

// The last particle of each row stores the end of the row.
struct CloseRows {
  const std::uint64_t* keys;
  const std::uint64_t* row_keys;
  std::uint32_t* row_end;
  std::uint32_t slot_mask;
  Index n;
  PANTA_HD void operator()(Index i) const {
    const std::uint64_t row = keys[i] >> hashed_coordinate_bits;
    if (i + 1 < n && keys[i + 1] >> hashed_coordinate_bits == row) return;
    std::uint32_t slot = static_cast<std::uint32_t>(hash_row(row)) & slot_mask;
    while (row_keys[slot] != row) slot = (slot + 1) & slot_mask;
    row_end[slot] = static_cast<std::uint32_t>(i) + 1;
  }
};

template <class D>
struct BoundsOf {
  Field4View<D> positions;
  PANTA_HD Bounds operator()(Index i) const {
    const Vec3 p = positions.xyz(i);
    return !is_removed(positions, i) && is_finite(p) ? Bounds{p, p} : Bounds{};
  }
};

}  // namespace detail

template <class D>
Bounds find_bounds(const D& exec, Field4View<D> positions, Index n, Buffer<D, Bounds>& scratch) {
  return reduce(exec, n, Bounds{}, detail::BoundsOf<D>{positions}, scratch);
}

template <class D>
bool Grid<D>::fit(const GridSpec& spec) {
  const bool same = spec == spec_;
  spec_ = spec;
  return !same;
}

template <class D>
void Grid<D>::sort(const D& exec, Field4View<D> positions, Index n, std::uint32_t* invalid,
                   bool some_gone) {
  particles_ = n;
  const std::size_t size = static_cast<std::size_t>(n);
  if (spec_.hashed) {
    keys_.resize(size);
    launch(
        exec, n,
        detail::AssignCells<D, std::uint64_t>{spec_, positions, keys_.data(), invalid, some_gone});
    sort_by_key(exec, keys_, sorted_keys_, order_, n, detail::gone_bit + (some_gone ? 1 : 0),
                hashed_scratch_);
    index_rows(exec);
    return;
  }
  cells_.resize(size);
  launch(
      exec, n,
      detail::AssignCells<D, std::uint32_t>{spec_, positions, cells_.data(), invalid, some_gone});
  sort_into_table(exec, cells_, n, cell_count(), some_gone, order_, starts_, dense_scratch_);
}

template <class D>
void Grid<D>::index_rows(const D& exec) {
  const std::size_t slots = std::size_t{1}
                            << detail::bits_for(2 * static_cast<std::uint64_t>(particles_) + 16);
  row_keys_.resize(slots);
  row_begin_.resize(slots);
  row_end_.resize(slots);
  const std::uint32_t mask = static_cast<std::uint32_t>(slots - 1);
  launch(exec, static_cast<Index>(slots), detail::ClearRows{row_keys_.data()});
  launch(exec, particles_,
         detail::EnterRows{sorted_keys_.data(), row_keys_.data(), row_begin_.data(), mask});
  launch(
      exec, particles_,
      detail::CloseRows{sorted_keys_.data(), row_keys_.data(), row_end_.data(), mask, particles_});
}

template <class D>
GridView Grid<D>::view() const {
  GridView v;
  v.spec = spec_;
  v.starts = starts_.data();
  v.keys = sorted_keys_.data();
  v.row_keys = row_keys_.data();
  v.row_begin = row_begin_.data();
  v.row_end = row_end_.data();
  v.slot_mask = static_cast<std::uint32_t>(row_keys_.size() - 1);
  return v;
}

template class Grid<PANTA_DEVICE>;
template Bounds find_bounds(const PANTA_DEVICE&, Field4View<PANTA_DEVICE>, Index,
                            Buffer<PANTA_DEVICE, Bounds>&);

}  // namespace panta
