// Bounding boxes of shapes.
#pragma once

#include "panta/geometry/shape.h"

namespace panta {

struct ShapeBounds {
  Vec3d min, max;

  // Planes and complements reach to infinity.
  bool finite() const;
  bool empty() const { return !(min.x < max.x && min.y < max.y && min.z < max.z); }
};

// A box around a shape, the smallest for a primitive; infinite where the shape is.
ShapeBounds shape_bounds(const Shape& shape);

}  // namespace panta
