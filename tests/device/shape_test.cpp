// Composed solids on this device against the host.
#include "panta/geometry/shape.h"

#include "panta/core/launch.h"
#include "panta/geometry/device_grids.h"
#include "panta/geometry/shape_program.h"
#include "support.h"

namespace panta::test {
namespace {

struct Evaluate {
  ShapeView shape;
  const Vec3* x;
  Distance* nearest;
  SurfaceSet* all;
  PANTA_HD void operator()(Index i) const {
    nearest[i] = distance(shape, x[i]);
    all[i] = surfaces(shape, x[i]);
  }
};

Shape everything() {
  const Shape ball = Shape::sphere({0.2f, 0.1f, 0}, 0.5f);
  const auto grid = std::make_shared<const DistanceGrid>(
      [ball](const Vec3& x) { return distance(ball, x); }, Vec3{-0.3f, -0.4f, -0.5f},
      Vec3{0.7f, 0.6f, 0.5f}, 0.05f, 0.2f);
  Shape shape = Shape::grid(grid).scaled(0.8f).rotated(axis_angle({1, 0, 1}, 0.4f));
  shape = unite(shape, Shape::box({-0.8f, -0.2f, -0.3f}, {0.1f, 0.3f, 0.3f}));
  shape = unite(shape, Shape::capsule({0, 0, 0}, {0, 0.9f, 0.2f}, 0.2f), 0.1f);
  shape = subtract(shape, Shape::cylinder({0, -1, 0}, {0.1f, 1, 0}, 0.15f));
  shape = unite(shape, Shape::torus({0, 0, 0}, {0, 1, 0}, 0.7f, 0.1f));
  shape = subtract(shape, Shape::cone({0.5f, 0, 0}, {0.9f, 0.2f, 0}, 0.3f, 0.1f), 0.05f);
  shape = unite(shape, Shape::ellipsoid({-0.5f, 0.4f, 0}, {0.2f, 0.3f, 0.1f}));
  return intersect(offset(shape, 0.02f), Shape::plane({0, 0.7f, 0}, {0, 1, 0}));
}

TEST(ShapeOnDevice, AgreesWithTheHost) {
  const Shape shape = everything();
  const std::vector<Vec3> points = random_points(5000, {-1, -1, -1}, {1, 1, 1});
  const Buffer<D, Vec3> x(points);
  const Buffer<D, ShapeNode> nodes(shape.nodes());
  DeviceGrids<D> grids;
  grids.set(shape.grids());
  Buffer<D, Distance> nearest(points.size());
  Buffer<D, SurfaceSet> all(points.size());
  const ShapeView view{nodes.data(), static_cast<int>(shape.nodes().size()), grids.data()};
  launch(executor(), static_cast<Index>(points.size()),
         Evaluate{view, x.data(), nearest.data(), all.data()});
  executor().synchronize();
  const std::vector<Distance> got = nearest.download();
  const std::vector<SurfaceSet> sets = all.download();
  int different_normals = 0, different_sets = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Distance expected = distance(shape, points[i]);
    EXPECT_NEAR(got[i].value, expected.value, 1e-5);
    if (length(got[i].normal - expected.normal) > 1e-3f) ++different_normals;  // ridges
    const SurfaceSet set = surfaces(shape.view(), points[i]);
    if (sets[i].count != set.count) ++different_sets;
    for (int k = 0; k < std::min(set.count, sets[i].count); ++k)
      different_sets += std::abs(sets[i].item[k].value - set.item[k].value) > 1e-5f;
  }
  EXPECT_LT(different_normals, 5);
  EXPECT_LT(different_sets, 5);  // if rounding decides whether a surface is exposed
}

}  // namespace
}  // namespace panta::test
