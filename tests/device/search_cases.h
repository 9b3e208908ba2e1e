// The point sets for tests of neighbour searches.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "search_support.h"

namespace panta::test {

inline GridOptions options(float radius, const Vec3& period = {}, int dimensions = 3) {
  GridOptions o;
  o.radius = radius;
  o.period = period;
  o.dimensions = dimensions;
  return o;
}

inline std::vector<Vec3> clustered_points(std::size_t clusters, std::size_t each, float width) {
  Random random(11);
  std::vector<Vec3> points;
  for (std::size_t c = 0; c < clusters; ++c) {
    const Vec3 center = random.in_box({-1, -1, -1}, {1, 1, 1});
    for (std::size_t k = 0; k < each; ++k)
      points.push_back(center + random.in_box({-1, -1, -1}, {1, 1, 1}) * width);
  }
  return points;
}

inline std::vector<Vec3> lattice(int nx, int ny, int nz, float spacing, const Vec3& origin = {}) {
  std::vector<Vec3> points;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        points.push_back(origin +
                         Vec3{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)} *
                             spacing);
  return points;
}

// Groups one radius apart along an axis, each with the few floats nearest to a cell face: however
// cell coordinates are rounded, some of these pairs are within the radius by one bit.
inline std::vector<Vec3> points_at_faces(int axis, float radius, float offset, int faces) {
  std::vector<Vec3> points;
  for (int face = 0; face < faces; ++face) {
    float x = offset + static_cast<float>(face) * radius;
    for (int step = 0; step < 4; ++step) x = std::nextafter(x, -1e9f);
    for (int step = 0; step < 9; ++step) {
      Vec3 p = {offset, offset, offset};
      p[axis] = x;
      points.push_back(p);
      x = std::nextafter(x, 1e9f);
    }
  }
  return points;
}

// 1 km apart; every third point has a near and a far companion.
inline std::vector<Vec3> sparse_points() {
  std::vector<Vec3> points = lattice(6, 6, 6, 1000, {-2000, -3000, -1000});
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; i += 3) {
    points.push_back(points[i] + Vec3{0.03f, 0.02f, -0.04f});
    points.push_back(points[i] + Vec3{0.09f, 0.09f, 0.09f});
  }
  return points;
}

inline std::vector<Vec3> with_outliers(std::vector<Vec3> points) {
  for (const Vec3& p : std::vector<Vec3>{{9, 0.5f, 0.5f},
                                         {9.05f, 0.5f, 0.5f},
                                         {-7, -7, -7},
                                         {-7, -7.05f, -7},
                                         {0.5f, 40, 0.5f},
                                         {0.5f, 40, 0.55f},
                                         {1e6f, 1e6f, -1e6f},
                                         {1e20f, 0, 0}})
    points.push_back(p);
  return points;
}

inline std::vector<Vec3> shifted(std::vector<Vec3> points, const Vec3& by) {
  for (Vec3& p : points) p += by;
  return points;
}

inline std::vector<Vec3> flat(std::vector<Vec3> points) {
  for (Vec3& p : points) p.z = 0;
  return points;
}

