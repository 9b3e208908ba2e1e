// The convex hull of points: quickhull (Barber, Dobkin and Huhdanpaa 1996) in three dimensions.
//
// Starting from a tetrahedron, a face that has points beyond it takes the farthest of them: the
// faces seen from that point are replaced by a cone of faces from the rim of what it sees. Points
// within rounding of a face count as inside, so that flat sides are not split by noise.
#pragma once

#include <vector>

#include "panta/geometry/triangle_mesh.h"

namespace panta {

// Closed, counterclockwise from outside; its vertices are points of the input, in their order.
// Error(usage) for fewer than four points or points that lie in a plane.
TriangleMesh convex_hull(const std::vector<Vec3>& points);

}  // namespace panta
