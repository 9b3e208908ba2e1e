// A box along the axes; empty (min > max) unless set.
#pragma once

#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"

namespace panta {

struct Bounds {
  Vec3 min = {1e30f, 1e30f, 1e30f}, max = {-1e30f, -1e30f, -1e30f};

  PANTA_HD bool empty() const { return min.x > max.x; }
  PANTA_HD void include(const Vec3& p) {
    for (int k = 0; k < 3; ++k) {
      min[k] = minimum(min[k], p[k]);
      max[k] = maximum(max[k], p[k]);
    }
  }
  PANTA_HD void include(const Bounds& other) {
    for (int k = 0; k < 3; ++k) {
      min[k] = minimum(min[k], other.min[k]);
      max[k] = maximum(max[k], other.max[k]);
    }
  }
  PANTA_HD Vec3 center() const { return (min + max) * 0.5f; }
  PANTA_HD float diagonal() const { return empty() ? 0.0f : length(max - min); }
  PANTA_HD Vec3 corner(int k) const {
    return {k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z};
  }
};

PANTA_HD Bounds combine(Bounds a, const Bounds& b) {
  a.include(b);
  return a;
}

}  // namespace panta
