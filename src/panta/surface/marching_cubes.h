// The piece of an iso-surface inside one cell of a lattice.
//
// Corners of a cell are numbered by bits (1: x, 2: y, 4: z), edges by axis * 4 + index of the four
// along it, faces by axis * 2 + side. On each face, lines join the edges that the surface crosses;
// around the cell they form closed polygons. A face's lines depend only on its own four corners, so
// that the cells on both sides agree and the surface is closed. If a face has two corners inside on
// one diagonal, the saddle of its bilinear interpolation decides whether they are joined (Nielson
// and Hamann 1991).
//
// Polygons are cut into triangles without a new line between two edges of one face: the cell behind
// that face could have the same line, and four triangles would meet there. If this is impossible, a
// point in the polygon's middle is joined to all of its sides. So each edge of the mesh belongs to
// two triangles and each vertex to one fan: the mesh is a manifold for all values.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "panta/core/scalar_math.h"

namespace panta {

constexpr int edge_axis(int edge) { return edge / 4; }

// The start corner of an edge; the edge ends one step along its axis.
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

  // Bits of the faces that the saddle decides, for these inside corners.
  std::uint8_t ambiguous_faces(unsigned inside) const { return ambiguous_[inside]; }

  // `joined`: bits of those of these faces whose inside corners are joined.
  const CellSurface& surface(unsigned inside, unsigned joined = 0) const {
    return surfaces_[index_[inside * 64 + joined]];
  }

 private:
  MarchingCubes();
  std::array<std::uint8_t, 256> ambiguous_{};
  std::array<std::uint16_t, 256 * 64> index_{};
  std::vector<CellSurface> surfaces_;
};

// The table as plain arrays, for devices.
struct CellCase {
  std::uint16_t triangle, middle;   // index of the first ones
  std::uint8_t triangles, middles;  // their numbers
};
struct CellPolygon {
  std::uint8_t edges;
  std::uint8_t edge[cell_edges];
};
struct CellTables {
  std::vector<std::uint8_t> ambiguous;  // faces, by the corners inside
  std::vector<std::uint16_t> index;     // of the case, by corners inside * 64 + joined faces
  std::vector<CellCase> cases;
  std::vector<std::array<std::uint8_t, 3>> triangles;
  std::vector<CellPolygon> middles;
};
CellTables plain_tables();

// The corners of a face, counterclockwise seen from outside the cell.
constexpr std::array<int, 4> face_corners(int face) {
  const int axis = face / 2, side = face % 2;
  const int a = 1 << (axis + 1) % 3, b = 1 << (axis + 2) % 3, base = side << axis;
  if (side == 1) return {base, base + a, base + a + b, base + b};
  return {base, base + b, base + a + b, base + a};
}

// The ambiguous faces that join their inside corners; `values` at the corners, minus the iso value.
PANTA_HD unsigned joined_faces(unsigned ambiguous, unsigned inside, const float* values) {
  unsigned joined = 0;
  for (int face = 0; face < 6; ++face) {
    if ((ambiguous >> face & 1) == 0) continue;
    const std::array<int, 4> corner = face_corners(face);
    const float even = values[corner[0]] * values[corner[2]];
    const float odd = values[corner[1]] * values[corner[3]];
    const bool even_inside = (inside >> corner[0] & 1) != 0;
    if (even_inside ? even > odd : odd > even) joined |= 1u << face;
  }
  return joined;
}

// Position of the surface on an edge, as a fraction of its length; `from` and `to` are the values
// at its ends, minus the iso value. A vertex is never exactly on a lattice point, where triangles
// would have no area.
PANTA_HD float crossing(float from, float to) {
  constexpr float nearest = 0.005f;  // least distance from an end
  return clamp(from / (from - to), nearest, 1 - nearest);
}

}  // namespace panta
