// The field on the lattice points of tiles, on a device: like TileField, but for a run of meshed
// tiles at once. Each point gathers the blobs in its range, in the order of bins.
#pragma once

#include "panta/surface/device/device_blobs.h"

namespace panta {

inline constexpr int segment_points = 4;  // points along x per thread

// The lattice points of a tile, including those on its far sides, and the layout of their rows.
struct TileLattice {
  int cells_per_bin;
  int across;    // cells
  int points;    // across
  int segments;  // of a row

  explicit TileLattice(int per_bin)
      : cells_per_bin(per_bin),
        across(per_bin * tile_bins),
        points(across + 1),
        segments((points + segment_points - 1) / segment_points) {}

  PANTA_HD int stride() const { return segments * segment_points; }
  PANTA_HD std::size_t row(Index tile, int y, int z) const {
    return (static_cast<std::size_t>(tile) * points + z) * points + y;
  }
  std::size_t tile_bytes() const {
    return static_cast<std::size_t>(points) * points * stride() * sizeof(float);
  }
  // The one or two bins of a point.
  PANTA_HD int first_bin(int point) const {
    return (point + cells_per_bin - 1) / cells_per_bin - 1;
  }
  PANTA_HD int last_bin(int point) const { return point / cells_per_bin; }
};

namespace surface_kernels {

// Points that lie in deep bins only become `full`; points that touch no band bin become 0.
template <class Bump>
struct SumField {
  TileView view;
  RowMasks deep, band;
  BlobView blobs;
  TileLattice lattice;
  const Index* tile_of;  // of the meshed tiles, from the first of the run
  int reach;             // bins
  float distance;        // cells: range of a blob
  float full;
  float* values;

  PANTA_HD void operator()(Index i) const {
    const int segment = i % lattice.segments, row = i / lattice.segments;
    const int y = row % lattice.points, z = row / lattice.points % lattice.points;
    const Tile& tile = view.tiles[tile_of[row / (lattice.points * lattice.points)]];
    const int x = segment * segment_points;
    std::uint32_t all_deep = ~0u, any_band = 0;  // of the rows of bins that touch this row
    for (int v = lattice.first_bin(z); v <= lattice.last_bin(z); ++v)
      for (int u = lattice.first_bin(y); u <= lattice.last_bin(y); ++u) {
        all_deep &= deep.wide(tile, u, v);
        any_band |= band.wide(tile, u, v);
      }
    const int last = minimum_of(x + segment_points, lattice.points) - 1;
    const int from = lattice.first_bin(x), to = lattice.last_bin(last) + 1;
    const std::uint32_t touched = ((1u << (to - from)) - 1) << (from + tile_bins);
    float sums[segment_points] = {};
    if ((any_band & touched) != 0) sum(tile, x, y, z, sums);
    for (int k = 0; k < segment_points; ++k) {
      const int at = minimum_of(x + k, last);  // padding of the row, never read
      const std::uint32_t first = all_deep >> (lattice.first_bin(at) + tile_bins);
      const std::uint32_t second = all_deep >> (lattice.last_bin(at) + tile_bins);
      values[static_cast<std::size_t>(i) * segment_points + k] =
          (first & second & 1) != 0 ? full : Bump::finish(sums[k]);
    }
  }

  PANTA_HD void sum(const Tile& tile, int x, int y, int z, float* sums) const {
    const int per_bin = lattice.cells_per_bin;
    const float at_y = static_cast<float>(tile.first.y * per_bin + y);
    const float at_z = static_cast<float>(tile.first.z * per_bin + z);
    const int first_x = tile.first.x * per_bin + x;
    const int from = lowest(lattice.first_bin(x)),
              to = highest(lattice.last_bin(x + segment_points - 1)) + 1;
    for (int v = lowest(lattice.first_bin(z)); v <= highest(lattice.last_bin(z)); ++v) {
      const float gap_z = gap(at_z, tile.first.z + v, static_cast<float>(per_bin));
      for (int u = lowest(lattice.first_bin(y)); u <= highest(lattice.last_bin(y)); ++u) {
        const float gap_y = gap(at_y, tile.first.y + u, static_cast<float>(per_bin));
        if (gap_y * gap_y + gap_z * gap_z >= distance * distance) continue;
        view.each_run(tile, blobs.starts, from, to, u, v,
                      [&](std::uint32_t begin, std::uint32_t end) {
                        for (std::uint32_t b = begin; b < end; ++b)
                          add(blobs.blobs[b].blob, first_x, at_y, at_z, sums);
                      });
      }
    }
  }

  PANTA_HD void add(const Blob& blob, int first_x, float y, float z, float* sums) const {
    const Blob::Row line = blob.row_at(y - blob.center.y, z - blob.center.z);
    if (!(line.rest < 1)) return;
    for (int k = 0; k < segment_points; ++k) {
      const float u = static_cast<float>(first_x + k) - line.x0;
      sums[k] = sums[k] + blob.weight * Bump::bump(blob.xx * (u * u) + line.rest);
    }
  }

  // The bins within whose range a bin can be, limited to those that reach the tile.
  PANTA_HD int lowest(int bin) const { return bin < 0 ? -reach : bin - reach; }
  PANTA_HD int highest(int bin) const {
    return bin < tile_bins ? bin + reach : tile_bins - 1 + reach;
  }
  PANTA_HD static int minimum_of(int a, int b) { return a < b ? a : b; }
};

}  // namespace surface_kernels
}  // namespace panta
