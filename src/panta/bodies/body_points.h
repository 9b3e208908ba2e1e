// Points on a solid's surface for contacts between bodies: the distance function of the other body
// is evaluated at each of them.
#pragma once

#include <vector>

#include "panta/geometry/shape.h"

namespace panta {

struct BodyPoint {
  Vec3 place,
      normal;  // in the frame of the shape; at corners and edges the mean of the adjacent sides
};

// At most `most` points, spread evenly; corners are chosen first, and edges get more points than
// sides. In two dimensions the points lie on the outline in the plane z = 0.
std::vector<BodyPoint> body_points(const Shape& shape, bool flat = false, std::size_t most = 256);

}  // namespace panta
