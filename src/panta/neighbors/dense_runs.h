// for_each_run of neighbors/grid_view.h for the dense, non-periodic form on the CPU: all rows
// around a particle at once, one per lane. All rows are found before the first one is visited.
#pragma once

#include "panta/core/pack.h"
#include "panta/neighbors/grid_view.h"

namespace panta {

inline constexpr int max_rows = 2 * pack_width;  // 5 x 5 rows at most, in whole packs

// The runs of particles around a point; begin[k] to end[k].
struct RunList {
  int count = 0;
  alignas(64) std::uint32_t begin[max_rows + pack_width], end[max_rows + pack_width];
};

namespace detail {

// For each lane the offset of its row in cells along one axis, for rows first … first + 15 of the
// square.
PANTA_HD I16 row_offset(int axis, int width, int first) {
  const I16 row = lane_numbers() + first;
  // Multiplication instead of division (exact for row < 64, width <= 5).
  const I16 line = width == 1 ? row : width == 3 ? (row * 171) >> 9 : (row * 205) >> 10;
  return (axis == 2 ? line : row - line * width) - (width - 1) / 2;
}

PANTA_HD F16 gap_squared(const GridSpec& s, int axis, float t, F16 cell) {
  const float slack = (fabsf(t) + 1.0f) * 1e-6f;
  const F16 gap = maximum(maximum(cell - t, t - (cell + 1.0f)) - slack, 0.0f) * s.cell[axis];
  return gap * gap;
}

PANTA_HD LaneMask lanes_inside(const GridSpec& s, int axis, F16 cell) {
  return lanes_below(splat(-0.5f), cell) &
         lanes_below(cell, static_cast<float>(s.highest[axis]) + 0.5f);
}

PANTA_HD F16 kept_inside(const GridSpec& s, F16 t) {
  const float hi = static_cast<float>(s.highest[0] + 1);
  return maximum(minimum(t, hi - maximum(hi, 1.0f) * 1e-7f), 0.0f);
}

}  // namespace detail

PANTA_HD void find_dense_runs(const GridView& g, const Vec3& x, float radius, RunList& runs) {
  const GridSpec& s = g.spec;
  const float tx = s.scaled(x, 0), ty = s.scaled(x, 1), tz = s.scaled(x, 2);
  const float x_slack = (tx + 1.0f) * 1e-6f;
  const int width_y = 2 * s.reach[1] + 1, rows = width_y * (2 * s.reach[2] + 1);
  runs.count = 0;
  for (int first = 0; first < rows; first += pack_width) {
    const I16 cy = detail::row_offset(1, width_y, first) + static_cast<int>(ty);
    const I16 cz =
        detail::row_offset(2, width_y, first) + static_cast<int>(tz) + s.reach[1] - s.reach[2];
    const F16 fy = to_float(cy), fz = to_float(cz);
    const F16 left =
        radius * radius - detail::gap_squared(s, 1, ty, fy) - detail::gap_squared(s, 2, tz, fz);
    const LaneMask valid = first_lanes(rows - first) & lanes_below(F16{}, left) &
                           detail::lanes_inside(s, 1, fy) & detail::lanes_inside(s, 2, fz);
    const F16 half_width =
        square_root(maximum(left, 0.0f)) * (s.inverse_cell.x * 1.000001f) + x_slack;
    const I16 row = (cz * s.count(1) + cy) * s.count(0);
    const F16 x0 = choose(valid, to_float(to_int(detail::kept_inside(s, tx - half_width))), F16{});
    const F16 x1 = choose(valid, to_float(to_int(detail::kept_inside(s, tx + half_width))), F16{});
    const I16 at = choose(valid, row, I16{});
    const I16 begin = gather(g.starts, at + to_int(x0)),
              end = gather(g.starts, at + to_int(x1) + 1);
    const LaneMask filled = valid & lanes_below(begin, end);
    compress_store(runs.begin + runs.count, filled, begin);
    compress_store(runs.end + runs.count, filled, end);
    runs.count += __builtin_popcount(filled);
  }
}

}  // namespace panta
