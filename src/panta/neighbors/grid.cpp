#include "panta/neighbors/grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "panta/core/error_format.h"

namespace panta {

namespace {

constexpr int x_cells_per_radius = 4;
// Rows are wider than the radius requires, by more than the rounding of cell coordinates up to 4000
// rows from the origin: two particles within the radius must not be more than `reach` rows apart.
constexpr float row_slack = 1.001f;
constexpr int edge_rounding = 8;  // the edges of a dense box are multiples of this number of cells
constexpr double cells_per_particle = 16;  // maximum size of a dense table
constexpr double cells_always_allowed = 1 << 18;

// Rows of half the radius are faster if the kernel is wide compared with the spacing: more rows,
// fewer candidates.
int rows_per_radius(const GridOptions& o) {
  return o.spacing > 0 && o.radius / o.spacing >= 3.0f ? 2 : 1;
}

void set_cell(GridSpec& s, int axis, float cell) {
  s.cell[axis] = cell;
  s.inverse_cell[axis] = 1.0f / cell;
}

void set_periodic_axis(GridSpec& s, int axis, float wanted, const GridOptions& o) {
  const float period = o.period[axis];
  if (period < 2 * o.radius)
    throw Error(
        ErrorKind::usage,
        "the domain is periodic along {} with a period of {} m, less than two support radii "
        "of {} m; widen it or use a smaller spacing",
        "xyz"[axis], period, o.radius);
  const int cells = std::max(1, static_cast<int>(std::floor(period / wanted)));
  if (cells > hashed_limit)
    throw Error(ErrorKind::usage,
                "the period along {} is {} cells long, more than {}; use a larger spacing",
                "xyz"[axis], cells, hashed_limit);
  set_cell(s, axis, period / static_cast<float>(cells));
  s.period[axis] = period;
  s.origin[axis] = o.period_origin[axis];
  s.lowest[axis] = 0;
  s.highest[axis] = cells - 1;
}

// Rounds the box edges to a fixed lattice, so that a small change of the bounds keeps the grid.
void set_dense_axis(GridSpec& s, int axis, float cell, double lo, double hi) {
  set_cell(s, axis, cell);
  const double block = double(cell) * edge_rounding;
  const double first = std::floor(lo / block), last = std::ceil(hi / block);
  s.origin[axis] = static_cast<float>(first * block);
  s.lowest[axis] = 0;
  s.highest[axis] = static_cast<int>(
      std::clamp((last - first) * edge_rounding, 1.0, double(std::numeric_limits<int>::max() / 2)) -
      1);
}

void set_hashed_axis(GridSpec& s, int axis, float cell) {
  set_cell(s, axis, cell);
  s.origin[axis] = 0;
  s.lowest[axis] = -hashed_limit;
  s.highest[axis] = hashed_limit - 1;
}

}  // namespace

GridSpec make_grid_spec(const Bounds& bounds, Index particles, const GridOptions& o) {
  GridSpec s;
  const int rows = rows_per_radius(o);
  double cells = 1;
  bool dense = !o.always_hashed;
  for (int axis = 0; axis < 3; ++axis) {
    const float cell = o.radius / static_cast<float>(axis == 0 ? x_cells_per_radius : rows);
    if (axis == 2 && o.dimensions == 2) continue;  // one row
    s.reach[axis] = rows;
    if (o.period[axis] > 0) {
      set_periodic_axis(s, axis, cell, o);
    } else {
      const bool empty = bounds.min[axis] > bounds.max[axis];
      set_dense_axis(s, axis, axis == 0 ? cell : cell * row_slack, empty ? 0 : bounds.min[axis],
                     empty ? 0 : bounds.max[axis]);
    }
    cells *= s.count(axis);
  }
  const double allowed = std::max(cells_always_allowed, cells_per_particle * particles);
  if (dense && cells <= allowed && cells < std::numeric_limits<std::int32_t>::max()) return s;
  s.hashed = true;
  for (int axis = 0; axis < (o.dimensions == 2 ? 2 : 3); ++axis)
    if (!(o.period[axis] > 0)) set_hashed_axis(s, axis, s.cell[axis]);
  return s;
}

}  // namespace panta
