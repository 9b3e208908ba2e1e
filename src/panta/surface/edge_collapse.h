// Collapsing edges of a closed manifold so that it stays one: what cleaning and decimation share.
//
// The ends u and v of an edge become one vertex, and the edge's two triangles vanish. The surface
// stays a closed manifold exactly if the link condition holds: the only vertices next to both ends
// are the two opposite to the edge, and these are not themselves an edge of a triangle at both ends
// (the tetrahedron). No other triangle may turn by more than about 60 degrees, so that nothing
// folds over.
//
// Every vertex has a list of its corners (3 * triangle + place in the triangle), linked through an
// array; a collapse appends one list to another.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "panta/geometry/surface_mesh.h"

namespace panta {

class EdgeCollapser {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t most_corners = 32;  // of a vertex after a collapse

  // The triangles at a vertex: corner c is (vertex, next, after).
  struct Fan {
    std::size_t size = 0;
    bool complete = true;  // all that there are
    std::array<std::uint32_t, most_corners> next, after;
  };

  // Changes the mesh in place, and drops its normals; it is whole again after compact().
  EdgeCollapser(SurfaceMesh& mesh, int threads);

  // The vertex that now stands for one of the original vertices.
  std::uint32_t standing_for(std::uint32_t vertex);

  Fan fan(std::uint32_t vertex) const;

  // Whether the vertices of these fans may be merged at `to`.
  bool may_collapse(std::uint32_t u, const Fan& fan_u, std::uint32_t v, const Fan& fan_v,
                    const Vec3& to) const;

  // Merges v into u at `to`; velocity and value there lie the share `along` of the way from u to v.
  void collapse(std::uint32_t u, std::uint32_t v, const Vec3& to, float along);

  // Drops the piece that a vertex belongs to if it has just four triangles.
  void drop_tetrahedron_at(std::uint32_t vertex);

  // Drops what has vanished; the rest keeps its order. Returns the former index of each vertex.
  std::vector<std::uint32_t> compact();

 private:
  bool is_gone(std::uint32_t corner) const { return mesh_.triangles[corner / 3][0] == none; }
  bool turns_too_far(const Vec3& from, const Vec3& to, const Fan& fan, std::uint32_t other_end,
                     const Vec3& overall) const;

  SurfaceMesh& mesh_;
  std::vector<std::uint32_t> first_corner_, next_corner_;
  std::vector<std::uint32_t> merged_into_;
};

}  // namespace panta
