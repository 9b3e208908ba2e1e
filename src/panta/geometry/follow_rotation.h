// The rotation R nearest to a matrix A, by iteration from the previous nearest rotation.
//
// R maximises sum_k R_k . a_k, where R_k and a_k are the columns of R and A. A small rotation by w
// changes the sum by w . g - w . M w / 2,
//
//   g = sum_k R_k x a_k,   M = tr(S) - S,   S the symmetric part of A R^T,
//
// so that w = M^-1 g is Newton's step; two or three steps suffice. If M is not safely positive
// definite (points on a line, an inverted body), w = g / |tr S| ascends more slowly (Mueller,
// Bender, Chentanez and Macklin 2016). In directions that A does not determine (points in a plane,
// on a line, a single one) R keeps its rotation.
#pragma once

#include "panta/core/vec.h"

namespace panta {

namespace detail {

struct Turn {
  Vec3 by;
  float enough;  // rad: after a step as small as this the next would be below rounding
};

// w for g, S and its trace; `size`: approximate magnitude of A.
PANTA_HD Turn turn_towards(const Vec3& g, const Mat3& s, float trace, float size) {
  constexpr float safe = 0.01f;  // least determinant, relative to the trace
  const Vec3 m[3] = {{trace - s.row[0].x, -s.row[0].y, -s.row[0].z},
                     {-s.row[1].x, trace - s.row[1].y, -s.row[1].z},
                     {-s.row[2].x, -s.row[2].y, trace - s.row[2].z}};
  const Vec3 a = cross(m[1], m[2]);
  const float det = dot(m[0], a);
  const bool positive =
      m[0].x > 0 && m[0].x * m[1].y > m[0].y * m[0].y && det > safe * trace * trace * trace;
  if (!positive) return {g * (1 / (fabsf(trace) + 1e-6f * size)), 1e-6f};
  const Vec3 b = cross(m[2], m[0]), c = cross(m[0], m[1]);
  return {(a * g.x + b * g.y + c * g.z) * (1 / det), 3e-4f};  // Newton's errors are squared
}

}  // namespace detail

PANTA_HD Quat follow_rotation(const Mat3& matrix, Quat q, int most_turns = 20) {
  const Mat3 columns = transpose(matrix);
  float size2 = 0;
  for (const Vec3& a : columns.row) size2 += dot(a, a);
  if (!(size2 > 0)) return q;
  const float size = sqrtf(size2);
  for (int turn = 0; turn < most_turns; ++turn) {
    const Mat3 r = rotation(q), product = matrix * transpose(r), rows = transpose(product);
    Mat3 s;
    for (int k = 0; k < 3; ++k) s.row[k] = (product.row[k] + rows.row[k]) * 0.5f;
    // The antisymmetric part of A R^T is g.
    const Vec3 g{product.row[2].y - product.row[1].z, product.row[0].z - product.row[2].x,
                 product.row[1].x - product.row[0].y};
    const detail::Turn to = detail::turn_towards(g, s, s.row[0].x + s.row[1].y + s.row[2].z, size);
    const float angle = length(to.by);
    if (!(angle > 0)) break;
    q = normalized(axis_angle(to.by, angle) * q);
    if (angle < to.enough) break;
  }
  return q;
}

}  // namespace panta
