// Triangle meshes on the host: measures, clean-up, and a report of defects that prevent a mesh from
// being the surface of a solid.
//
// Triangles run counterclockwise seen from outside, so that (b - a) x (c - a) points outwards.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "panta/core/vec.h"

namespace panta {

using Triangle = std::array<std::uint32_t, 3>;  // indices of its corners

struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  std::string source;  // where it comes from, for messages

  Vec3d corner(std::size_t triangle, std::size_t k) const {
    return to_double(vertices[triangles[triangle][k]]);
  }
};

struct MeshBounds {
  Vec3 min, max;
};

// The box around all vertices; Error(usage) for a mesh without any.
MeshBounds mesh_bounds(const TriangleMesh& mesh);
double mesh_area(const TriangleMesh& mesh);

// By the divergence theorem: a sixth of the sum of a . (b x c). Negative for a closed mesh that is
// inside out.
double mesh_volume(const TriangleMesh& mesh);

// Merges vertices at the same position and drops unused ones; keeps the order of the others.
void merge_vertices(TriangleMesh& mesh);

// Turns the mesh inside out.
void flip_triangles(TriangleMesh& mesh);

// The number of occurrences of a defect, and the place of the first.
struct MeshDefect {
  std::size_t count = 0;
  // The first such edge; of a triangle its first two corners.
  Vec3 from, to;
  std::uint32_t from_vertex = 0, to_vertex = 0;
};

struct MeshReport {
  MeshDefect open_edges;            // of one triangle only
  MeshDefect crowded_edges;         // of more than two triangles
  MeshDefect misoriented_edges;     // of two triangles with the same direction along them
  MeshDefect degenerate_triangles;  // without area

  bool closed() const { return open_edges.count == 0 && crowded_edges.count == 0; }
  bool has_no_defects() const {
    return closed() && misoriented_edges.count == 0 && degenerate_triangles.count == 0;
  }
};

MeshReport inspect_mesh(const TriangleMesh& mesh);

// The report in a sentence: "open: 12 edges belong to one triangle only, the first from (0, 0, 0)
// to (1, 0, 0)", or "closed and consistently oriented".
std::string describe(const MeshReport& report);

}  // namespace panta
