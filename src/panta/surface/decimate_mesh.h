// Fewer triangles for nearly the same closed surface: edges are collapsed where that costs least
// (Garland and Heckbert 1997, Surface simplification using quadric error metrics).
//
// A vertex remembers the planes of the triangles it stands for as a quadric
//   Q(x) = sum_t A_t (n_t . (x - p_t))^2 = x.A x - 2 b.x + c,
// with the triangles' areas A_t as weights. Merging two vertices adds their quadrics; the new
// vertex goes where the sum is least, or, where that is no single point, to the best place on the
// edge. Q over the sum of the areas is the mean square distance from the planes. A share of the
// squared edge length is added to the cost, so that flat regions get well-shaped triangles.
//
// The queue is lazy. A cost can only grow when an end is merged with others, so an edge whose cost
// is out of date is costed again when its turn comes. Edges that may not be collapsed
// (surface/edge_collapse.h) get another chance when all others are done. Everything is in a fixed
// order, on one thread.
#pragma once

#include <cstddef>

#include "panta/geometry/surface_mesh.h"

namespace panta {

struct DecimateOptions {
  std::size_t target_triangles = 0;  // stop when there are so few
  float max_deviation = 0;           // and do no collapse that would move the surface farther (m,
                                     // root mean square over what a vertex stands for); 0: any
  int threads = 0;                   // for preparations; 0: all cores
};

// The mesh must be a closed manifold, and stays one. Velocity and value are interpolated along the
// collapsed edges, normals are dropped.
void decimate_mesh(SurfaceMesh& mesh, const DecimateOptions& options);

}  // namespace panta
