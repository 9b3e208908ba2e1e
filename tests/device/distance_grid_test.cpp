// A distance grid read on the device agrees with the host.
#include "panta/geometry/distance_grid.h"

#include "panta/core/buffer.h"
#include "panta/core/launch.h"
#include "support.h"

namespace panta::test {
namespace {

struct ReadGrid {
  DistanceGridView grid;
  const Vec3* points;
  Distance* out;
  PANTA_HD void operator()(Index i) const { out[i] = distance(grid, points[i]); }
};

TEST(DistanceGrid, IsTheSameOnTheDevice) {
  const auto torus = [](const Vec3& x) {
    const Vec3 arm = x - normalized(Vec3{x.x, 0, x.z}, {1, 0, 0}) * 2.0f;
    return Distance{length(arm) - 0.8f, normalized(arm)};
  };
  const DistanceGrid grid(torus, {-2.8f, -0.8f, -2.8f}, {2.8f, 0.8f, 2.8f}, 0.1f, 0.3f);
  const Buffer<D, DistanceSample> samples(grid.samples()), corners(grid.corners());
  const Buffer<D, std::int32_t> brick(grid.brick());
  const DistanceGridView view = grid.view_of(samples.data(), corners.data(), brick.data());

  const std::vector<Vec3> points = random_points(20000, {-5, -3, -5}, {5, 3, 5});
  const Buffer<D, Vec3> where(points);
  Buffer<D, Distance> out(points.size());
  launch(executor(), static_cast<Index>(points.size()), ReadGrid{view, where.data(), out.data()});
  executor().synchronize();
  const std::vector<Distance> found = out.download();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Distance expected = distance(grid.host_view(), points[i]);
    ASSERT_NEAR(found[i].value, expected.value, 1e-5f);
    // Where gradients cancel, the remaining direction is ill-conditioned.
    ASSERT_LT(length(found[i].normal - expected.normal), 1e-3f);
  }
}

}  // namespace
}  // namespace panta::test
