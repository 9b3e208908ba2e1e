// Rotations in double: for bodies that rotate many times, and whose momenta must not drift.
#pragma once

#include "panta/core/vec.h"

namespace panta {

// 3x3 matrix, stored by rows.
struct Mat3d {
  Vec3d row[3];
};

PANTA_HD Mat3d diagonal(double x, double y, double z) {
  return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}
PANTA_HD Vec3d operator*(const Mat3d& m, const Vec3d& v) {
  return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
PANTA_HD Mat3d transpose(const Mat3d& m) {
  return {{{m.row[0].x, m.row[1].x, m.row[2].x},
           {m.row[0].y, m.row[1].y, m.row[2].y},
           {m.row[0].z, m.row[1].z, m.row[2].z}}};
}
PANTA_HD Mat3d operator*(const Mat3d& a, const Mat3d& b) {
  const Mat3d columns = transpose(b);
  return {{columns * a.row[0], columns * a.row[1], columns * a.row[2]}};
}
PANTA_HD Mat3d operator+(const Mat3d& a, const Mat3d& b) {
  return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
}
PANTA_HD Mat3d operator*(const Mat3d& a, double s) {
  return {{a.row[0] * s, a.row[1] * s, a.row[2] * s}};
}
// a b^T
PANTA_HD Mat3d outer(const Vec3d& a, const Vec3d& b) { return {{b * a.x, b * a.y, b * a.z}}; }

PANTA_HD Mat3d inverse(const Mat3d& m) {
  const Vec3d x = cross(m.row[1], m.row[2]), y = cross(m.row[2], m.row[0]),
              z = cross(m.row[0], m.row[1]);
  return transpose(Mat3d{{x, y, z}}) * (1 / dot(m.row[0], x));
}

// Unit quaternion w + xi + yj + zk.
struct Quatd {
  double w = 1, x = 0, y = 0, z = 0;
};
PANTA_HD Quatd operator*(const Quatd& a, const Quatd& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
PANTA_HD Quatd conjugate(const Quatd& q) { return {q.w, -q.x, -q.y, -q.z}; }
PANTA_HD Quatd normalized(const Quatd& q) {
  const double s = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}
PANTA_HD Mat3d rotation(const Quatd& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
           {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
           {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}
// The rotation by |v| radians about v.
PANTA_HD Quatd turn_by(const Vec3d& v) {
  const double angle = length(v);
  if (!(angle > 1e-12)) return normalized(Quatd{1, 0.5 * v.x, 0.5 * v.y, 0.5 * v.z});
  const double s = sin(0.5 * angle) / angle;
  return {cos(0.5 * angle), s * v.x, s * v.y, s * v.z};
}
// Axis times angle (rad), the angle at most pi.
PANTA_HD Vec3d rotation_vector(const Quatd& q) {
  const Vec3d v = q.w < 0 ? Vec3d{-q.x, -q.y, -q.z} : Vec3d{q.x, q.y, q.z};
  const double s = length(v);
  if (!(s > 0)) return {};
  return v * (2 * atan2(s, fabs(q.w)) / s);
}
PANTA_HD Quat rounded(const Quatd& q) {
  return {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y),
          static_cast<float>(q.z)};
}
PANTA_HD Mat3 rounded(const Mat3d& m) {
  return {{to_float(m.row[0]), to_float(m.row[1]), to_float(m.row[2])}};
}
PANTA_HD Mat3d to_double(const Mat3& m) {
  return {{to_double(m.row[0]), to_double(m.row[1]), to_double(m.row[2])}};
}

}  // namespace panta
