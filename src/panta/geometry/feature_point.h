// The point of a solid's surface that stands for a small piece of it: the corner or a point of the
// edge where the piece has one, else a point in its middle.
//
// The piece is known by points p_i on it with normals n_i. The planes through them are met best by
// the x that minimises sum (n_i . (x - p_i))^2, the quadric error of Ju et al. (2002, Dual
// contouring of Hermite data): in a corner three directions are determined, on an edge two, on a
// smooth piece one. Directions that the normals do not determine are left as they are in the mean
// of the points. To tell an edge from a bend, and to find it exactly where its sides are curved,
// the points are drawn closer to x, put back on the surface, and x is found again: the normals of a
// bend approach each other, those of an edge do not.
#pragma once

#include <span>

#include "panta/geometry/distance.h"

namespace panta {

struct SurfacePoint {
  Vec3 position, normal;
};

// Follows the distance to the surface, as far as `accuracy` (m).
SurfacePoint project_onto_surface(const DistanceFunction& distance, Vec3 x, float accuracy);

// Where the surface crosses the way from `inside` to `outside`, at the distances given.
SurfacePoint find_crossing(const DistanceFunction& distance, Vec3 inside, float inside_distance,
                           Vec3 outside, float outside_distance, float accuracy);

// For the piece of surface with these points in the cube around `centre`; a corner or edge that
// lies well outside the cube is left to another.
Vec3 feature_point(const DistanceFunction& distance, std::span<const SurfacePoint> points,
                   const Vec3& centre, float cube);

}  // namespace panta
