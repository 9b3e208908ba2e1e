// Reduces the triangles of a closed surface: edges are collapsed in the order of their cost
// (Garland and Heckbert 1997, Surface simplification using quadric error metrics).
//
// A vertex stores the planes of the triangles that it represents as a quadric
//   Q(x) = sum_t A_t (n_t . (x - p_t))^2 = x.A x - 2 b.x + c,
// with the triangles' areas A_t as weights. Merging two vertices adds their quadrics; the new
// vertex is placed at the minimum of the sum or, if that is not unique, at the best point of the
// edge. Q divided by the sum of the areas is the mean square distance from the planes. A fraction
// of the squared edge length is added to the cost, so that flat regions get well-shaped triangles.
//
// The queue is lazy. A cost can only grow when an end is merged with other vertices, so the cost of
// an edge with an outdated cost is computed again when it is taken from the queue. Edges that may
// not be collapsed (surface/edge_collapse.h) are tried again when all others are done. All work is
// in a fixed order, on one thread.
#pragma once

#include <cstddef>

#include "panta/geometry/surface_mesh.h"

namespace panta {

struct DecimateOptions {
  std::size_t target_triangles = 0;  // stops at this number
  float max_deviation = 0;           // largest collapse, m, root mean square; 0: no limit
  int threads = 0;                   // for preparations; 0: all cores
};

// The mesh must be a closed manifold, and remains one. Velocity and value are interpolated along
// the collapsed edges, normals are dropped.
void decimate_mesh(SurfaceMesh& mesh, const DecimateOptions& options);

}  // namespace panta
