// Bounding boxes of shapes.
#pragma once

#include "panta/geometry/shape.h"

namespace panta {

struct ShapeBounds {
  Vec3d min, max;

  // False for planes and complements, which are infinite.
  bool finite() const;
  bool empty() const { return !(min.x < max.x && min.y < max.y && min.z < max.z); }
};

// A box around a shape: the smallest one for a primitive; infinite if the shape is infinite.
ShapeBounds shape_bounds(const Shape& shape);

}  // namespace panta
