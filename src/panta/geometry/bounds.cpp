#include "panta/geometry/bounds.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error.h"

namespace panta {

ShapeBounds shape_bounds(const Shape& shape) {
  const Vec3d a = to_double(shape.a), b = to_double(shape.b);
  const double r = shape.radius;
  switch (shape.type) {
    case ShapeType::box:
      return {a, b};
    case ShapeType::sphere:
      return {a - Vec3d{r, r, r}, a + Vec3d{r, r, r}};
    case ShapeType::plane:
      break;
    case ShapeType::cylinder: {
      const Vec3d along = b - a;
      const double height2 = dot(along, along);
      ShapeBounds bounds;
      for (int axis = 0; axis < 3; ++axis) {
        // How far a disc normal to the cylinder's axis reaches along a coordinate axis.
        const double reach = r * std::sqrt(std::max(0.0, 1 - along[axis] * along[axis] / height2));
        bounds.min[axis] = std::min(a[axis], b[axis]) - reach;
        bounds.max[axis] = std::max(a[axis], b[axis]) + reach;
      }
      return bounds;
    }
  }
  throw Error(ErrorKind::usage, "a plane has no bounds and cannot be filled with fluid");
}

}  // namespace panta
