// Points sorted by cell, to find those near a given one.
#pragma once

#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "panta/core/vec.h"

namespace panta {

class PointGrid {
 public:
  PointGrid(double cell, int dimensions) : cell_(cell), layers_(dimensions == 2 ? 0 : 1) {}

  void add(const Vec3& x, std::uint32_t number = 0) {
    points_.emplace(key(x, 0, 0, 0), Point{x, number});
  }

  // The radius must not exceed a cell.
  bool has_point_within(const Vec3& x, double radius) const {
    return any_within(x, radius, [](std::uint32_t) { return true; });
  }

  // Whether `is_it` returns true for a point nearer than the radius; called with the points'
  // numbers, in no particular order and possibly twice for one point, until it returns true.
  template <class IsIt>
  bool any_within(const Vec3& x, double radius, const IsIt& is_it) const {
    for (int dz = -layers_; dz <= layers_; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const auto [begin, end] = points_.equal_range(key(x, dx, dy, dz));
          for (auto it = begin; it != end; ++it)
            if (length(to_double(it->second.x) - to_double(x)) < radius && is_it(it->second.number))
              return true;
        }
    return false;
  }

  // visit(number) for each point nearer than the radius, in no order, possibly twice for one point.
  template <class Visit>
  void each_within(const Vec3& x, double radius, const Visit& visit) const {
    any_within(x, radius, [&](std::uint32_t number) {
      visit(number);
      return false;
    });
  }

 private:
  struct Point {
    Vec3 x;
    std::uint32_t number;
  };

  // 21 bits of each coordinate: distant cells may share a key, which costs only extra comparisons.
  std::uint64_t key(const Vec3& x, int dx, int dy, int dz) const {
    const auto part = [&](float coordinate, int step) {
      return static_cast<std::uint64_t>(std::llround(std::floor(coordinate / cell_)) + step) &
             0x1FFFFF;
    };
    return part(x.x, dx) | part(x.y, dy) << 21 | part(x.z, dz) << 42;
  }

  double cell_;
  int layers_;
  std::unordered_multimap<std::uint64_t, Point> points_;
};

}  // namespace panta
