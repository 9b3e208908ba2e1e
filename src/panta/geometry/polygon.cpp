#include "panta/geometry/polygon.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panta/geometry/distance_grid.h"
#include "panta/geometry/shape_program.h"

namespace panta {

namespace {

constexpr double least_angle = 1e-9;  // of sides that are parallel, and of corners with an area

double cross_z(const Vec3d& a, const Vec3d& b) { return a.x * b.y - a.y * b.x; }

struct Side {
  Vec3d from, to;

  Vec3d along() const { return to - from; }
  Vec3d nearest(const Vec3d& x) const {
    const Vec3d d = along();
    return from + d * std::clamp(dot(x - from, d) / dot(d, d), 0.0, 1.0);
  }
};

Side side(const std::vector<Vec3d>& corners, std::size_t k) {
  return {corners[k], corners[(k + 1) % corners.size()]};
}

double distance_between(const Side& a, const Side& b) {
  return std::min({length(a.nearest(b.from) - b.from), length(a.nearest(b.to) - b.to),
                   length(b.nearest(a.from) - a.from), length(b.nearest(a.to) - a.to)});
}

// Whether two sides that have no corner in common cross or touch.
bool meet(const Side& a, const Side& b, double touching) {
  const auto parted = [](const Side& s, const Side& other) {
    return cross_z(s.along(), other.from - s.from) * cross_z(s.along(), other.to - s.from) > 0;
  };
  return (!parted(a, b) && !parted(b, a) && std::abs(cross_z(a.along(), b.along())) > 0) ||
         distance_between(a, b) <= touching;
}

// Whether the side after `a` leads back along it.
bool folds_back(const Side& a, const Side& next) {
  const Vec3d u = a.along(), v = next.along();
  return dot(u, v) < 0 && std::abs(cross_z(u, v)) <= least_angle * length(u) * length(v);
}

struct Rectangle {
  Vec3d min, max;

  explicit Rectangle(const std::vector<Vec3d>& corners) : min(corners[0]), max(corners[0]) {
    for (const Vec3d& c : corners)
      for (int axis = 0; axis < 2; ++axis) {
        min[axis] = std::min(min[axis], c[axis]);
        max[axis] = std::max(max[axis], c[axis]);
      }
  }
};

}  // namespace

double polygon_area(const std::vector<Vec3d>& corners) {
  double area = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Side s = side(corners, k);
    area += 0.5 * cross_z(s.from - corners[0], s.to - corners[0]);
  }
  return area;
}

std::optional<PolygonFault> polygon_fault(const std::vector<Vec3d>& corners) {
  const std::size_t n = corners.size();
  const Rectangle box(corners);
  const double size = length(box.max - box.min), touching = 1e-9 * size;
  for (std::size_t k = 0; k < n; ++k)
    if (length(side(corners, k).along()) <= touching)
      return PolygonFault{(k + 1) % n, "is the same point as the corner before it"};
  for (std::size_t k = 0; k < n; ++k)
    if (folds_back(side(corners, k), side(corners, (k + 1) % n)))
      return PolygonFault{(k + 1) % n, "is a tip without area: the next side leads back"};
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 2; b < n; ++b) {
      if (a == 0 && b + 1 == n) continue;
      if (meet(side(corners, a), side(corners, b), touching))
        return PolygonFault{
            b, fmt::format("starts a side that meets the side from corner {} to {}", a, a + 1)};
    }
  if (std::abs(polygon_area(corners)) <= least_angle * size * size)
    return PolygonFault{0, "belongs to a polygon without area"};
  return std::nullopt;
}

Distance polygon_distance(const std::vector<Vec3d>& corners, const Vec3& x) {
  const Vec3d at{x.x, x.y, 0};
  double least = 1e300;
  Vec3d nearest, along;
  bool inside = false;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Side s = side(corners, k);
    const Vec3d foot = s.nearest(at), away = at - foot;
    if (dot(away, away) < least) least = dot(away, away), nearest = foot, along = s.along();
    const bool crosses = (s.from.y > at.y) != (s.to.y > at.y);
    if (crosses && cross_z(s.along(), at - s.from) * s.along().y > 0) inside = !inside;
  }
  const double value = (inside ? -1 : 1) * std::sqrt(least);
  const double turn = polygon_area(corners) < 0 ? -1 : 1;
  const Vec3d of_side = Vec3d{along.y, -along.x, 0} * (turn / length(along));
  const Vec3d normal = value != 0 ? (at - nearest) * (1 / value) : of_side;
  return {static_cast<float>(value), to_float(normal)};
}

Shape prism(const std::vector<Vec3d>& corners, float low, float high, bool flat, float cell,
            float band) {
  const Rectangle box(corners);
  const auto distance = [&](const Vec3& x) {
    const Distance d = polygon_distance(corners, x);
    if (flat) return d;
    const float middle = 0.5f * (low + high), half = 0.5f * (high - low);
    return intersection(d, detail::slab(x.z - middle, half, {0, 0, 1}));
  };
  Vec3 solid_min = to_float(box.min), solid_max = to_float(box.max);
  solid_min.z = low, solid_max.z = high;
  return Shape::grid(
      std::make_shared<const DistanceGrid>(distance, solid_min, solid_max, cell, band));
}

std::vector<Vec3d> height_profile(const std::vector<float>& heights, float from, float to,
                                  float bottom) {
  std::vector<Vec3d> corners{{from, bottom, 0}, {to, bottom, 0}};
  const double step = (double{to} - from) / static_cast<double>(heights.size() - 1);
  for (std::size_t k = heights.size(); k-- > 0;)
    corners.push_back({from + step * static_cast<double>(k), heights[k], 0});
  return corners;
}

}  // namespace panta
