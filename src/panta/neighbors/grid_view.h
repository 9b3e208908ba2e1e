// The cell grid in the form for kernels, and the loop over the surroundings of a point.
//
// Particles are sorted by cell: z slowest, then y, then x. A row is all cells with the same y and
// z; the particles of a row are contiguous in memory in the order of x. So the particles around a
// point form a few contiguous runs, one per row. Each run is cut to the cells that can contain a
// neighbour: a row whose cells are at least g away in y and z needs only |dx| <= sqrt(radius^2 -
// g^2).
//
// Cells are finer along x than along y and z. This makes the cut tight and adds no runs.
//
// Two forms find the run of a row:
//   dense   a table over all cells of a box: starts[cell] = first particle in it. Positions outside
//           the box are clamped to its border cells. Clamping never increases a difference of
//           coordinates, so two particles within reach of each other stay in cells within reach:
//           outliers cost time but results stay correct.
//   hashed  a hash table of the occupied rows, then a binary search for x in the row: unbounded
//           space.
// Cell coordinates come from t = (x - origin) / cell in float. Rounding may put a particle on the
// wrong side of a cell face by a few parts in 1e7 of t; every cut has a larger safety margin.
#pragma once

#include <cstdint>

#include "panta/core/atomics.h"
#include "panta/core/exec.h"
#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"

namespace panta {

inline constexpr int hashed_coordinate_bits = 21;
inline constexpr int hashed_limit = 1 << (hashed_coordinate_bits - 1);
inline constexpr std::uint64_t empty_row = ~std::uint64_t{0};

struct GridSpec {
  Vec3 origin;
  Vec3 cell = {1, 1, 1}, inverse_cell = {1, 1, 1};  // m, 1/m
  int lowest[3] = {}, highest[3] = {};              // range of cell coordinates, inclusive
  int reach[3] = {};                                // rows to look at on each side, in y and z
  Vec3 period;                                      // m, 0 where the axis is not periodic
  bool hashed = false;

  bool operator==(const GridSpec&) const = default;
  PANTA_HD int count(int axis) const { return highest[axis] - lowest[axis] + 1; }
  PANTA_HD bool periodic() const { return period.x > 0 || period.y > 0 || period.z > 0; }

  // Position in units of cells, clamped to the grid; NaN gives the lowest cell.
  PANTA_HD float scaled(const Vec3& x, int axis) const {
    return inside((x[axis] - origin[axis]) * inverse_cell[axis], axis);
  }
  PANTA_HD float inside(float t, int axis) const {
    const float lo = static_cast<float>(lowest[axis]), hi = static_cast<float>(highest[axis] + 1);
    return t > lo ? (t < hi ? t : hi - maximum(fabsf(hi), 1.0f) * 1e-7f) : lo;
  }
  PANTA_HD std::uint64_t row_key(int cy, int cz) const {
    return static_cast<std::uint64_t>(cz + hashed_limit) << hashed_coordinate_bits |
           static_cast<std::uint64_t>(cy + hashed_limit);
  }
  PANTA_HD std::uint64_t cell_key(int cx, int cy, int cz) const {
    return row_key(cy, cz) << hashed_coordinate_bits |
           static_cast<std::uint64_t>(cx + hashed_limit);
  }
  PANTA_HD std::uint32_t cell_number(int cx, int cy, int cz) const {
    return static_cast<std::uint32_t>((cz * count(1) + cy) * count(0) + cx);
  }
};

struct Run {
  Index begin = 0, end = 0;
};

PANTA_HD std::uint64_t hash_row(std::uint64_t key) {
  key ^= key >> 29;
  key *= 0xbf58476d1ce4e5b9ull;
  key ^= key >> 32;
  return key;
}

struct GridView {
  GridSpec spec;
  const std::uint32_t* starts = nullptr;    // dense
  const std::uint64_t* keys = nullptr;      // hashed: sorted cell keys
  const std::uint64_t* row_keys = nullptr;  // hashed: the table of rows
  const std::uint32_t* row_begin = nullptr;
  const std::uint32_t* row_end = nullptr;
  std::uint32_t slot_mask = 0;

  // The particles of a row from cell x0 to cell x1.
  PANTA_HD Run run(int x0, int x1, int cy, int cz) const {
    if (spec.hashed) return hashed_run(x0, x1, cy, cz);
    const std::uint32_t* row = starts + spec.cell_number(0, cy, cz);
    return {static_cast<Index>(row[x0]), static_cast<Index>(row[x1 + 1])};
  }

