// A sparse signed distance grid in the form for host and device (built by
// geometry/distance_grid.h).
//
// Space is divided into bricks of 8^3 cells. Near the surface (within a band) a brick stores its
// 9^3 samples, so that interpolation needs no other brick; elsewhere there are only samples at the
// bricks' corners: the sign is right and the distance approximate.
//
// A sample is the value f_i and the gradient g_i at a grid point x_i. With the trilinear weights
// w_i of the eight points around x,
//   value    = sum w_i (f_i + g_i . (x - x_i) / 2),   gradient = sum w_i g_i.
// For a quadratic f with Hessian H the trilinear part is too large by sum_j H_jj t_j (1 - t_j) / 2,
// with t_j the position along axis j of the cell. As sum w_i (x - x_i) = 0 and the weights are
// products over the axes, the second part is exactly minus that: quadratics are reproduced, and the
// error is of third order in the cell. Without the gradients it would be cell^2 (H_xx+H_yy+H_zz)/8,
// 1.6 % of a cell at a sphere of radius 16 cells. The value is continuous across cells.
#pragma once

#include <cstdint>

#include "panta/core/scalar_math.h"
#include "panta/geometry/distance.h"

namespace panta {

struct alignas(16) DistanceSample {
  Vec3 gradient;  // of unit length
  float value = 0;
};

inline constexpr int brick_cells = 8;
inline constexpr int brick_points = brick_cells + 1;
inline constexpr int brick_samples = brick_points * brick_points * brick_points;

struct DistanceGridView {
  const DistanceSample* samples = nullptr;  // brick_samples for each stored brick, x fastest
  const DistanceSample* corners = nullptr;  // of all bricks, x fastest
  const std::int32_t* brick = nullptr;      // index of the stored brick, or -1; x fastest
  Vec3 origin;
  float cell = 0;
  int bricks[3] = {};  // along each axis

  PANTA_HD float size(int axis) const {
    return static_cast<float>(bricks[axis] * brick_cells) * cell;
  }
};

namespace detail {

// A cell of a lattice of samples and the position in it.
struct LatticePlace {
  int index[3];
  float t[3];  // 0 to 1
};

PANTA_HD LatticePlace lattice_place(const Vec3& x, const int (&cells)[3]) {
  LatticePlace place;
  for (int axis = 0; axis < 3; ++axis) {
    const float last = static_cast<float>(cells[axis] - 1);
    place.index[axis] = static_cast<int>(minimum(maximum(x[axis], 0.0f), last));  // 0 for NaN
    place.t[axis] = x[axis] - static_cast<float>(place.index[axis]);
  }
  return place;
}

// The sums above over the eight samples around a position; `tilt` is half the lattice spacing, or 0
// to omit the gradients in the value.
PANTA_HD Distance interpolate(const DistanceSample* samples, int row, int layer,
                              const LatticePlace& place, float tilt) {
  const DistanceSample* first =
      samples + (place.index[2] * layer + place.index[1] * row + place.index[0]);
  float value = 0;
  Vec3 gradient;
  for (int corner = 0; corner < 8; ++corner) {
    const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
    const DistanceSample s = first[k * layer + j * row + i];
    const Vec3 arm{place.t[0] - static_cast<float>(i), place.t[1] - static_cast<float>(j),
                   place.t[2] - static_cast<float>(k)};
    const float weight = (1.0f - fabsf(arm.x)) * (1.0f - fabsf(arm.y)) * (1.0f - fabsf(arm.z));
    value += weight * (s.value + tilt * dot(s.gradient, arm));
    gradient += s.gradient * weight;
  }
  return {value, normalized(gradient, first[0].gradient)};
}

// For points inside the grid's box.
PANTA_HD Distance distance_in_grid(const DistanceGridView& grid, const Vec3& x) {
  const float per_cell = 1.0f / grid.cell, per_brick = per_cell / brick_cells;
  const Vec3 arm = x - grid.origin;
  const LatticePlace in_grid = lattice_place(arm * per_brick, grid.bricks);
  const int* b = in_grid.index;
  const int stored = grid.brick[(b[2] * grid.bricks[1] + b[1]) * grid.bricks[0] + b[0]];
  if (stored < 0) {
    const int row = grid.bricks[0] + 1;
    return interpolate(grid.corners, row, row * (grid.bricks[1] + 1), in_grid, 0.0f);
  }
  const int cells[3] = {brick_cells, brick_cells, brick_cells};
  const Vec3 in_brick{arm.x * per_cell - static_cast<float>(b[0] * brick_cells),
                      arm.y * per_cell - static_cast<float>(b[1] * brick_cells),
                      arm.z * per_cell - static_cast<float>(b[2] * brick_cells)};
  return interpolate(grid.samples + static_cast<std::int64_t>(stored) * brick_samples, brick_points,
                     brick_points * brick_points, lattice_place(in_brick, cells), 0.5f * grid.cell);
}

}  // namespace detail

// For any point. Outside the box the result is approximate: the nearest point of the box is
// projected onto the surface. If the solid reaches the side of the box, it is assumed to end there.
PANTA_HD Distance distance(const DistanceGridView& grid, const Vec3& x) {
  Vec3 inside;
  for (int axis = 0; axis < 3; ++axis)
    inside[axis] = clamp(x[axis], grid.origin[axis], grid.origin[axis] + grid.size(axis));
  const Distance d = detail::distance_in_grid(grid, inside);
  const Vec3 beyond = x - inside;
  if (dot(beyond, beyond) == 0.0f) return d;
  if (d.value <= 0) return {d.value + length(beyond), normalized(beyond)};
  const Vec3 away = beyond + d.normal * d.value;
  return {length(away), normalized(away, d.normal)};
}

}  // namespace panta
