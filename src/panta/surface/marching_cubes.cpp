#include "panta/surface/marching_cubes.h"

namespace panta {
namespace {

using Polygon = std::vector<std::uint8_t>;  // edges

// The corners of a face, counterclockwise seen from outside the cell.
std::array<int, 4> face_corners(int face) {
  const int axis = face / 2, side = face % 2;
  const int a = 1 << (axis + 1) % 3, b = 1 << (axis + 2) % 3, base = side << axis;
  if (side == 1) return {base, base + a, base + a + b, base + b};
  return {base, base + b, base + a + b, base + a};
}

int edge_between(int p, int q) {
  for (int edge = 0; edge < cell_edges; ++edge) {
    const int from = edge_corner(edge), to = from | 1 << edge_axis(edge);
    if ((from == p && to == q) || (from == q && to == p)) return edge;
  }
  return -1;
}

bool is_ambiguous(int face, unsigned inside) {
  const auto corner = face_corners(face);
  const auto in = [&](std::size_t k) { return inside >> corner[k] & 1; };
  return in(0) == in(2) && in(1) == in(3) && in(0) != in(1);
}

// Faces that an edge lies on.
unsigned faces_of(int edge) {
  unsigned faces = 0;
  for (int face = 0; face < 6; ++face) {
    const auto corner = face_corners(face);
    for (std::size_t k = 0; k < 4; ++k)
      if (edge_between(corner[k], corner[(k + 1) % 4]) == edge) faces |= 1u << face;
  }
  return faces;
}

// For each crossed edge the next one around its polygon: on one of its two faces an edge is passed
// from inside to outside and on the other back, so each has one line that starts at it.
std::array<int, cell_edges> lines(unsigned inside, unsigned joined) {
  std::array<int, cell_edges> next;
  next.fill(-1);
  for (int face = 0; face < 6; ++face) {
    const auto corner = face_corners(face);
    const auto in = [&](std::size_t k) { return (inside >> corner[k % 4] & 1) != 0; };
    const auto edge = [&](std::size_t k) {
      return edge_between(corner[k % 4], corner[(k + 1) % 4]);
    };
    const bool around_outside = (joined >> face & 1) != 0;
    for (std::size_t k = 0; k < 4; ++k) {  // k: an edge where the liquid is entered
      if (in(k) || !in(k + 1)) continue;
      std::size_t left = k + 1;  // the edge where it is left again, behind the inside corner ...
      if (around_outside) left = k + 3;  // ... or before the outside one
      while (!(in(left) && !in(left + 1))) ++left;
      next[static_cast<std::size_t>(edge(k))] = edge(left);
    }
  }
  return next;
}

std::vector<Polygon> polygons(unsigned inside, unsigned joined) {
  auto next = lines(inside, joined);
  std::vector<Polygon> found;
  for (int start = 0; start < cell_edges; ++start) {
    Polygon polygon;
    for (int edge = start; next[static_cast<std::size_t>(edge)] >= 0;) {
      polygon.push_back(static_cast<std::uint8_t>(edge));
      const int to = next[static_cast<std::size_t>(edge)];
      next[static_cast<std::size_t>(edge)] = -1;
      edge = to;
    }
    if (!polygon.empty()) found.push_back(polygon);
  }
  return found;
}

using Triangles = std::vector<std::array<std::uint8_t, 3>>;

// Cuts the part of a polygon from place `from` to place `to`.
bool cut(const Polygon& polygon, std::size_t from, std::size_t to, Triangles& triangles) {
  if (to - from < 2) return true;
  const auto allowed = [&](std::size_t a, std::size_t b) {
    return b - a == 1 || (faces_of(polygon[a]) & faces_of(polygon[b])) == 0;
  };
  for (std::size_t tip = from + 1; tip < to; ++tip) {
    if (!allowed(from, tip) || !allowed(tip, to)) continue;
    const std::size_t before = triangles.size();
    triangles.push_back({polygon[from], polygon[tip], polygon[to]});
    if (cut(polygon, from, tip, triangles) && cut(polygon, tip, to, triangles)) return true;
    triangles.resize(before);
  }
  return false;
}

CellSurface cell_surface(unsigned inside, unsigned joined) {
  CellSurface surface;
  for (const Polygon& polygon : polygons(inside, joined)) {
    Triangles triangles;
    if (!cut(polygon, 0, polygon.size() - 1, triangles)) {
      const auto middle = static_cast<std::uint8_t>(cell_edges + surface.middles.size());
      for (std::size_t k = 0; k < polygon.size(); ++k)
        triangles.push_back({middle, polygon[k], polygon[(k + 1) % polygon.size()]});
      surface.middles.push_back(polygon);
    }
    surface.triangles.insert(surface.triangles.end(), triangles.begin(), triangles.end());
  }
  return surface;
}

}  // namespace

MarchingCubes::MarchingCubes() {
  for (unsigned inside = 0; inside < 256; ++inside) {
    for (int face = 0; face < 6; ++face)
      if (is_ambiguous(face, inside)) ambiguous_[inside] |= static_cast<std::uint8_t>(1u << face);
    for (unsigned joined = 0; joined < 64; ++joined) {
      if ((joined & ~unsigned(ambiguous_[inside])) != 0) continue;
      index_[inside * 64 + joined] = static_cast<std::uint16_t>(surfaces_.size());
      surfaces_.push_back(cell_surface(inside, joined));
    }
  }
}

const MarchingCubes& MarchingCubes::table() {
  static const MarchingCubes table;
  return table;
}

unsigned joined_faces(unsigned ambiguous, unsigned inside, const float* values) {
  unsigned joined = 0;
  for (int face = 0; face < 6; ++face) {
    if ((ambiguous >> face & 1) == 0) continue;
    const auto corner = face_corners(face);
    const auto value = [&](std::size_t k) { return values[corner[k]]; };
    const float even = value(0) * value(2), odd = value(1) * value(3);
    const bool even_inside = (inside >> corner[0] & 1) != 0;
    if (even_inside ? even > odd : odd > even) joined |= 1u << face;
  }
  return joined;
}

}  // namespace panta
