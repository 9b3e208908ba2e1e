// Marching cubes on the field of a device, in the order of mesh_tiles.h: one thread per row of
// cells. Bits store which points are inside; cut edges and vertex numbers follow from the bits, so
// that tiles find each other's vertices without a table.
#pragma once

#include "panta/core/bits.h"
#include "panta/geometry/surface_mesh.h"
#include "panta/surface/device/device_field.h"
#include "panta/surface/marching_cubes.h"

namespace panta {

// The table of cases in device memory.
struct CellTableView {
  const std::uint8_t* ambiguous;
  const std::uint16_t* index;
  const CellCase* cases;
  const std::array<std::uint8_t, 3>* triangles;
  const CellPolygon* middles;
};

// The field of a run of meshed tiles.
struct FieldView {
  TileLattice lattice;
  const float* values;
  Index first;  // meshed tile
  float iso;

  // The value minus the iso value.
  PANTA_HD float at(Index slot, int x, int y, int z) const {
    return values[lattice.row(slot - first, y, z) * lattice.stride() + x] - iso;
  }
};

// The rows of all meshed tiles. A tile's vertices on edges come first, in the order of points and
// axes, then those in the middles of cells; both counts are summed over all rows of cells.
struct MeshRows {
  const Tile* tiles;
  const Index *tile_of, *slot_of;
  TileLattice lattice;
  const std::uint64_t* inside;  // bit x of each row of points
  const std::uint32_t *edge_starts, *middle_starts, *triangle_starts;  // of each row of cells

  PANTA_HD int rows_per_slot() const { return lattice.across * lattice.across; }
  PANTA_HD std::uint64_t inside_row(Index slot, int y, int z) const {
    return inside[lattice.row(slot, y, z)];
  }
  PANTA_HD Index row_of(Index slot, int y, int z) const {
    return (slot * lattice.across + z) * lattice.across + y;
  }
  // Bits of the points of a row that are the start of a cell.
  PANTA_HD std::uint64_t own() const { return (1ull << lattice.across) - 1; }

  // Bits of a row's points with cut edges along each axis.
  struct Cuts {
    std::uint64_t along[3];
    PANTA_HD std::uint64_t any() const { return along[0] | along[1] | along[2]; }
    PANTA_HD int count() const { return count_below(64); }
    PANTA_HD int count_below(int x) const {
      const std::uint64_t below = x < 64 ? (1ull << x) - 1 : ~0ull;
      int count = 0;
      for (int k = 0; k < 3; ++k) count += count_bits(along[k] & below);
      return count;
    }
  };
  PANTA_HD Cuts cuts(Index slot, int y, int z) const {
    const std::uint64_t here = inside_row(slot, y, z);
    return {{(here ^ here >> 1) & own(), (here ^ inside_row(slot, y + 1, z)) & own(),
             (here ^ inside_row(slot, y, z + 1)) & own()}};
  }

  // The first vertex on a cut edge of a row, and the first one in the middle of a cell of a row.
  PANTA_HD std::uint32_t first_on_edge(Index slot, int y, int z) const {
    return middle_starts[slot * rows_per_slot()] + edge_starts[row_of(slot, y, z)];
  }
  PANTA_HD std::uint32_t first_middle(Index slot, int y, int z) const {
    return edge_starts[(slot + 1) * rows_per_slot()] + middle_starts[row_of(slot, y, z)];
  }

  // The vertex on an edge of a cell; it may belong to a tile behind this one.
  PANTA_HD std::uint32_t vertex_on(Index slot, int x, int y, int z, int edge) const {
    const int corner = edge_corner(edge), axis = edge_axis(edge), across = lattice.across;
    x += corner & 1, y += corner >> 1 & 1, z += corner >> 2;
    const int sx = x == across, sy = y == across, sz = z == across;
    if ((sx | sy | sz) != 0) {
      slot = slot_of[tiles[tile_of[slot]].neighbor[neighbor_slot(sx, sy, sz)]];
      x -= sx * across, y -= sy * across, z -= sz * across;
    }
    const Cuts cut = cuts(slot, y, z);
    int before = cut.count_below(x);
    for (int k = 0; k < axis; ++k) before += static_cast<int>(cut.along[k] >> x & 1);
    return first_on_edge(slot, y, z) + static_cast<std::uint32_t>(before);
  }

