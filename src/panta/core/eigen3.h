// Eigenvalues and eigenvectors of symmetric 3 x 3 matrices by Jacobi rotations: of one matrix or,
// on the CPU, of sixteen at once.
#pragma once

#include "panta/core/pack.h"
#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"

namespace panta {

template <class F>
struct Eigen3T {
  Vec3T<F> value;      // largest first
  Vec3T<F> vector[3];  // unit, in the order of the values
};
using Eigen3 = Eigen3T<float>;

namespace detail {

// Rotation in the plane of the axes p and q that makes a[p][q] zero; r is the third axis. The
// columns of v are rotated too. The angle is 0 where a[p][q] is already zero.
template <class F>
PANTA_HD void turn_away(F (&a)[3][3], F (&v)[3][3], int p, int q, int r) {
  constexpr float tiny = 1e-30f;
  const F off = a[p][q], gap = a[q][q] - a[p][p];
  const F size = gap < 0.0f ? -gap : gap, twice = off + off;
  const F steep = twice / maximum(size + square_root(gap * gap + twice * twice), tiny);
  const F t = gap < 0.0f ? -steep : steep;  // tangent of the angle
  const F c = 1.0f / square_root(t * t + 1.0f), s = t * c;
  a[p][p] = a[p][p] - t * off;
  a[q][q] = a[q][q] + t * off;
  a[p][q] = a[q][p] = F{};
  const F rp = a[r][p], rq = a[r][q];
  a[r][p] = a[p][r] = c * rp - s * rq;
  a[r][q] = a[q][r] = s * rp + c * rq;
  for (int k = 0; k < 3; ++k) {
    const F vp = v[k][p], vq = v[k][q];
    v[k][p] = c * vp - s * vq;
    v[k][q] = s * vp + c * vq;
  }
}

template <class F>
PANTA_HD void put_larger_first(Eigen3T<F>& e, int i, int j) {
  const auto wrong = e.value[i] < e.value[j];
  const auto swap = [&](F& first, F& second) {
    const F held = first;
    first = wrong ? second : first;
    second = wrong ? held : second;
  };
  swap(e.value[i], e.value[j]);
  for (int k = 0; k < 3; ++k) swap(e.vector[i][k], e.vector[j][k]);
}

}  // namespace detail

// Eigenvalues and eigenvectors of the symmetric matrix with these rows.
template <class F>
PANTA_HD Eigen3T<F> symmetric_eigen(const Vec3T<F> (&row)[3]) {
  constexpr int sweeps = 5;  // enough for all bits of a float
  F a[3][3], v[3][3] = {};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) a[i][j] = row[i][j];
    v[i][i] = v[i][i] + 1.0f;
  }
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    detail::turn_away(a, v, 0, 1, 2);
    detail::turn_away(a, v, 0, 2, 1);
    detail::turn_away(a, v, 1, 2, 0);
  }
  Eigen3T<F> result;
  for (int k = 0; k < 3; ++k) {
    result.value[k] = a[k][k];
    result.vector[k] = {v[0][k], v[1][k], v[2][k]};
  }
  detail::put_larger_first(result, 0, 1);
  detail::put_larger_first(result, 1, 2);
  detail::put_larger_first(result, 0, 1);
  return result;
}
PANTA_HD Eigen3 symmetric_eigen(const Mat3& matrix) { return symmetric_eigen(matrix.row); }

}  // namespace panta
