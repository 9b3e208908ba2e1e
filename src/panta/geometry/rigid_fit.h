// The rigid motion that takes one set of points nearest to another.
//
// Wanted: a unit quaternion q and a shift that minimise sum_i |R(q) (a_i - mean a) - (b_i - mean
// b)|^2. The squares of lengths do not depend on q, so the trace of R^T A is maximised, where A =
// sum_i (b_i - mean b)(a_i - mean a)^T. Written in the components of q that trace is the quadratic
// form q^T N q of a symmetric 4x4 matrix N (Horn 1987, "Closed-form solution of absolute
// orientation using unit quaternions"), whose largest eigenvalue belongs to the best rotation:
// always a proper one, for planar sets too, and from any start.
//
// Where several rotations are equally good (points on a line leave a turn about it, a single point
// every rotation) the largest eigenvalue is multiple. Taken is then the rotation of its eigenspace
// that is nearest to a guess, so that nothing turns without need.
#pragma once

#include <array>
#include <span>

#include "panta/core/vec.h"

namespace panta {

// Unit quaternion, its real part first.
using Turn4 = std::array<double, 4>;

Vec3d turned(const Turn4& turn, const Vec3d& x);
Turn4 after(const Turn4& second, const Turn4& first);  // one turn after the other

struct RigidMotion {
  Turn4 turn = {1, 0, 0, 0};
  Vec3d shift;

  Vec3d operator()(const Vec3d& x) const { return turned(turn, x) + shift; }
};

// A matrix by rows.
using Matrix3d = std::array<Vec3d, 3>;

// The rotation nearest to a matrix, of equally near ones that nearest to `guess`, with a real part
// that is not negative. A matrix that is not finite gives the guess.
Turn4 nearest_rotation(const Matrix3d& matrix, const Turn4& guess = {1, 0, 0, 0});

// The turn of a rotation matrix, and a turn as programs store it.
Turn4 turn_of(const Mat3& rotation);
Quat to_quat(const Turn4& turn);

// Takes `from` to `to`, point by point; both have the same size. No points: stays where it is.
RigidMotion fit_rigid(std::span<const Vec3> from, std::span<const Vec3> to,
                      const Turn4& guess = {1, 0, 0, 0});

}  // namespace panta
