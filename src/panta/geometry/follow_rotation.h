// The rotation nearest to a matrix, followed from one that was nearest a moment ago (Mueller,
// Bender, Chentanez and Macklin 2016): turn by
//
//   w = sum_k R_k x a_k / |sum_k R_k . a_k|,   R_k, a_k: columns of the rotation and the matrix
//
// until that is nothing. Directions of which the matrix says nothing (points in a plane, on a line,
// a single one) keep what they had.
#pragma once

#include "panta/core/vec.h"

namespace panta {

PANTA_HD Quat follow_rotation(const Mat3& matrix, Quat q, int most_turns = 20) {
  constexpr float settled = 4e-7f;  // rad, a little above rounding
  const Mat3 columns = transpose(matrix);
  float size = 0;
  for (const Vec3& a : columns.row) size += dot(a, a);
  if (!(size > 0)) return q;
  for (int turn = 0; turn < most_turns; ++turn) {
    const Mat3 r = transpose(rotation(q));
    Vec3 off;
    float along = 0;
    for (int k = 0; k < 3; ++k) {
      off += cross(r.row[k], columns.row[k]);
      along += dot(r.row[k], columns.row[k]);
    }
    const Vec3 by = off * (1 / (fabsf(along) + 1e-6f * sqrtf(size)));
    const float angle = length(by);
    if (!(angle > settled)) break;
    q = normalized(axis_angle(by, angle) * q);
  }
  return q;
}

}  // namespace panta
