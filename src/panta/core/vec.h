// Small vectors, matrices and quaternions for host and device code.
//
// The scalar type F is float or double, or on the CPU a pack of 16 floats (core/pack.h), so that
// one formula serves a single pair of particles and sixteen of them at once.
#pragma once

#include <cmath>

#include "panta/core/macros.h"

namespace panta {

template <class F>
struct Vec3T {
  F x{}, y{}, z{};

  PANTA_HD Vec3T& operator+=(const Vec3T& o) {
    x = x + o.x, y = y + o.y, z = z + o.z;
    return *this;
  }
  PANTA_HD Vec3T& operator-=(const Vec3T& o) {
    x = x - o.x, y = y - o.y, z = z - o.z;
    return *this;
  }
  PANTA_HD F& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  PANTA_HD const F& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  PANTA_HD bool operator==(const Vec3T& o) const { return x == o.x && y == o.y && z == o.z; }
};

template <class F>
struct Vec4T {
  F x{}, y{}, z{}, w{};
  PANTA_HD Vec3T<F> xyz() const { return {x, y, z}; }
};

using Vec3 = Vec3T<float>;
using Vec3d = Vec3T<double>;
using Vec4 = Vec4T<float>;

template <class F>
PANTA_HD Vec3T<F> operator+(const Vec3T<F>& a, const Vec3T<F>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class F>
PANTA_HD Vec3T<F> operator-(const Vec3T<F>& a, const Vec3T<F>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class F>
PANTA_HD Vec3T<F> operator-(const Vec3T<F>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class F, class S>
PANTA_HD Vec3T<F> operator*(const Vec3T<F>& a, S s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class F>
PANTA_HD Vec3T<F> operator*(float s, const Vec3T<F>& a) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class F>
PANTA_HD F dot(const Vec3T<F>& a, const Vec3T<F>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class F>
PANTA_HD Vec3T<F> cross(const Vec3T<F>& a, const Vec3T<F>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
PANTA_HD float length(const Vec3& a) { return sqrtf(dot(a, a)); }
PANTA_HD double length(const Vec3d& a) { return sqrt(dot(a, a)); }

// The unit vector along a; `fallback` where a is zero.
PANTA_HD Vec3 normalized(const Vec3& a, const Vec3& fallback = {0, 1, 0}) {
  const float l = length(a);
  return l > 0.0f ? a * (1.0f / l) : fallback;
}
PANTA_HD Vec3 to_float(const Vec3d& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
PANTA_HD Vec3d to_double(const Vec3& a) { return {a.x, a.y, a.z}; }

// 3x3 matrix, stored by rows.
struct Mat3 {
  Vec3 row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  bool operator==(const Mat3&) const = default;
};
PANTA_HD Vec3 operator*(const Mat3& m, const Vec3& v) {
  return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
PANTA_HD Mat3 transpose(const Mat3& m) {
  return {{{m.row[0].x, m.row[1].x, m.row[2].x},
           {m.row[0].y, m.row[1].y, m.row[2].y},
           {m.row[0].z, m.row[1].z, m.row[2].z}}};
}
PANTA_HD Mat3 operator*(const Mat3& a, const Mat3& b) {
  const Mat3 t = transpose(b);
  Mat3 r;
  for (int i = 0; i < 3; ++i) r.row[i] = t * a.row[i];
  return r;
}
PANTA_HD float determinant(const Mat3& m) { return dot(m.row[0], cross(m.row[1], m.row[2])); }

// Unit quaternion w + xi + yj + zk.
struct Quat {
  float w = 1, x = 0, y = 0, z = 0;
};
PANTA_HD Quat operator*(const Quat& a, const Quat& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
PANTA_HD Quat axis_angle(const Vec3& axis, float angle) {
  const Vec3 u = normalized(axis);
  const float s = sinf(0.5f * angle);
  return {cosf(0.5f * angle), u.x * s, u.y * s, u.z * s};
}
PANTA_HD Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
PANTA_HD Quat normalized(const Quat& q) {
  const float s = 1.0f / sqrtf(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}
// From a to b along the shorter arc, s in [0, 1].
PANTA_HD Quat slerp(const Quat& a, Quat b, float s) {
  float c = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  if (c < 0) b = {-b.w, -b.x, -b.y, -b.z}, c = -c;
  float wa = 1 - s, wb = s;
  if (c < 0.9995f) {
    const float angle = acosf(c), inverse = 1 / sinf(angle);
    wa = sinf(wa * angle) * inverse, wb = sinf(wb * angle) * inverse;
  }
  return normalized(
      Quat{wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z});
}
// Axis times angle (rad), the angle at most pi.
PANTA_HD Vec3 rotation_vector(const Quat& q) {
  const Vec3 v = q.w < 0 ? Vec3{-q.x, -q.y, -q.z} : Vec3{q.x, q.y, q.z};
  const float s = length(v);
  if (!(s > 0)) return {};
  return v * (2 * atan2f(s, fabsf(q.w)) / s);
}
PANTA_HD Mat3 rotation(const Quat& q) {
  const float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
           {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
           {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

}  // namespace panta