  // Calls visit(x, corners inside) for the cells of a row that the surface crosses.
  template <class Visit>
  PANTA_HD void each_cell(Index slot, int y, int z, const Visit& visit) const {
    const std::uint64_t a = inside_row(slot, y, z), b = inside_row(slot, y + 1, z),
                        c = inside_row(slot, y, z + 1), d = inside_row(slot, y + 1, z + 1);
    const std::uint64_t any = a | b | c | d, all = a & b & c & d;
    for (std::uint64_t rest = (any | any >> 1) & ~(all & all >> 1) & own(); rest != 0;
         rest &= rest - 1) {
      const int x = lowest_bit(rest);
      const auto pair = [x](std::uint64_t bits) { return static_cast<unsigned>(bits >> x & 3); };
      visit(x, pair(a) | pair(b) << 2 | pair(c) << 4 | pair(d) << 6);
    }
  }
};

namespace surface_kernels {

PANTA_HD const CellCase& case_of(const CellTableView& table, const FieldView& field, Index slot,
                                 int x, int y, int z, unsigned corners) {
  unsigned joined = 0;
  if (const unsigned ambiguous = table.ambiguous[corners]) {
    float values[8];
    for (int k = 0; k < 8; ++k)
      values[k] = field.at(slot, x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
    joined = joined_faces(ambiguous, corners, values);
  }
  return table.cases[table.index[corners * 64 + joined]];
}

// Finds the points of a row that are inside; rows counted from the first of the run.
struct FindInside {
  TileLattice lattice;
  const float* values;
  float iso;
  std::uint64_t* inside;
  PANTA_HD void operator()(Index row) const {
    const float* const value = values + static_cast<std::size_t>(row) * lattice.stride();
    std::uint64_t bits = 0;
    for (int x = 0; x < lattice.points; ++x)
      bits |= static_cast<std::uint64_t>(!(value[x] < iso)) << x;
    inside[row] = bits;
  }
};

// A row of cells, counted from the first of the run of tiles.
struct CellRow {
  Index slot;
  int y, z;
  PANTA_HD CellRow(const TileLattice& lattice, Index first_slot, Index row)
      : slot(first_slot + row / (lattice.across * lattice.across)),
        y(row % lattice.across),
        z(row / lattice.across % lattice.across) {}
};

struct CountInRows {
  MeshRows mesh;
  FieldView field;
  CellTableView table;
  std::uint32_t *edges, *middles, *triangles;  // of each row, counted over all tiles
  PANTA_HD void operator()(Index i) const {
    const CellRow row(mesh.lattice, field.first, i);
    std::uint32_t middle_count = 0, triangle_count = 0;
    mesh.each_cell(row.slot, row.y, row.z, [&](int x, unsigned corners) {
      const CellCase& cell = case_of(table, field, row.slot, x, row.y, row.z, corners);
      middle_count += cell.middles;
      triangle_count += cell.triangles;
    });
    const Index to = mesh.row_of(row.slot, row.y, row.z);
    edges[to] = static_cast<std::uint32_t>(mesh.cuts(row.slot, row.y, row.z).count());
    middles[to] = middle_count;
    triangles[to] = triangle_count;
  }
};

struct WriteRows {
  MeshRows mesh;
  FieldView field;
  CellTableView table;
  TileKeys keys;
  Vec3* positions;
  Triangle* triangles;

  PANTA_HD void operator()(Index i) const {
    const CellRow row(mesh.lattice, field.first, i);
    const BinCoordinates& bin = mesh.tiles[mesh.tile_of[row.slot]].first;
    const int per_bin = mesh.lattice.cells_per_bin;
    const Vec3 origin{static_cast<float>(bin.x * per_bin), static_cast<float>(bin.y * per_bin),
                      static_cast<float>(bin.z * per_bin)};
    place_vertices(row, origin);
    std::uint32_t middle = mesh.first_middle(row.slot, row.y, row.z);
    std::uint32_t triangle = mesh.triangle_starts[mesh.row_of(row.slot, row.y, row.z)];
    mesh.each_cell(row.slot, row.y, row.z, [&](int x, unsigned corners) {
      const CellCase& cell = case_of(table, field, row.slot, x, row.y, row.z, corners);
      for (int k = 0; k < cell.triangles; ++k)
        triangles[triangle++] = corners_of(table.triangles[cell.triangle + k], row, x, middle);
      for (int k = 0; k < cell.middles; ++k)
        positions[middle++] =
            keys.to_space(origin + middle_of(table.middles[cell.middle + k], row, x));
    });
  }

  PANTA_HD void place_vertices(const CellRow& row, const Vec3& origin) const {
    const MeshRows::Cuts cut = mesh.cuts(row.slot, row.y, row.z);
    std::uint32_t vertex = mesh.first_on_edge(row.slot, row.y, row.z);
    for (std::uint64_t rest = cut.any(); rest != 0; rest &= rest - 1) {
      const int x = lowest_bit(rest);
      for (int axis = 0; axis < 3; ++axis) {
        if ((cut.along[axis] >> x & 1) == 0) continue;
        Vec3 at = origin +
                  Vec3{static_cast<float>(x), static_cast<float>(row.y), static_cast<float>(row.z)};
        at[axis] +=
            crossing(field.at(row.slot, x, row.y, row.z),
                     field.at(row.slot, x + (axis == 0), row.y + (axis == 1), row.z + (axis == 2)));
        positions[vertex++] = keys.to_space(at);
      }
    }
  }

  PANTA_HD Triangle corners_of(const std::array<std::uint8_t, 3>& of, const CellRow& row, int x,
                               std::uint32_t first_middle) const {
    Triangle triangle{};
    for (int k = 0; k < 3; ++k)
      triangle[k] = of[k] < cell_edges ? mesh.vertex_on(row.slot, x, row.y, row.z, of[k])
                                       : first_middle + (of[k] - cell_edges);
    return triangle;
  }

  // The mean of a polygon's edge crossings, counted from the tile's first point.
  PANTA_HD Vec3 middle_of(const CellPolygon& polygon, const CellRow& row, int x) const {
    Vec3 sum;
    for (int k = 0; k < polygon.edges; ++k) {
      const int corner = edge_corner(polygon.edge[k]), axis = edge_axis(polygon.edge[k]);
      const int px = x + (corner & 1), py = row.y + (corner >> 1 & 1), pz = row.z + (corner >> 2);
      const float a = field.at(row.slot, px, py, pz);
      const float b = field.at(row.slot, px + (axis == 0), py + (axis == 1), pz + (axis == 2));
      Vec3 at{static_cast<float>(px), static_cast<float>(py), static_cast<float>(pz)};
      at[axis] += a / (a - b);
      sum += at;
    }
    return sum * (1 / static_cast<float>(polygon.edges));
  }
};

}  // namespace surface_kernels
}  // namespace panta