inline std::vector<SearchCase> open_cases() {
  const auto uniform = random_points(2000, {}, {1, 1, 1});
  const auto clustered = clustered_points(20, 80, 0.05f);
  const Bounds small_box = {{0.3f, 0.3f, 0.3f}, {0.7f, 0.7f, 0.7f}};
  std::vector<SearchCase> cases = {
      {"Uniform", uniform, options(0.12f), 0, {}, false},
      {"SmallerRadiusThanTheGrids", uniform, options(0.2f), 0.11f},
      {"Clustered", clustered, options(0.06f)},
      {"AllInOneCell", random_points(500, {}, {0.01f, 0.01f, 0.01f}), options(1)},
      {"AllAtOnePoint", std::vector<Vec3>(300, Vec3{0.3f, 0.1f, -0.2f}), options(0.1f)},
      {"OneKilometreApart", sparse_points(), options(0.1f), 0, {}, true},
      {"LatticeWithExactTies", lattice(12, 12, 12, 0.125f), options(0.25f)},
      {"LatticeWithRoundedTies", lattice(13, 11, 12, 0.1f, {-0.4f, 0.3f, 0}), options(0.2f)},
      {"NegativeCoordinates", shifted(uniform, {-3.1f, -2.7f, -5.3f}), options(0.1f)},
      {"FarFromTheOrigin", shifted(uniform, {1000, -1000, 1000}), options(0.1f)},
      {"OutliersAroundASmallBox", with_outliers(uniform), options(0.1f), 0, small_box, false},
      {"OutliersFitted", with_outliers(uniform), options(0.1f), 0, {}, true},
      {"Planar", flat(uniform), options(0.08f, {}, 2)},
      {"PlanarLattice", lattice(40, 40, 1, 0.1f), options(0.3f, {}, 2)},
  };
  for (const std::size_t n : {0u, 1u, 2u, 17u})
    cases.push_back(
        {"Only" + std::to_string(n), random_points(n, {}, {0.2f, 0.2f, 0.2f}), options(0.15f)});
  for (int axis = 0; axis < 3; ++axis)
    for (const float offset : {0.0f, 7.3f, 150.0f}) {
      std::string where = {"XYZ"[axis]};
      where += std::to_string(static_cast<int>(offset));
      cases.push_back(
          {"CellFacesFrom" + where, points_at_faces(axis, 0.1f, offset, 100), options(0.1f)});
      cases.push_back({"OddCellFacesFrom" + where, points_at_faces(axis, 0.0837f, offset, 100),
                       options(0.0837f)});
    }
  return cases;
}

inline std::vector<SearchCase> periodic_cases() {
  const auto in_unit = random_points(900, {}, {1, 1, 1}, 2);
  const auto in_half = random_points(200, {}, {0.5f, 0.5f, 0.5f}, 3);
  std::vector<SearchCase> cases = {
      {"PeriodicX", in_unit, options(0.15f, {1, 0, 0})},
      {"PeriodicY", in_unit, options(0.15f, {0, 1, 0})},
      {"PeriodicZ", in_unit, options(0.15f, {0, 0, 1})},
      {"PeriodicEverywhere", in_unit, options(0.15f, {1, 1, 1})},
      {"PeriodOfTwoRadii", in_half, options(0.25f, {0.5f, 0.5f, 0.5f})},
      {"PeriodOfTwoRadiiAlongX", in_half, options(0.25f, {0.5f, 0, 0})},
      {"PeriodOfThreeRadii", in_half, options(0.5f / 3, {0.5f, 0.5f, 0.5f})},
      {"PeriodicLattice", lattice(8, 8, 8, 0.125f), options(0.25f, {1, 1, 1})},
      {"PlanarPeriodicX", flat(in_unit), options(0.1f, {1, 0, 0}, 2)},
      {"PlanarPeriodicBoth", flat(in_unit), options(0.1f, {1, 1, 0}, 2)},
  };
  SearchCase moved = {"PeriodicAwayFromTheOrigin", shifted(in_unit, {-40.5f, 3, 12}),
                      options(0.15f, {1, 1, 1})};
  moved.grid.period_origin = {-40.5f, 3, 12};
  cases.push_back(moved);
  return cases;
}

// The same sets with rows of half a radius, and again in the hashed form.
inline std::vector<SearchCase> in_every_form(const std::vector<SearchCase>& cases) {
  std::vector<SearchCase> all = cases;
  for (SearchCase c : cases) {
    c.name += "InNarrowRows";
    c.grid.spacing = c.grid.radius / 3.2f;
    all.push_back(c);
  }
  const std::vector<SearchCase> plain = all;
  for (SearchCase c : plain) {
    c.name += "Hashed";
    c.grid.always_hashed = true;
    c.hashed = true;
    all.push_back(c);
  }
  return all;
}

inline std::string case_name(const testing::TestParamInfo<SearchCase>& info) {
  return info.param.name;
}

}  // namespace panta::test
