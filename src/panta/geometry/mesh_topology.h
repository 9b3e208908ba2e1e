// Vertex adjacency of a surface mesh in flat arrays, and derived properties: whether the mesh is a
// closed manifold, its components, handles, volume and area.
//
// Around a vertex v of a closed manifold the triangles form one fan, and its neighbours one ring
// r0, r1, ... counterclockwise seen from outside; its triangles are (v, r0, r1), (v, r1, r2), ...
// and (v, rn, r0). Smoothing and normals need only the rings. Results do not depend on the number
// of threads (0: all cores).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "panta/geometry/surface_mesh.h"

namespace panta {

struct VertexRings {
  std::vector<std::uint32_t> first;      // start of a vertex's ring; one entry more at the end
  std::vector<std::uint32_t> neighbour;  // all rings one after the other
  // Vertices, ascending, whose triangles do not form a single closed fan (borders, pinches, folds).
  // Their ring contains only the next corner of each triangle, in no particular order.
  std::vector<std::uint32_t> irregular;

  std::size_t vertices() const { return first.size() - 1; }
  std::span<const std::uint32_t> of(std::size_t vertex) const {
    return {neighbour.data() + first[vertex], neighbour.data() + first[vertex + 1]};
  }
};

VertexRings vertex_rings(std::span<const Triangle> triangles, std::size_t vertices,
                         int threads = 0);

// Every edge has exactly two triangles, with opposite directions along it, and every vertex's
// triangles form one fan. Vertices without triangles are ignored.
bool is_closed_manifold(const SurfaceMesh& mesh, int threads = 0);

inline constexpr std::uint32_t no_component = std::numeric_limits<std::uint32_t>::max();

// The connected components of a mesh, numbered in the order of their first vertices.
struct MeshComponents {
  std::vector<std::uint32_t> of_vertex;  // no_component where no triangle uses it
  std::uint32_t count = 0;
};

MeshComponents mesh_components(std::span<const Triangle> triangles, std::size_t vertices);

// Used vertices minus edges plus triangles of a closed manifold; 2 for each component without
// handle.
std::int64_t euler_characteristic(const SurfaceMesh& mesh);

// The number of handles of all components of a closed manifold together: 1 for a torus.
std::int64_t genus(const SurfaceMesh& mesh);

double mesh_area(const SurfaceMesh& mesh, int threads = 0);

// As for a triangle mesh: negative if the mesh is inside out.
double mesh_volume(const SurfaceMesh& mesh, int threads = 0);

// Keeps the vertices selected by `keep`, with their attributes, and the triangles between them, in
// their order. Returns the former index of each kept vertex.
std::vector<std::uint32_t> keep_vertices(SurfaceMesh& mesh, const std::vector<bool>& keep);

}  // namespace panta
