// The convex hull of points: quickhull (Barber, Dobkin and Huhdanpaa 1996) in three dimensions.
//
// The hull starts as a tetrahedron. A face with points above it takes the farthest of them: the
// faces visible from that point are replaced by a cone of faces over the rim of the visible region.
// Points closer to a face than the rounding error count as inside, so that noise does not split
// flat sides.
#pragma once

#include <vector>

#include "panta/geometry/triangle_mesh.h"

namespace panta {

// Closed, counterclockwise seen from outside; its vertices are points of the input, in their order.
// Error(usage) for fewer than four points or points that lie in a plane.
TriangleMesh convex_hull(const std::vector<Vec3>& points);

}  // namespace panta
