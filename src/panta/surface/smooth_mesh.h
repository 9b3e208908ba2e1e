// Smoothing of surface meshes that keeps creases where they are and volume where it is.
//
// A pass moves every vertex x_i towards the mean of its ring,
//   x_i += lambda m_i sum_j w_ij (x_j - x_i) / sum_j w_ij,
// with the caller's weight m_i and an edge weight w_ij that falls from 1 to 0 as the angle between
// the normals at its ends, taken before the first pass, grows from a quarter to half of the angle
// at which sides make a crease: a vertex on a crease slides along it only, and the sides do not
// pull.
//
// That alone shrinks. So the volume that each vertex has lost on its way is spread over the
// surface, with the same weights in as many passes, and given back along the normals n_i,
//   x_i += m_i n_i (volume spread to i) / (area spread to i).
// Noise cancels out before it is given back, the loss of a drop or a sheet does not. Bumps of which
// the passes leave the share f are 2 f - f^2 of their height after both. The idea of giving back is
// that of Vollmer, Mencl and Mueller (1999), who do it in every pass.
#pragma once

#include <span>
#include <vector>

#include "panta/geometry/mesh_topology.h"

namespace panta {

struct SmoothOptions {
  int passes = 5;
  float feature_angle = 60;  // degrees between two sides that make a crease; 0: nothing does
  int threads = 0;           // 0: all cores
};

// Normals are dropped. `weight`, of each vertex or empty for 1, is from 0 (stays where it
// is) to 1. Vertices on borders and where the mesh is no manifold stay where they are.
void smooth_mesh(SurfaceMesh& mesh, const SmoothOptions& options,
                 std::span<const float> weight = {});

// The same with rings that are known already.
void smooth_mesh(SurfaceMesh& mesh, const VertexRings& rings, const SmoothOptions& options,
                 std::span<const float> weight = {});

}  // namespace panta
