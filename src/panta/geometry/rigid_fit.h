// The rigid motion that fits one set of points to another.
//
// It finds a unit quaternion q and a shift that minimise sum_i |R(q) (a_i - mean a) - (b_i - mean
// b)|^2. The squared lengths do not depend on q, so the trace of R^T A is maximised, where A =
// sum_i (b_i - mean b)(a_i - mean a)^T. In the components of q this trace is the quadratic form q^T
// N q of a symmetric 4x4 matrix N (Horn 1987, "Closed-form solution of absolute orientation using
// unit quaternions"). The eigenvector of its largest eigenvalue is the best rotation: always a
// proper one, for planar sets too, and for any initial value.
//
// If several rotations are equally good (points on a line: any rotation about it; a single point:
// any rotation), the largest eigenvalue is multiple. Then the rotation of its eigenspace nearest to
// a guess is used, which avoids unnecessary rotation.
#pragma once

#include <array>
#include <span>

#include "panta/core/vec.h"

namespace panta {

// Unit quaternion, its real part first.
using Turn4 = std::array<double, 4>;

Vec3d turned(const Turn4& turn, const Vec3d& x);
Turn4 after(const Turn4& second, const Turn4& first);  // composition

struct RigidMotion {
  Turn4 turn = {1, 0, 0, 0};
  Vec3d shift;

  Vec3d operator()(const Vec3d& x) const { return turned(turn, x) + shift; }
};

// A matrix by rows.
using Matrix3d = std::array<Vec3d, 3>;

// The rotation nearest to a matrix; of equally near ones the nearest to `guess`, with a real part
// that is not negative. For a matrix that is not finite the result is the guess.
Turn4 nearest_rotation(const Matrix3d& matrix, const Turn4& guess = {1, 0, 0, 0});

// Conversions from a rotation matrix and from a quaternion.
Turn4 turn_of(const Mat3& rotation);
Quat to_quat(const Turn4& turn);

// Maps `from` to `to`, point by point; both have the same size. Without points: the identity.
RigidMotion fit_rigid(std::span<const Vec3> from, std::span<const Vec3> to,
                      const Turn4& guess = {1, 0, 0, 0});

}  // namespace panta
