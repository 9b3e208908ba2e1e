#include "panta/geometry/rigid_fit.h"

#include <algorithm>
#include <cmath>

namespace panta {

namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

constexpr int most_sweeps = 32;
// Relative difference of eigenvalues that count as equal: particles have the accuracy of float.
constexpr double same_value = 1e-6;
// Least part of the guess in an eigenspace that defines a direction.
constexpr double least_share = 1e-6;

double product(const Turn4& a, const Turn4& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Normalised, with a real part that is not negative.
Turn4 finished(Turn4 q) {
  const double size = std::sqrt(product(q, q)) * (q[0] < 0 ? -1 : 1);
  for (double& component : q) component /= size;
  return q;
}

// Horn's matrix: q^T N q is the trace of R(q)^T A for every unit quaternion q.
Matrix4 horn_matrix(const Matrix3d& a) {
  const double xx = a[0].x, xy = a[0].y, xz = a[0].z;
  const double yx = a[1].x, yy = a[1].y, yz = a[1].z;
  const double zx = a[2].x, zy = a[2].y, zz = a[2].z;
  return {{{xx + yy + zz, zy - yz, xz - zx, yx - xy},
           {zy - yz, xx - yy - zz, xy + yx, zx + xz},
           {xz - zx, xy + yx, yy - xx - zz, yz + zy},
           {yx - xy, zx + xz, yz + zy, zz - xx - yy}}};
}

double largest_entry(const Matrix4& n) {
  double largest = 0;
  for (const auto& row : n)
    for (const double entry : row) largest = std::max(largest, std::abs(entry));
  return largest;
}

bool is_finite(const Matrix4& n) {
  for (const auto& row : n)
    for (const double entry : row)
      if (!std::isfinite(entry)) return false;
  return true;
}

struct Eigen4 {
  std::array<double, 4> value;
  std::array<Turn4, 4> vector;
};

// Jacobi rotation of axes p and q that makes their entry of n zero.
void jacobi_turn(Matrix4& n, std::array<Turn4, 4>& vectors, std::size_t p, std::size_t q) {
  if (n[p][q] == 0) return;
  const double slope = (n[q][q] - n[p][p]) / (2 * n[p][q]);
  const double t = (slope < 0 ? -1 : 1) / (std::abs(slope) + std::hypot(slope, 1.0));
  const double c = 1 / std::hypot(t, 1.0), s = t * c;
  const auto turn = [&](double& a, double& b) {
    const double before = a;
    a = c * a - s * b;
    b = s * before + c * b;
  };
  for (std::size_t k = 0; k < 4; ++k) turn(n[k][p], n[k][q]);
  for (std::size_t k = 0; k < 4; ++k) turn(n[p][k], n[q][k]);
  for (std::size_t k = 0; k < 4; ++k) turn(vectors[p][k], vectors[q][k]);
}

// Jacobi's method: converges for every symmetric matrix.
Eigen4 eigen_of(Matrix4 n) {
  Eigen4 all;
  for (std::size_t k = 0; k < 4; ++k) {
    all.vector[k] = {};
    all.vector[k][k] = 1;
  }
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double rest = 0;
    for (std::size_t p = 0; p < 4; ++p)
      for (std::size_t q = p + 1; q < 4; ++q) rest = std::max(rest, std::abs(n[p][q]));
    if (rest <= 1e-16 * largest_entry(n)) break;
    for (std::size_t p = 0; p < 4; ++p)
      for (std::size_t q = p + 1; q < 4; ++q) jacobi_turn(n, all.vector, p, q);
  }
  for (std::size_t k = 0; k < 4; ++k) all.value[k] = n[k][k];
  return all;
}

Vec3d mean_of(std::span<const Vec3> points) {
  Vec3d sum;
  for (const Vec3& x : points) sum += to_double(x);
  return points.empty() ? sum : sum * (1 / static_cast<double>(points.size()));
}

}  // namespace

Vec3d turned(const Turn4& turn, const Vec3d& x) {
  const Vec3d axis{turn[1], turn[2], turn[3]};
  const Vec3d across = cross(axis, x) * 2.0;
  return x + across * turn[0] + cross(axis, across);
}

Turn4 after(const Turn4& b, const Turn4& a) {
  return {b[0] * a[0] - b[1] * a[1] - b[2] * a[2] - b[3] * a[3],
          b[0] * a[1] + b[1] * a[0] + b[2] * a[3] - b[3] * a[2],
          b[0] * a[2] - b[1] * a[3] + b[2] * a[0] + b[3] * a[1],
          b[0] * a[3] + b[1] * a[2] - b[2] * a[1] + b[3] * a[0]};
}

Turn4 nearest_rotation(const Matrix3d& matrix, const Turn4& guess) {
  const Matrix4 n = horn_matrix(matrix);
  const double size = largest_entry(n);
  if (!is_finite(n) || size == 0) return finished(guess);
  const Eigen4 eigen = eigen_of(n);
  const auto top = static_cast<std::size_t>(
      std::max_element(eigen.value.begin(), eigen.value.end()) - eigen.value.begin());
  Turn4 best = {};
  for (std::size_t k = 0; k < 4; ++k) {
    if (eigen.value[k] < eigen.value[top] - same_value * size) continue;
    const double share = product(eigen.vector[k], guess);
    for (std::size_t c = 0; c < 4; ++c) best[c] += share * eigen.vector[k][c];
  }
  if (product(best, best) < least_share * least_share) best = eigen.vector[top];
  return finished(best);
}

Turn4 turn_of(const Mat3& rotation) {
  return nearest_rotation(
      {to_double(rotation.row[0]), to_double(rotation.row[1]), to_double(rotation.row[2])});
}

Quat to_quat(const Turn4& turn) {
  return {static_cast<float>(turn[0]), static_cast<float>(turn[1]), static_cast<float>(turn[2]),
          static_cast<float>(turn[3])};
}

RigidMotion fit_rigid(std::span<const Vec3> from, std::span<const Vec3> to, const Turn4& guess) {
  const Vec3d a_mean = mean_of(from), b_mean = mean_of(to);
  Matrix3d sum = {};
  for (std::size_t k = 0; k < from.size(); ++k) {
    const Vec3d a = to_double(from[k]) - a_mean, b = to_double(to[k]) - b_mean;
    for (int row = 0; row < 3; ++row) sum[static_cast<std::size_t>(row)] += a * b[row];
  }
  RigidMotion motion{nearest_rotation(sum, guess), {}};
  motion.shift = b_mean - turned(motion.turn, a_mean);
  return motion;
}

}  // namespace panta
