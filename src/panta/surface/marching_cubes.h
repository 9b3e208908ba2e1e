// The piece of an iso-surface inside one cell of a lattice.
//
// Corners of a cell are numbered by bits (1: x, 2: y, 4: z), edges by axis * 4 + which of the four
// along it, faces by axis * 2 + side. On each face, lines join the edges that the surface crosses;
// followed around the cell they close to polygons. A face's lines depend on its own four corners
// alone, so that the cells on both sides agree and the surface is closed. Where a face has two
// corners inside on one diagonal, the saddle of its bilinear interpolation says whether they are
// joined (Nielson and Hamann 1991).
//
// Polygons are cut into triangles without a new line between two edges of one face: the cell behind
// that face could draw the same line, and four triangles would meet there. Where there is no such
// way, a point in the polygon's middle is joined to all of its sides. So each edge of the mesh
// belongs to two triangles and each vertex to one fan: the mesh is a manifold whatever the values.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace panta {

constexpr int edge_axis(int edge) { return edge / 4; }

// The corner where an edge starts; it ends one step along its axis.
constexpr int edge_corner(int edge) {
  const int axis = edge / 4, low = edge & 1, high = edge >> 1 & 1;
  const int first = axis == 0 ? 2 : 1, second = axis == 2 ? 2 : 4;
  return low * first + high * second;
}

struct CellSurface {
  // Corners of triangles: edges, or cell_edges + k for the middle of polygon k.
  std::vector<std::array<std::uint8_t, 3>> triangles;
  std::vector<std::vector<std::uint8_t>> middles;  // the edges of the polygons that need a middle
};

inline constexpr int cell_edges = 12;

class MarchingCubes {
 public:
  static const MarchingCubes& table();

  // Bits of the faces whose lines the saddle decides, for the corners that are inside.
  std::uint8_t ambiguous_faces(unsigned inside) const { return ambiguous_[inside]; }

  // `joined`: bits of those of them whose inside corners are joined.
  const CellSurface& surface(unsigned inside, unsigned joined = 0) const {
    return surfaces_[index_[inside * 64 + joined]];
  }

 private:
  MarchingCubes();
  std::array<std::uint8_t, 256> ambiguous_{};
  std::array<std::uint16_t, 256 * 64> index_{};
  std::vector<CellSurface> surfaces_;
};

// Which of the ambiguous faces join their inside corners; `values` at the corners, less the iso
// value.
unsigned joined_faces(unsigned ambiguous, unsigned inside, const float* values);

}  // namespace panta
