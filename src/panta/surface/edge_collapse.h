// Edge collapse that keeps a mesh a closed manifold; used by cleaning and decimation.
//
// The ends u and v of an edge become one vertex, and the edge's two triangles are removed. The
// surface remains a closed manifold exactly if the link condition holds: the only vertices adjacent
// to both ends are the two opposite to the edge, and these two do not form an edge of triangles at
// both ends (a tetrahedron). No other triangle may rotate by more than about 60 degrees, which
// avoids folds.
//
// Every vertex has a linked list of its corners (3 * triangle + position in the triangle), stored
// in an array; a collapse appends one list to another.
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
    bool complete = true;  // false: there are more triangles
    std::array<std::uint32_t, most_corners> next, after;
  };

  // Changes the mesh in place, and drops its normals; the mesh is valid again after compact().
  EdgeCollapser(SurfaceMesh& mesh, int threads);

  // The vertex that now represents one of the original vertices.
  std::uint32_t representative(std::uint32_t vertex);

  Fan fan(std::uint32_t vertex) const;

  // Whether the vertices of these fans may be merged at `to`.
  bool may_collapse(std::uint32_t u, const Fan& fan_u, std::uint32_t v, const Fan& fan_v,
                    const Vec3& to) const;

  // Merges v into u at `to`; velocity and value are interpolated at the fraction `along` from u to
  // v.
  void collapse(std::uint32_t u, std::uint32_t v, const Vec3& to, float along);

  // Removes the piece that a vertex belongs to if it has exactly four triangles.
  void drop_tetrahedron_at(std::uint32_t vertex);

  // Removes deleted elements; the others keep their order. Returns the former index of each vertex.
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
