#include "panta/surface/marching_cubes.h"

namespace panta {
namespace {

using Polygon = std::vector<std::uint8_t>;  // edges

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

// For each crossed edge the next one around its polygon: one of the edge's two faces passes it from
// inside to outside, the other in the opposite direction, so exactly one line starts at each edge.
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
    for (std::size_t k = 0; k < 4; ++k) {  // k: an edge where the path enters the liquid
      if (in(k) || !in(k + 1)) continue;
      std::size_t left = k + 1;          // the edge where it leaves: behind the inside corner,
      if (around_outside) left = k + 3;  // or before the outside corner
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

// Cuts the part of a polygon from index `from` to index `to` into triangles.
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

CellTables plain_tables() {
  const MarchingCubes& table = MarchingCubes::table();
  CellTables plain;
  plain.index.resize(256 * 64);
  for (unsigned inside = 0; inside < 256; ++inside) {
    const std::uint8_t ambiguous = table.ambiguous_faces(inside);
    plain.ambiguous.push_back(ambiguous);
    for (unsigned joined = 0; joined < 64; ++joined) {
      if ((joined & ~unsigned(ambiguous)) != 0) continue;
      const CellSurface& surface = table.surface(inside, joined);
      plain.index[inside * 64 + joined] = static_cast<std::uint16_t>(plain.cases.size());
      plain.cases.push_back({static_cast<std::uint16_t>(plain.triangles.size()),
                             static_cast<std::uint16_t>(plain.middles.size()),
                             static_cast<std::uint8_t>(surface.triangles.size()),
                             static_cast<std::uint8_t>(surface.middles.size())});
      for (const auto& triangle : surface.triangles) plain.triangles.push_back(triangle);
      for (const Polygon& polygon : surface.middles) {
        CellPolygon& to = plain.middles.emplace_back();
        to.edges = static_cast<std::uint8_t>(polygon.size());
        for (std::size_t k = 0; k < polygon.size(); ++k) to.edge[k] = polygon[k];
      }
    }
  }
  return plain;
}

}  // namespace panta
