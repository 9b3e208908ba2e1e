// The mesh vertex for a small piece of a solid's surface: at the corner or on the edge if the piece
// has one, else in its middle.
//
// The piece is given by points p_i on it with normals n_i. The x that fits their planes best
// minimises sum (n_i . (x - p_i))^2, the quadric error of Ju et al. (2002, Dual contouring of
// Hermite data): at a corner three directions are determined, on an edge two, on a smooth piece
// one. In the directions that the normals do not determine, x is the mean of the points. To
// distinguish an edge from a bend, and to find it exactly if its sides are curved, the points are
// moved closer to x and projected onto the surface, and x is computed again: the normals of a bend
// approach each other, those of an edge do not.
#pragma once

#include <span>

#include "panta/geometry/distance_function.h"

namespace panta {

struct SurfacePoint {
  Vec3 position, normal;
};

// Projects x onto the surface, to the accuracy `accuracy` (m).
SurfacePoint project_onto_surface(const DistanceFunction& distance, Vec3 x, float accuracy);

// The point at which the surface crosses the line from `inside` to `outside`; `distances` of both.
SurfacePoint find_crossing(const DistanceFunction& distance, Vec3 inside, float inside_distance,
                           Vec3 outside, float outside_distance, float accuracy);

// The points are of the piece of surface in the cube around `centre`. A corner or edge that lies
// well outside the cube is ignored; another cube has it.
Vec3 feature_point(const DistanceFunction& distance, std::span<const SurfacePoint> points,
                   const Vec3& centre, float cube);

}  // namespace panta
