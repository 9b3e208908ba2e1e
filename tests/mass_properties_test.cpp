// Volume, centre and inertia of solids against closed forms, and their contact points.
#include "panta/geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/bodies/body_points.h"
#include "panta/geometry/shape.h"

namespace panta {
namespace {

constexpr double pi = std::numbers::pi;

double box_inertia(double mass, double a, double b) { return mass * (a * a + b * b) / 12; }

TEST(MassProperties, OfABoxAwayFromTheOrigin) {
  const MassProperties p = mass_properties(Shape::box({1, 2, -0.3f}, {1.4f, 2.1f, 0.3f}));
  const double m = 0.4 * 0.1 * 0.6;
  EXPECT_NEAR(p.volume, m, 1e-4 * m);
  EXPECT_NEAR(length(p.centre - Vec3d{1.2, 2.05, 0}), 0, 1e-5);
  EXPECT_NEAR(p.inertia.row[0].x, box_inertia(m, 0.1, 0.6), 1e-3 * p.inertia.row[0].x);
  EXPECT_NEAR(p.inertia.row[1].y, box_inertia(m, 0.4, 0.6), 1e-3 * p.inertia.row[1].y);
  EXPECT_NEAR(p.inertia.row[2].z, box_inertia(m, 0.4, 0.1), 1e-3 * p.inertia.row[2].z);
  EXPECT_NEAR(p.inertia.row[0].y, 0, 1e-4 * p.inertia.row[0].x);
}

TEST(MassProperties, OfABall) {
  const double r = 0.3, m = 4 * pi / 3 * r * r * r;
  const MassProperties p = mass_properties(Shape::sphere({0.5f, 0, 0}, 0.3f));
  EXPECT_NEAR(p.volume, m, 5e-4 * m);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(p.inertia.row[k][k], 0.4 * m * r * r, 1e-3 * 0.4 * m * r * r);
}

TEST(MassProperties, OfACapsule) {
  const double r = 0.1, l = 0.4;  // the cylinder between the half balls
  const double tube = pi * r * r * l, ball = 4 * pi / 3 * r * r * r;
  const MassProperties p = mass_properties(Shape::capsule({0, -0.2f, 0}, {0, 0.2f, 0}, 0.1f));
  EXPECT_NEAR(p.volume, tube + ball, 3e-3 * p.volume);
  const double along = tube * r * r / 2 + ball * 0.4 * r * r;
  const double across =
      tube * (l * l / 12 + r * r / 4) + ball * (0.4 * r * r + l * l / 4 + 3 * l * r / 8);
  EXPECT_NEAR(p.inertia.row[1].y, along, 6e-3 * along);
  EXPECT_NEAR(p.inertia.row[0].x, across, 6e-3 * across);
}

TEST(MassProperties, OfABoxWithAHoleOnOneSide) {
  const double a = 0.4, r = 0.1, hole = 4 * pi / 3 * r * r * r, x = 0.08;
  const MassProperties p = mass_properties(subtract(
      Shape::box({-0.2f, -0.2f, -0.2f}, {0.2f, 0.2f, 0.2f}), Shape::sphere({0.08f, 0, 0}, 0.1f)));
  const double m = a * a * a - hole, centre = -hole * x / m;
  EXPECT_NEAR(p.volume, m, 2e-3 * m);
  EXPECT_NEAR(p.centre.x, centre, 2e-5);
  const double about_y =
      box_inertia(a * a * a, a, a) - hole * (0.4 * r * r + x * x) - m * centre * centre;
  EXPECT_NEAR(p.inertia.row[1].y, about_y, 3e-3 * about_y);
}

TEST(MassProperties, InTwoDimensionsOfTheCrossSection) {
  const double r = 0.3;
  const MassProperties p = mass_properties(Shape::sphere({0.5f, 0.1f, 0}, 0.3f), true);
  EXPECT_NEAR(p.volume, pi * r * r, 0.01 * pi * r * r);
  EXPECT_NEAR(p.inertia.row[2].z, pi * r * r * r * r / 2, 0.02 * p.inertia.row[2].z);
  EXPECT_NEAR(length(p.centre - Vec3d{0.5, 0.1, 0}), 0, 1e-3);
}

TEST(BodyPoints, OfABoxHaveItsCorners) {
  const Shape box = Shape::box({-0.2f, -0.1f, -0.3f}, {0.2f, 0.1f, 0.3f});
  const auto points = body_points(box);
  EXPECT_LE(points.size(), 256u);
  EXPECT_GT(points.size(), 150u);
  for (const float x : {-0.2f, 0.2f})
    for (const float y : {-0.1f, 0.1f})
      for (const float z : {-0.3f, 0.3f}) {
        const auto near = [&](const BodyPoint& p) {
          return length(p.place - Vec3{x, y, z}) < 1e-4f;
        };
        const auto corner = std::find_if(points.begin(), points.end(), near);
        ASSERT_NE(corner, points.end()) << x << ' ' << y << ' ' << z;
        EXPECT_GT(dot(corner->normal, normalized(Vec3{x, y, z})), 0.6f);
      }
  for (const BodyPoint& p : points) EXPECT_LT(std::abs(distance(box, p.place).value), 1e-4f);
}

TEST(BodyPoints, OfABallAreSpreadOverIt) {
  const Shape ball = Shape::sphere({}, 0.3f);
  const auto points = body_points(ball);
  for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, normalized(Vec3{1, 2, -1})}) {
    float nearest = 1e30f;
    for (const BodyPoint& p : points) nearest = std::min(nearest, length(p.place - way * 0.3f));
    EXPECT_LT(nearest, 0.06f);
  }
}

TEST(BodyPoints, InTwoDimensionsLieOnTheOutline) {
  const Shape box = Shape::box({-0.2f, -0.1f, -1}, {0.2f, 0.1f, 1});
  const auto points = body_points(box, true);
  EXPECT_GT(points.size(), 20u);
  for (const BodyPoint& p : points) {
    EXPECT_EQ(p.place.z, 0);
    EXPECT_LT(std::abs(distance(box, p.place).value), 2e-3f);
  }
}

}  // namespace
}  // namespace panta
