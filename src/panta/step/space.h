// The space of the particles: periodic axes, two or three dimensions.
#pragma once

#include "panta/core/vec.h"

namespace panta {

struct Space {
  Vec3 period, origin;  // m; period 0 where an axis is not periodic
  int dimensions = 3;

  PANTA_HD Vec3 wrapped(Vec3 x) const {
    for (int axis = 0; axis < 3; ++axis) {
      const float length = period[axis];
      if (length <= 0) continue;
      const float start = origin[axis];
      x[axis] -= floorf((x[axis] - start) / length) * length;
      if (x[axis] >= start + length) x[axis] = start;
    }
    return x;
  }
  // The image of x that is nearest to `to`.
  PANTA_HD Vec3 nearest(Vec3 x, const Vec3& to) const {
    for (int axis = 0; axis < 3; ++axis)
      if (const float length = period[axis]; length > 0)
        x[axis] -= floorf((x[axis] - to[axis]) / length + 0.5f) * length;
    return x;
  }
};

}  // namespace panta
