// Points on a solid's surface by which bodies feel each other: each is looked up in the distance
// function of the other body.
#pragma once

#include <vector>

#include "panta/geometry/shape.h"

namespace panta {

struct BodyPoint {
  Vec3 place, normal;  // in the frame of the shape; in corners and edges the mean of the sides
};

// At most so many, spread evenly; corners are taken first, and edges get more than sides. In two
// dimensions points of the outline in the plane z = 0.
std::vector<BodyPoint> body_points(const Shape& shape, bool flat = false, std::size_t most = 256);

}  // namespace panta
