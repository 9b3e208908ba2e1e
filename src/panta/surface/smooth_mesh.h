// Smoothing of surface meshes that preserves creases and volume.
//
// A pass moves every vertex x_i towards the mean of its ring,
//   x_i += lambda m_i sum_j w_ij (x_j - x_i) / sum_j w_ij,
// with the caller's weight m_i and an edge weight w_ij that falls from 1 to 0 as the angle between
// the normals at its ends, taken before the first pass, grows from a quarter to half of the crease
// angle: a vertex on a crease moves only along the crease, and the sides do not pull it.
//
// These passes alone shrink the mesh. So the volume that each vertex has lost is distributed over
// the surface, with the same weights in as many passes, and restored along the normals n_i,
//   x_i += m_i n_i (volume spread to i) / (area spread to i).
// Noise cancels out before it is restored; the loss of a drop or a sheet does not. Bumps that the
// passes reduce to the fraction f of their height have 2 f - f^2 after both steps. Restoring the
// volume follows Vollmer, Mencl and Mueller (1999), who do it in every pass.
#pragma once

#include <span>
#include <vector>

#include "panta/geometry/mesh_topology.h"

namespace panta {

struct SmoothOptions {
  int passes = 5;
  float feature_angle = 60;  // degrees between two sides of a crease; 0: no creases
  int threads = 0;           // 0: all cores
};

// Normals are dropped. `weight`, of each vertex or empty for 1, is from 0 (does not move) to 1.
// Vertices on borders and where the mesh is not a manifold do not move.
void smooth_mesh(SurfaceMesh& mesh, const SmoothOptions& options,
                 std::span<const float> weight = {});

// The same with precomputed rings.
void smooth_mesh(SurfaceMesh& mesh, const VertexRings& rings, const SmoothOptions& options,
                 std::span<const float> weight = {});

}  // namespace panta