  PANTA_HD Run hashed_run(int x0, int x1, int cy, int cz) const {
    const std::uint64_t row = spec.row_key(cy, cz);
    std::uint32_t slot = static_cast<std::uint32_t>(hash_row(row)) & slot_mask;
    while (row_keys[slot] != row) {
      if (row_keys[slot] == empty_row) return {};
      slot = (slot + 1) & slot_mask;
    }
    const Index begin = static_cast<Index>(row_begin[slot]),
                end = static_cast<Index>(row_end[slot]);
    const Index first = lower_bound(begin, end, spec.cell_key(x0, cy, cz));
    return {first, lower_bound(first, end, spec.cell_key(x1, cy, cz) + 1)};
  }

  PANTA_HD Index lower_bound(Index lo, Index hi, std::uint64_t key) const {
    while (lo < hi) {
      const Index mid = lo + (hi - lo) / 2;
      if (keys[mid] < key) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    return lo;
  }
};

namespace detail {

// The index of a row or cell after wrapping at a periodic axis, and the shift of its image.
struct Wrapped {
  int cell;
  float shift;
  bool inside;
};

template <bool Periodic>
PANTA_HD Wrapped wrap(const GridSpec& s, int axis, int cell) {
  const float period = s.period[axis];
  if (!Periodic || period <= 0) return {cell, 0, cell >= s.lowest[axis] && cell <= s.highest[axis]};
  const int n = s.count(axis);
  float shift = 0;
  for (; cell < 0; cell += n) shift -= period;
  for (; cell >= n; cell -= n) shift += period;
  return {cell, shift, true};
}

// Least squared distance, m^2, from a point at `t` in its own cell `c` to the cells `offset` cells
// away.
PANTA_HD float gap_squared(const GridSpec& s, int axis, float t, int c, int offset) {
  if (offset == 0) return 0;
  const float slack = (fabsf(t) + 1.0f) * 1e-6f;
  const float to_face =
      offset > 0 ? static_cast<float>(c + offset) - t : t - static_cast<float>(c + offset + 1);
  const float gap = maximum(to_face - slack, 0.0f) * s.cell[axis];
  return gap * gap;
}

// The runs of one row, visiting each image of a periodic x axis.
template <bool Periodic, class Visit>
PANTA_HD void visit_row(const GridView& g, float tx, float half_width, int cy, int cz, Vec3 shift,
                        const Visit& visit) {
  const GridSpec& s = g.spec;
  if (Periodic && s.period.x > 0) {
    const int n = s.count(0);
    const int x0 = static_cast<int>(floorf(tx - half_width));
    const int x1 = static_cast<int>(floorf(tx + half_width));
    for (int image = -1; image <= 1; ++image) {
      const int from = x0 - image * n > 0 ? x0 - image * n : 0;
      const int to = x1 - image * n < n - 1 ? x1 - image * n : n - 1;
      if (from > to) continue;
      shift.x = static_cast<float>(image) * s.period.x;
      visit(g.run(from, to, cy, cz), shift);
    }
    return;
  }
  const int x0 = static_cast<int>(floorf(s.inside(tx - half_width, 0)));
  const int x1 = static_cast<int>(floorf(s.inside(tx + half_width, 0)));
  visit(g.run(x0, x1, cy, cz), shift);
}

}  // namespace detail

// Calls visit(Run, Vec3 shift) for runs that together contain every particle within `radius` of x
// and also farther ones; a particle j of the run is at its position plus shift.
template <bool Periodic, class Visit>
PANTA_HD void for_each_run(const GridView& g, const Vec3& x, float radius, const Visit& visit) {
  const GridSpec& s = g.spec;
  const float tx = s.scaled(x, 0), ty = s.scaled(x, 1), tz = s.scaled(x, 2);
  const int cy = static_cast<int>(floorf(ty)), cz = static_cast<int>(floorf(tz));
  const float x_slack = (fabsf(tx) + 1.0f) * 1e-6f;
  for (int dz = -s.reach[2]; dz <= s.reach[2]; ++dz) {
    const detail::Wrapped z = detail::wrap<Periodic>(s, 2, cz + dz);
    const float left_z = radius * radius - detail::gap_squared(s, 2, tz, cz, dz);
    if (!z.inside || left_z <= 0) continue;
    for (int dy = -s.reach[1]; dy <= s.reach[1]; ++dy) {
      const detail::Wrapped y = detail::wrap<Periodic>(s, 1, cy + dy);
      const float left = left_z - detail::gap_squared(s, 1, ty, cy, dy);
      if (!y.inside || left <= 0) continue;
      const float half_width = square_root(left) * s.inverse_cell.x * 1.000001f + x_slack;
      detail::visit_row<Periodic>(g, tx, half_width, y.cell, z.cell, Vec3{0, y.shift, z.shift},
                                  visit);
    }
  }
}

}  // namespace panta
