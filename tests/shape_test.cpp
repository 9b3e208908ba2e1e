// Distances of primitive and composed solids against closed forms, and their bounds.
#include "panta/geometry/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "panta/core/error.h"
#include "panta/geometry/bounds.h"
#include "panta/walls/wall.h"

namespace panta {
namespace {

class Points {
 public:
  explicit Points(unsigned seed) : engine_(seed) {}
  Vec3 next(float reach) {
    std::uniform_real_distribution<float> u(-reach, reach);
    const float x = u(engine_), y = u(engine_);
    return {x, y, u(engine_)};
  }

 private:
  std::mt19937 engine_;
};

// The smallest distance from x to the surface, by descending |distance| from x along the gradient.
// A true distance must agree with it: one step of its own length ends on the surface.
void expect_true_distance(const Shape& shape, float reach, double tolerance) {
  Points points(5);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 x = points.next(reach);
    const Distance d = distance(shape, x);
    EXPECT_NEAR(length(d.normal), 1, 1e-4);
    const Vec3 foot = x - d.normal * d.value;
    EXPECT_NEAR(distance(shape, foot).value, 0, tolerance) << x.x << " " << x.y << " " << x.z;
  }
}

struct Primitive {
  const char* name;
  Shape shape;
};

std::vector<Primitive> primitives() {
  return {{"box", Shape::box({-0.5f, -0.3f, -0.7f}, {0.4f, 0.6f, 0.2f})},
          {"sphere", Shape::sphere({0.1f, 0.2f, 0}, 0.6f)},
          {"cylinder", Shape::cylinder({0.1f, -0.5f, 0}, {0.3f, 0.6f, 0.2f}, 0.4f)},
          {"capsule", Shape::capsule({0, -0.4f, 0}, {0.2f, 0.5f, -0.1f}, 0.25f)},
          {"cone", Shape::cone({0, -0.5f, 0}, {0, 0.6f, 0}, 0.5f, 0.2f)},
          {"pointed cone", Shape::cone({0, -0.5f, 0}, {0, 0.6f, 0}, 0.5f, 0)},
          {"torus", Shape::torus({0, 0.1f, 0}, {0, 1, 0.3f}, 0.5f, 0.2f)},
          {"plane", Shape::plane({0, 0.1f, 0}, {0.3f, 1, 0})}};
}

TEST(ShapeTest, PrimitivesGiveTrueDistances) {
  for (const Primitive& p : primitives()) {
    SCOPED_TRACE(p.name);
    expect_true_distance(p.shape, 1.2f, 2e-6);
    expect_true_distance(p.shape.complement(), 1.2f, 2e-6);
  }
}

TEST(ShapeTest, GradientIsTheDerivative) {
  for (const Primitive& p : primitives()) {
    SCOPED_TRACE(p.name);
    Points points(7);
    int checked = 0;
    for (int k = 0; k < 500; ++k) {
      const Vec3 x = points.next(1.0f);
      const float h = 2e-3f;
      Vec3 slope;
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 step;
        step[axis] = h;
        slope[axis] =
            (distance(p.shape, x + step).value - distance(p.shape, x - step).value) / (2 * h);
      }
      if (std::abs(length(slope) - 1) > 0.01f) continue;  // a ridge: equally far from two surfaces
      ++checked;
      EXPECT_NEAR(length(slope - distance(p.shape, x).normal), 0, 0.02);
    }
    EXPECT_GT(checked, 400);
  }
}

