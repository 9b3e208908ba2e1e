// Topology of a surface in a cube of a lattice, from the signs at the cube's corners.
//
// Corners are numbered by bits, bit a for axis a. Edge 4 a + u + 2 v runs along axis a; u and v (0
// or 1) are its positions along the next axis and the one after it. Face 2 a + s is normal to axis
// a, at position s along it. The surface crosses the edges between corners inside and outside. On a
// face it joins two crossings or, if inside and outside corners alternate, four: either around the
// two inside corners or around the two outside ones. Joined crossings form loops, one for each
// piece of surface in the cube.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace panta {

struct CubeEdge {
  int axis;
  std::array<int, 2> corner;  // its ends
};

constexpr CubeEdge cube_edge(int edge) {
  const int axis = edge / 4;
  const int low = (edge & 1) << (axis + 1) % 3 | (edge >> 1 & 1) << (axis + 2) % 3;
  return {axis, {low, low | 1 << axis}};
}

// The corners of a face in circular order, and its edges, the first between the first two corners.
struct CubeFace {
  std::array<int, 4> corner, edge;
};

constexpr CubeFace cube_face(int face) {
  const int a = face / 2, b = (a + 1) % 3, c = (a + 2) % 3, side = face % 2;
  const int base = side << a;
  return {{base, base | 1 << b, base | 1 << b | 1 << c, base | 1 << c},
          {4 * b + 2 * side, 4 * c + side + 2, 4 * b + 1 + 2 * side, 4 * c + side}};
}

struct ContourLoops {
  std::array<std::int8_t, 12> of_edge = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  int count = 0;
};

// The crossings that a face joins: two pairs of edges, or one pair and {-1, -1}.
using FacePairs = std::array<std::pair<int, int>, 2>;

// `inside` has a bit for each corner; `around_outside` chooses the pairs if the corners alternate.
FacePairs join_on_face(unsigned inside, int face, bool around_outside);

// Whether inside and outside corners of a face alternate.
bool is_ambiguous(unsigned inside, int face);

// `around_outside` has a bit for each face.
ContourLoops contour_loops(unsigned inside, unsigned around_outside);

}  // namespace panta
