// Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix by Jacobi's rotations.
#pragma once

#include "panta/core/vec.h"

namespace panta {

struct Eigen3 {
  Vec3 value;      // largest first
  Vec3 vector[3];  // unit, in the order of the values
};

PANTA_HD Eigen3 symmetric_eigen(const Mat3& matrix) {
  constexpr int sweeps = 5;  // enough for all bits of a float
  float a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = matrix.row[i][j];
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0.0f) continue;
        const float theta = 0.5f * (a[q][q] - a[p][p]) / a[p][q];
        const float root = fabsf(theta) + sqrtf(theta * theta + 1.0f);
        const float t = (theta < 0.0f ? -1.0f : 1.0f) / root;
        const float c = 1.0f / sqrtf(t * t + 1.0f), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const float kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; ++k) {
          const float pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
          const float vp = v[k][p], vq = v[k][q];
          v[k][p] = c * vp - s * vq;
          v[k][q] = s * vp + c * vq;
        }
      }
  int order[3] = {0, 1, 2};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2 - i; ++j)
      if (a[order[j]][order[j]] < a[order[j + 1]][order[j + 1]]) {
        const int held = order[j];
        order[j] = order[j + 1];
        order[j + 1] = held;
      }
  Eigen3 result;
  for (int k = 0; k < 3; ++k) {
    const int from = order[k];
    result.value[k] = a[from][from];
    result.vector[k] = {v[0][from], v[1][from], v[2][from]};
  }
  return result;
}

}  // namespace panta
