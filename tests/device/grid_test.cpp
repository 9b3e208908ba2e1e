// The grid's choice of cells and form, and its bounds.
#include "panta/neighbors/grid.h"

#include <limits>

#include "search_cases.h"

namespace panta::test {
namespace {

const Bounds unit_box = {{0, 0, 0}, {1, 1, 1}};

TEST(GridSpec, IsDenseIfTheTableIsSmallerThanTheParticles) {
  EXPECT_FALSE(make_grid_spec(unit_box, 1000, options(0.1f)).hashed);
  const Bounds wide = {{0, 0, 0}, {100, 100, 100}};
  EXPECT_TRUE(make_grid_spec(wide, 1000, options(0.1f)).hashed);
  EXPECT_FALSE(make_grid_spec(wide, 1000, options(10)).hashed);
}

TEST(GridSpec, SmallChangesOfTheBoundsChangeNothing) {
  const Bounds box = {{0.03f, 0.05f, 0.04f}, {0.97f, 0.93f, 0.95f}};
  const Bounds moved = {{0.02f, 0.06f, 0.03f}, {0.98f, 0.94f, 0.96f}};
  EXPECT_EQ(make_grid_spec(box, 1000, options(0.1f)), make_grid_spec(moved, 1001, options(0.1f)));
}

TEST(GridSpec, FitReturnsWhetherTheSpecChanged) {
  Grid<D> grid;
  const GridSpec spec = make_grid_spec(unit_box, 1000, options(0.1f));
  EXPECT_TRUE(grid.fit(spec));
  EXPECT_FALSE(grid.fit(spec));
  EXPECT_TRUE(grid.fit(make_grid_spec(unit_box, 1000, options(0.2f))));
}

TEST(GridSpec, APeriodBelowTwoRadiiIsAnError) {
  for (int axis = 0; axis < 3; ++axis) {
    GridOptions o = options(0.3f);
    o.period[axis] = 0.59f;
    try {
      make_grid_spec(unit_box, 10, o);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find(std::string("periodic along ") + "xyz"[axis]),
                std::string::npos)
          << error.what();
    }
    o.period[axis] = 0.6f;
    EXPECT_NO_THROW(make_grid_spec(unit_box, 10, o));
  }
}

TEST(GridSpec, HugeBoundsAreHashed) {
  const Bounds huge = {{-1e30f, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f}};
  EXPECT_TRUE(make_grid_spec(huge, 1000, options(0.1f)).hashed);
}

TEST(Bounds, IncludeFinitePositionsOnly) {
  auto points = random_points(1000, {-2, -3, -4}, {5, 6, 7});
  points[10] = {-9, 0, 0};
  points[500] = {0, 11, 0};
  points[999] = {0, 0, -12};
  points[3].x = std::numeric_limits<float>::quiet_NaN();
  points[4] = {1e9f, 1e9f, std::numeric_limits<float>::infinity()};
  Field4<D> field = field_of(points);
  Buffer<D, Bounds> scratch;
  for (const D& exec : executors()) {
    const Bounds b = find_bounds(exec, field.view(), Index(points.size()), scratch);
    EXPECT_EQ(b.min.x, -9);
    EXPECT_EQ(b.max.y, 11);
    EXPECT_EQ(b.min.z, -12);
    EXPECT_LE(b.max.x, 5);
  }
  const Bounds none = find_bounds(executor(), field.view(), 0, scratch);
  EXPECT_GT(none.min.x, none.max.x);
}

}  // namespace
}  // namespace panta::test
