// The best rigid fit of one set of points to another, with unique and with ambiguous solutions.
#include "panta/geometry/rigid_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "panta/core/random.h"

namespace panta {
namespace {

using Points = std::vector<Vec3>;

float random_number(std::uint64_t id, std::uint64_t k) { return 2 * random_uniform(7, id, k) - 1; }

Vec3 random_point(std::uint64_t id) {
  return {random_number(id, 0), random_number(id, 1), random_number(id, 2)};
}

RigidMotion some_motion(std::uint64_t id, double angle) {
  const Vec3d axis = to_double(random_point(1000 + id));
  const double s = std::sin(angle / 2) / length(axis);
  return {{std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z},
          to_double(random_point(2000 + id)) * 3.0};
}

Points moved(const Points& points, const RigidMotion& by) {
  Points out;
  for (const Vec3& p : points) out.push_back(to_float(by(to_double(p))));
  return out;
}

double square_error(const RigidMotion& motion, const Points& from, const Points& to) {
  double sum = 0;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const Vec3d off = motion(to_double(from[k])) - to_double(to[k]);
    sum += dot(off, off);
  }
  return sum;
}

double largest_error(const RigidMotion& motion, const Points& from, const Points& to) {
  double largest = 0;
  for (std::size_t k = 0; k < from.size(); ++k)
    largest = std::max(largest, length(motion(to_double(from[k])) - to_double(to[k])));
  return largest;
}

double size_of(const Turn4& q) {
  return std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

// Angle of a turn, in radians.
double angle_of(const Turn4& q) {
  return 2 * std::atan2(std::hypot(q[1], q[2], q[3]), std::abs(q[0]));
}

TEST(RigidFit, FindsAnyMotionOfABody) {
  Points body;
  for (std::uint64_t k = 0; k < 20; ++k) body.push_back(random_point(k));
  for (std::uint64_t k = 0; k < 50; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k) / 49;  // half a turn at last
    const Points there = moved(body, some_motion(k, angle));
    const RigidMotion found = fit_rigid(body, there);
    EXPECT_LT(largest_error(found, body, there), 2e-6) << k;
    EXPECT_NEAR(angle_of(found.turn), angle, 1e-5);
    EXPECT_GE(found.turn[0], 0);
  }
}

TEST(RigidFit, PlanarSetsAreRotatedNotMirrored) {
  const Points plate = {{0, 0, 0}, {1, 0, 0}, {1, 0.5f, 0}, {0, 0.5f, 0}, {0.2f, 0.1f, 0}};
  for (std::uint64_t k = 0; k < 20; ++k) {
    const RigidMotion motion = some_motion(k, 0.16 * static_cast<double>(k));
    const Points there = moved(plate, motion);
    const RigidMotion found = fit_rigid(plate, there);
    EXPECT_LT(largest_error(found, plate, there), 2e-6) << k;
    // Also off the plane, where a mirrored fit would err.
    EXPECT_LT(length(found({0, 0, 1}) - motion({0, 0, 1})), 1e-5);
  }
}

TEST(RigidFit, RodsGetTheSmallestRotation) {
  const Points rod = {{0, 0, 0}, {0.1f, 0, 0}, {0.2f, 0, 0}, {0.7f, 0, 0}};
  const RigidMotion up{{std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, {1, 2, 3}};  // x to y
  const RigidMotion found = fit_rigid(rod, moved(rod, up));
  EXPECT_LT(largest_error(found, rod, moved(rod, up)), 1e-6);
  EXPECT_NEAR(angle_of(found.turn), std::numbers::pi / 2, 1e-5);

  // Reversed: half a turn about an axis normal to the rod.
  const RigidMotion reversed{{0, 0, 1, 0}, {}};
  const RigidMotion back = fit_rigid(rod, moved(rod, reversed));
  EXPECT_LT(largest_error(back, rod, moved(rod, reversed)), 1e-6);
  EXPECT_NEAR(size_of(back.turn), 1, 1e-12);
}

TEST(RigidFit, GuessDecidesUndeterminedRotations) {
  const Turn4 guess = {std::cos(0.3), 0, std::sin(0.3), 0};
  const RigidMotion single = fit_rigid(Points{{1, 2, 3}}, Points{{4, 5, 6}}, guess);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(single.turn[k], guess[k], 1e-12);
  EXPECT_LT(length(single({1, 2, 3}) - Vec3d{4, 5, 6}), 1e-12);

  const RigidMotion coincident = fit_rigid(Points(5, Vec3{1, 1, 1}), Points(5, Vec3{2, 1, 1}));
  EXPECT_EQ(coincident.turn[0], 1);
  EXPECT_LT(length(coincident.shift - Vec3d{1, 0, 0}), 1e-12);

  const RigidMotion nothing = fit_rigid({}, {}, guess);
  EXPECT_NEAR(nothing.turn[0], guess[0], 1e-12);
  EXPECT_EQ(length(nothing.shift), 0);
}

// The error of the fit is smaller than that of small changes in all six directions of motion.
TEST(RigidFit, IsALocalMinimumForDifferentShapes) {
  Points body, bent;
  for (std::uint64_t k = 0; k < 30; ++k) {
    body.push_back(random_point(k));
    bent.push_back(body.back() + random_point(500 + k) * 0.2f);
  }
  bent = moved(bent, some_motion(3, 2.5));
  const RigidMotion best = fit_rigid(body, bent);
  const double least = square_error(best, body, bent);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double step : {-1e-2, 1e-2}) {
      Turn4 little = {std::sqrt(1 - step * step), 0, 0, 0};
      little[axis + 1] = step;
      EXPECT_GT(square_error({after(best.turn, little), best.shift}, body, bent), least);
      RigidMotion shifted = best;
      shifted.shift[static_cast<int>(axis)] += step;
      EXPECT_GT(square_error(shifted, body, bent), least);
    }
}

TEST(RigidFit, ReadsTheQuaternionOfARotation) {
  const RigidMotion motion = some_motion(9, 3.0);
  Matrix3d rows;
  for (std::size_t k = 0; k < 3; ++k) {
    Vec3d axis;
    axis[static_cast<int>(k)] = 1;
    const Vec3d column = turned(motion.turn, axis);
    for (std::size_t row = 0; row < 3; ++row)
      rows[row][static_cast<int>(k)] = column[static_cast<int>(row)];
  }
  const Turn4 found = nearest_rotation(rows);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(found[k], motion.turn[k], 1e-12);
}

TEST(RigidFit, NonFiniteInputGivesTheGuess) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Turn4 found = nearest_rotation({Vec3d{nan, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1, 0, 0});
  EXPECT_EQ(found[1], 1);
  const Turn4 beside = nearest_rotation({Vec3d{1, nan, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_EQ(beside[0], 1);
}

}  // namespace
}  // namespace panta
