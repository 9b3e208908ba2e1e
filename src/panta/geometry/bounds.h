// Bounding boxes of shapes.
#pragma once

#include "panta/geometry/shape.h"

namespace panta {

struct ShapeBounds {
  Vec3d min, max;
};

// The smallest box around a shape; Error(usage) for a plane, which has none.
ShapeBounds shape_bounds(const Shape& shape);

}  // namespace panta
