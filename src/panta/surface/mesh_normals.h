// Unit normals at the vertices of a surface mesh: triangles around a vertex weighted by their area,
// or by area divided by the squares of the two edges that meet there, which is exact if the vertex
// and its ring lie on a sphere (Max 1999, Weights for computing vertex normals from facet normals).
#pragma once

#include <span>
#include <vector>

#include "panta/geometry/mesh_topology.h"

namespace panta {

enum class NormalWeights {
  area,    // not affected by small triangles: for rough meshes
  sphere,  // Max's: for smooth ones
};

// If the sum is zero, and at vertices without triangles, the normal is (0, 1, 0).
std::vector<Vec3> vertex_normals(const std::vector<Vec3>& position,
                                 std::span<const Triangle> triangles, const VertexRings& rings,
                                 NormalWeights weights, int threads = 0);

}  // namespace panta
