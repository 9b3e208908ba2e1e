// Who is next to whom in a surface mesh, in flat arrays, and what follows from it: whether the mesh
// is a closed manifold, its pieces, handles, volume and area.
//
// Around a vertex v of a closed manifold the triangles form one fan, and its neighbours one ring
// r0, r1, ... that runs counterclockwise seen from outside; its triangles are (v, r0, r1),
// (v, r1, r2), ... and (v, rn, r0). A ring is therefore all that smoothing and normals need.
// Results do not depend on the number of threads (0: all cores).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "panta/geometry/surface_mesh.h"

namespace panta {

struct VertexRings {
  std::vector<std::uint32_t> first;      // where a vertex's ring begins; one entry more at the end
  std::vector<std::uint32_t> neighbour;  // all rings one after the other
  // Vertices, ascending, whose triangles are no single closed fan (borders, pinches, folds): of
  // them only the corners that follow in each triangle are known, in no particular order.
  std::vector<std::uint32_t> irregular;

  std::size_t vertices() const { return first.size() - 1; }
  std::span<const std::uint32_t> of(std::size_t vertex) const {
    return {neighbour.data() + first[vertex], neighbour.data() + first[vertex + 1]};
  }
};

VertexRings vertex_rings(std::span<const Triangle> triangles, std::size_t vertices,
                         int threads = 0);

// Every edge has exactly two triangles that run along it in opposite directions, and every vertex's
// triangles form one fan. Vertices without triangles do not matter.
bool is_closed_manifold(const SurfaceMesh& mesh, int threads = 0);

inline constexpr std::uint32_t no_component = std::numeric_limits<std::uint32_t>::max();

// The pieces a mesh consists of, numbered in the order of their first vertices.
struct MeshComponents {
  std::vector<std::uint32_t> of_vertex;  // no_component where no triangle uses it
  std::uint32_t count = 0;
};

MeshComponents mesh_components(std::span<const Triangle> triangles, std::size_t vertices);

// Vertices in use minus edges plus triangles of a closed manifold; 2 for each piece without handle.
std::int64_t euler_characteristic(const SurfaceMesh& mesh);

// The number of handles of all pieces of a closed manifold together: 1 for a torus.
std::int64_t genus(const SurfaceMesh& mesh);

double mesh_area(const SurfaceMesh& mesh, int threads = 0);

// As of the triangle mesh: negative where the mesh is inside out.
double mesh_volume(const SurfaceMesh& mesh, int threads = 0);

// Keeps the vertices that `keep` says, with what is known at them, and the triangles between them,
// in their order. Returns the former index of each vertex kept.
std::vector<std::uint32_t> keep_vertices(SurfaceMesh& mesh, const std::vector<bool>& keep);

}  // namespace panta
