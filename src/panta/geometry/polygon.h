// Polygons in the plane z = 0 and the prisms over them.
//
// A polygon is the list of its corners in order, either way round; the last side leads back to the
// first corner. It is valid if it has an area and its sides meet only at the corners between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "panta/geometry/shape.h"

namespace panta {

struct PolygonFault {
  std::size_t corner = 0;  // the faulty corner, or the start of the faulty side
  std::string text;
};

// The first fault of a polygon of at least three corners, none if it is valid. Corners and sides
// count from 0.
std::optional<PolygonFault> polygon_fault(const std::vector<Vec3d>& corners);

// Negative if the corners are in clockwise order.
double polygon_area(const std::vector<Vec3d>& corners);

// Exact distance to a valid polygon, as to a prism that is endless along z.
Distance polygon_distance(const std::vector<Vec3d>& corners, const Vec3& x);

// The prism over a valid polygon from `low` to `high` along z, as a distance grid. With `flat` its
// ends are no surfaces: for scenes with two dimensions.
Shape prism(const std::vector<Vec3d>& corners, float low, float high, bool flat, float cell,
            float band);

// Ground below evenly spaced heights from x = `from` to `to`, down to y = `bottom`.
std::vector<Vec3d> height_profile(const std::vector<float>& heights, float from, float to,
                                  float bottom);

}  // namespace panta