TEST(ShapeTest, ClosedForms) {
  const Shape box = Shape::box({-1, -1, -1}, {1, 1, 1});
  EXPECT_FLOAT_EQ(distance(box, {2, 0, 0}).value, 1);
  EXPECT_FLOAT_EQ(distance(box, {2, 2, 0}).value, std::sqrt(2.0f));
  EXPECT_FLOAT_EQ(distance(box, {2, 2, 2}).value, std::sqrt(3.0f));
  EXPECT_FLOAT_EQ(distance(box, {0.5f, 0, 0}).value, -0.5f);
  const Shape cone = Shape::cone({0, 0, 0}, {0, 1, 0}, 1, 0);  // half angle 45 degrees
  EXPECT_NEAR(distance(cone, {1, 1, 0}).value, std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(distance(cone, {0, 2, 0}).value, 1, 1e-6);
  EXPECT_NEAR(distance(cone, {2, -1, 0}).value, std::sqrt(2.0), 1e-6);
  const Shape torus = Shape::torus({0, 0, 0}, {0, 1, 0}, 1, 0.25f);
  EXPECT_NEAR(distance(torus, {0, 0, 0}).value, 0.75, 1e-6);
  EXPECT_NEAR(distance(torus, {1, 0.5f, 0}).value, 0.25, 1e-6);
}

TEST(ShapeTest, EllipsoidIsExactOnItsSurfaceAndNearIt) {
  const Vec3 r{0.6f, 0.3f, 0.4f};
  const Shape ellipsoid = Shape::ellipsoid({0.1f, 0, 0}, r);
  Points points(3);
  for (int k = 0; k < 1000; ++k) {
    const Vec3 u = normalized(points.next(1));
    const Vec3 on{0.1f + u.x * r.x, u.y * r.y, u.z * r.z};
    const Distance d = distance(ellipsoid, on);
    EXPECT_NEAR(d.value, 0, 1e-6);
    for (const float off : {-0.01f, 0.01f})
      EXPECT_NEAR(distance(ellipsoid, on + d.normal * off).value, off, 5e-4);
  }
}

TEST(ShapeTest, CombinationsFollowSetLogic) {
  const Shape a = Shape::sphere({-0.2f, 0, 0}, 0.5f),
              b = Shape::box({0, -0.4f, -0.4f}, {1, 0.4f, 0.4f});
  Points points(9);
  for (int k = 0; k < 4000; ++k) {
    const Vec3 x = points.next(1.3f);
    const float da = distance(a, x).value, db = distance(b, x).value;
    if (std::min(std::abs(da), std::abs(db)) < 1e-5f) continue;
    EXPECT_EQ(distance(unite(a, b), x).value < 0, da < 0 || db < 0);
    EXPECT_EQ(distance(intersect(a, b), x).value < 0, da < 0 && db < 0);
    EXPECT_EQ(distance(subtract(a, b), x).value < 0, da < 0 && db > 0);
    const Shape all = subtract(unite(a, b, 0.1f), offset(a, -0.2f));
    EXPECT_EQ(distance(all.complement(), x).value, -distance(all, x).value);
  }
  // Outside a union the distance is exact.
  EXPECT_NEAR(distance(unite(a, b), {0.5f, 1, 0}).value, 0.6, 1e-6);
}

TEST(ShapeTest, EdgesBetweenFlatSidesAreExactAtAnyAngle) {
  // A wedge of 60 degrees along z, its edge at the origin.
  const Shape wedge = intersect(Shape::plane({}, {std::sqrt(0.75f), 0.5f, 0}),
                                Shape::plane({}, {-std::sqrt(0.75f), 0.5f, 0}));
  const auto nearest = [&](const Vec3& x) { return surfaces(wedge.view(), x).item[0].value; };
  EXPECT_NEAR(nearest({0, 1, 0}), 1, 1e-6);  // beyond the edge
  EXPECT_NEAR(nearest({0.3f, 1, 5}), std::hypot(0.3, 1), 1e-6);
  EXPECT_NEAR(nearest({2, 0, 0}), std::sqrt(3.0), 1e-5);  // beside a face
  EXPECT_LE(distance(wedge, {0.3f, 1, 5}).value, std::hypot(0.3, 1));
}

TEST(ShapeTest, BlendsAreSmoothAndStayNearTheParts) {
  const float blend = 0.2f;
  const Shape a = Shape::sphere({-0.4f, 0, 0}, 0.5f), b = Shape::sphere({0.4f, 0, 0}, 0.5f);
  const Shape both = unite(a, b, blend);
  // The neck at x = 0 is pushed out by a sixth of the blend, measured along the gradient.
  const float sharp = distance(unite(a, b), {0, 0.31f, 0}).value;
  EXPECT_LT(distance(both, {0, 0.31f, 0}).value, sharp);
  float last_y = 0;
  for (float x = -0.3f; x <= 0.3f; x += 0.01f) {  // the profile has no kink
    float y = 0.5f;
    for (int k = 0; k < 50; ++k) y -= distance(both, {x, y, 0}).value;
    if (x > -0.295f) {
      EXPECT_LT(std::abs(y - last_y), 0.012f) << x;
    }
    last_y = y;
  }
  Points points(4);
  for (int k = 0; k < 1000; ++k) {
    const Distance d = distance(both, points.next(1));
    EXPECT_NEAR(length(d.normal), 1, 1e-4);
  }
}

TEST(ShapeTest, OffsetAndShell) {
  const Shape box = Shape::box({-1, -1, -1}, {1, 1, 1});
  EXPECT_NEAR(distance(offset(box, 0.1f), {2, 2, 0}).value, std::sqrt(2.0) - 0.1, 1e-6);
  const Shape hull = shell(box, 0.2f);
  EXPECT_LT(distance(hull, {0.9f, 0, 0}).value, 0);
  EXPECT_NEAR(distance(hull, {0, 0, 0}).value, 0.8, 1e-6);
  EXPECT_NEAR(distance(hull, {0.7f, 0, 0}).value, 0.1, 1e-6);
}

TEST(ShapeTest, TransformsMoveTheSolid) {
  const Quat turn = axis_angle({1, 2, 3}, 0.7f);
  const Vec3 about{0.1f, 0.2f, 0.3f}, shift{0.3f, -0.2f, 0.5f};
  for (const Primitive& p : primitives()) {
    SCOPED_TRACE(p.name);
    const Shape shape = unite(p.shape, Shape::sphere({0.5f, 0, 0}, 0.3f), 0.1f);
    const Shape other = shape.scaled(1.5f, about).rotated(turn, about).moved(shift);
    Points points(2);
    for (int k = 0; k < 200; ++k) {
      const Vec3 x = points.next(1);
      const Vec3 there = rotation(turn) * ((x - about) * 1.5f) + about + shift;
      EXPECT_NEAR(distance(other, there).value, 1.5f * distance(shape, x).value, 3e-5);
    }
  }
}

TEST(ShapeTest, BoundsAreTight) {
  for (const Primitive& p : primitives()) {
    SCOPED_TRACE(p.name);
    const Shape shape = p.shape.rotated(axis_angle({1, 1, 0}, 0.5f));
    const ShapeBounds bounds = shape_bounds(shape);
    if (std::string(p.name) == "plane") {
      EXPECT_FALSE(bounds.finite());
      continue;
    }
    ASSERT_TRUE(bounds.finite());
    EXPECT_FALSE(shape_bounds(shape.complement()).finite());
    Points points(6);
    Vec3d low{9, 9, 9}, high{-9, -9, -9};
    for (int k = 0; k < 40000; ++k) {
      const Vec3 x = points.next(1.3f);
      const Distance d = distance(shape, x);
      const Vec3d on = to_double(x - d.normal * d.value);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GT(on[axis], bounds.min[axis] - 1e-5);
        EXPECT_LT(on[axis], bounds.max[axis] + 1e-5);
        low[axis] = std::min(low[axis], on[axis]);
        high[axis] = std::max(high[axis], on[axis]);
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(low[axis], bounds.min[axis], 0.03);
      EXPECT_NEAR(high[axis], bounds.max[axis], 0.03);
    }
  }
  const Shape cut = intersect(Shape::plane({0, 0, 0}, {0, 1, 0}), Shape::sphere({}, 1));
  EXPECT_TRUE(shape_bounds(cut).finite());
}

TEST(ShapeTest, DeepNestingIsRefusedAndFlatListsAreAccepted) {
  Shape flat = Shape::sphere({}, 1);
  for (int k = 0; k < 200; ++k) flat = unite(flat, Shape::sphere({0.01f * k, 0, 0}, 1));
  EXPECT_LT(distance(flat, {2.5f, 0, 0}).value, 0);
  Shape deep = Shape::sphere({}, 1);
  EXPECT_THROW(
      {
        for (int k = 0; k < 20; ++k) deep = unite(Shape::sphere({0.1f * k, 0, 0}, 1), deep);
      },
      Error);
}

TEST(ShapeTest, CornersOfCavitiesHaveSeveralSurfaces) {
  // A glass: in the corner between bottom and side there are two surfaces, at the rim no artificial
  // ones.
  const Shape glass = subtract(Shape::cylinder({0, 0, 0}, {0, 1, 0}, 0.5f),
                               Shape::cylinder({0, 0.1f, 0}, {0, 1, 0}, 0.4f));
  const SurfaceSet corner = surfaces(glass.view(), {0.37f, 0.15f, 0});
  ASSERT_EQ(corner.count, 2);
  EXPECT_NEAR(corner.item[0].value, 0.03, 1e-6);
  EXPECT_NEAR(corner.item[0].normal.x, -1, 1e-6);
  EXPECT_NEAR(corner.item[1].value, 0.05, 1e-6);
  EXPECT_NEAR(corner.item[1].normal.y, 1, 1e-6);
  const SurfaceSet rim = surfaces(glass.view(), {0.2f, 0.97f, 0});
  ASSERT_GE(rim.count, 1);
  EXPECT_NEAR(rim.item[0].value, 0.2, 1e-6);  // the side, not the end of the cavity
  EXPECT_GT(surfaces(glass.view(), {0, 1.001f, 0}).item[0].value, 0.3f);  // nor over the opening
  for (int k = 0; k < rim.count; ++k) EXPECT_GT(rim.item[k].normal.y, -0.5f);
  // A step: floor and riser.
  const Shape stairs =
      unite(Shape::box({0, 0, 0}, {1, 0.2f, 1}), Shape::box({0.5f, 0, 0}, {1, 0.4f, 1}));
  const SurfaceSet step = surfaces(stairs.view(), {0.45f, 0.24f, 0.5f});
  ASSERT_EQ(step.count, 2);
  EXPECT_NEAR(step.item[0].value, 0.04, 1e-6);
  EXPECT_NEAR(step.item[1].value, 0.05, 1e-6);
  EXPECT_NEAR(dot(step.item[0].normal, step.item[1].normal), 0, 1e-6);
}

TEST(ShapeTest, ConnectedCavitiesHaveNoSurfaceBetweenThem) {
  // An L of two boxes cut out of a block, open at the top.
  const Shape corridor = subtract(Shape::box({-1, 0, -1}, {1, 1, 1}),
                                  unite(Shape::box({-0.9f, 0.1f, -0.9f}, {0.9f, 2, -0.4f}),
                                        Shape::box({-0.9f, 0.1f, -0.9f}, {-0.4f, 2, 0.9f})));
  const auto nearest = [&](const Vec3& x) { return surfaces(corridor.view(), x).item[0].value; };
  EXPECT_NEAR(nearest({-0.66f, 0.5f, -0.42f}), 0.24, 1e-5);  // in the mouth of the second arm
  EXPECT_NEAR(nearest({-0.38f, 0.5f, -0.66f}), 0.24, 1e-5);
  EXPECT_GT(nearest({-0.42f, 3, 0.5f}), 1);  // above everything
  EXPECT_NEAR(nearest({0.5f, 0.15f, -0.45f}), 0.05, 1e-5);
  EXPECT_NEAR(nearest({-0.41f, 0.5f, -0.41f}), 0.01 * std::sqrt(2.0), 1e-4);  // the inner edge
}

// Points on the surface, found by bisection between points inside and outside.
std::vector<Vec3> surface_points(const Shape& shape, int count) {
  std::vector<Vec3> found;
  Points points(8);
  while (static_cast<int>(found.size()) < count) {
    Vec3 a = points.next(1.3f), b = a + points.next(0.1f);
    const bool inside = distance(shape, a).value < 0;
    if ((distance(shape, b).value < 0) == inside) continue;
    for (int k = 0; k < 24; ++k) {
      const Vec3 middle = (a + b) * 0.5f;
      ((distance(shape, middle).value < 0) == inside ? a : b) = middle;
    }
    found.push_back(a);
  }
  return found;
}

TEST(ShapeTest, NearestSurfaceOfSharpSolidsIsExact) {
  const Shape corridor = subtract(unite(Shape::box({-1, -0.5f, -1}, {1, 0.5f, -0.3f}),
                                        Shape::box({-1, -0.5f, -1}, {-0.3f, 0.5f, 1})),
                                  unite(Shape::box({-0.9f, -0.4f, -0.9f}, {0.9f, 1.5f, -0.4f}),
                                        Shape::box({-0.9f, -0.4f, -0.9f}, {-0.4f, 1.5f, 0.9f})));
  const Shape glass = subtract(Shape::cylinder({0, -0.8f, 0}, {0, 0.8f, 0}, 0.6f),
                               Shape::cylinder({0, -0.7f, 0}, {0, 1.6f, 0}, 0.5f));
  const Shape stairs = unite(
      unite(Shape::box({-1, -1, -1}, {1, -0.6f, 1}), Shape::box({-0.4f, -1, -1}, {1, -0.2f, 1})),
      Shape::box({0.2f, -1, -1}, {1, 0.2f, 1}));
  for (const Shape& shape : {corridor, glass, stairs}) {
    const std::vector<Vec3> on = surface_points(shape, 8000);
    Points points(3);
    int checked = 0;
    for (int k = 0; k < 1500; ++k) {
      const Vec3 x = points.next(1.2f);
      if (distance(shape, x).value <= 0) continue;
      float nearest = 1e9f;
      for (const Vec3& y : on) nearest = std::min(nearest, length(y - x));
      const float got = surfaces(shape.view(), x).item[0].value;
      if (nearest > 0.25f) {
        EXPECT_GT(got, 0.15f);  // no artificial surface
      } else {
        ++checked;
        EXPECT_LT(got, nearest + 1e-4f) << x.x << " " << x.y << " " << x.z;
        EXPECT_GT(got, nearest - 0.08f) << x.x << " " << x.y << " " << x.z;
      }
    }
    EXPECT_GT(checked, 100);
  }
}

TEST(WallTest, FlushBoxesCountAboutOnce) {
  Scene scene;
  scene.spacing = 0.1;
  scene.bodies = {{Shape::box({-1, -1, -1}, {0, 0, 1})}, {Shape::box({0, -1, -1}, {1, 0, 1})}};
  const WallList list = make_walls(scene, 0.2f);
  WallsView view;
  view.bodies = list.bodies.data();
  view.nodes = list.solids.nodes.data();
  view.body_count = 2;
  view.clear_min = list.clear_min;
  view.clear_max = list.clear_max;
  for (const float x : {-0.1f, -0.01f, 0.0f, 0.02f, 0.15f}) {
    const ContactSet set = find_contacts(view, {x, 0.05f, 0}, 0.2f);
    float share = 0;  // approximately as for a kernel
    for (int k = 0; k < set.count; ++k)
      share += set.item[k].weight * std::pow(1 - set.item[k].distance / 0.2f, 3.0f);
    EXPECT_NEAR(share / std::pow(0.75f, 3.0f), 1, 0.16) << x;
  }
}

}  // namespace
}  // namespace panta
