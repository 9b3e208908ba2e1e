// The field on the lattice points of one tile, including those on its far sides.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "panta/surface/band.h"
#include "panta/surface/blob.h"
#include "panta/surface/tile_grid.h"

namespace panta {

inline constexpr std::uint32_t no_blob = ~0u;

// Blobs of the particles that have one.
struct BlobSet {
  std::vector<Blob> blobs;
  std::vector<std::uint32_t> of_particle;  // in the grid's order; no_blob: none
  int reach = 0;                           // bins between a particle's bin and the end of its blob
};

// Calls visit(bin, first particle, end of particles) for the bins of a tile whose particles reach
// the band.
template <class Visit>
void each_contributing_bin(const TileGrid& grid, const SurfaceBand& band, std::size_t tile,
                           const Visit& visit) {
  const Tile& own = grid.tiles()[tile];
  if (own.bins < 0) return;
  for (int layer = 0; layer < tile_bins; ++layer)
    for (std::uint64_t rest = band.contributing[tile].layer[static_cast<std::size_t>(layer)];
         rest != 0; rest &= rest - 1) {
      const int bin = layer * tile_bins * tile_bins + __builtin_ctzll(rest);
      visit(bin, grid.bin_begin(own, bin), grid.bin_begin(own, bin + 1));
    }
}

// Allocates the blobs of all particles that reach the band, in the grid's order.
BlobSet allocate_blobs(const TileGrid& grid, const SurfaceBand& band, int reach);

// Blobs for all particles that reach the band: make(tile, bin counted from the tile's first,
// position in cells, index in the grid's order).
template <class Make>
BlobSet make_blobs(const TileGrid& grid, const SurfaceBand& band, int reach, const Make& make) {
  BlobSet set = allocate_blobs(grid, band, reach);
#pragma omp parallel for schedule(dynamic, 4) num_threads(grid.threads())
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(grid.tiles().size()); ++k) {
    const auto t = static_cast<std::size_t>(k);
    each_contributing_bin(grid, band, t, [&](int bin, std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i)
        set.blobs[set.of_particle[i]] = make(grid.tiles()[t], bin_at(bin), grid.position(i), i);
    });
  }
  return set;
}

class TileField {
 public:
  explicit TileField(int cells_per_bin)
      : cells_(tile_bins * cells_per_bin),
        points_(cells_ + 1),
        stride_((points_ + 2 * pack_width - 2) / pack_width * pack_width),
        values_(static_cast<std::size_t>(points_ * points_ * stride_)),
        deep_(static_cast<std::size_t>(points_ * points_)) {}

  int cells() const { return cells_; }    // across
  int points() const { return points_; }  // across
  const float* row(int y, int z) const { return values_.data() + (z * points_ + y) * stride_; }
  float* row(int y, int z) { return values_.data() + (z * points_ + y) * stride_; }

  // Sums the blobs that touch the tile, in the order of bins: a point shared by tiles gets the same
  // bits in each. Points that lie in deep bins only become `full`.
  template <class Bump>
  void evaluate(const TileGrid& grid, const SurfaceBand& band, const BlobSet& set, std::size_t tile,
                float full) {
    std::fill(values_.begin(), values_.end(), 0.0f);
    find_deep(grid, band, tile);
    const Tile& own = grid.tiles()[tile];
    const int per_bin = cells_ / tile_bins;
    origin_ = {own.first.x * per_bin, own.first.y * per_bin, own.first.z * per_bin};
    for (int z = -set.reach; z < tile_bins + set.reach; ++z)
      for (int y = -set.reach; y < tile_bins + set.reach; ++y)
        grid.for_each_run(own, -set.reach, tile_bins + set.reach, y, z,
                          [&](std::uint32_t begin, std::uint32_t end) {
                            for (std::uint32_t k = begin; k < end; ++k)
                              if (set.of_particle[k] != no_blob)
                                add<Bump>(set.blobs[set.of_particle[k]]);
                          });
    if (Bump::finish(2.0f) != 2.0f)
      for (float& value : values_) value = Bump::finish(value);
    fill_deep(full);
  }

 private:
  struct Span {
    int from, to;  // points of the tile, [from, to)
  };
  Span reached(float center, float half, int origin) const {
    const float first = std::ceil(center - half), last = std::floor(center + half);
    return {std::max(static_cast<int>(first) - origin, 0),
            std::min(static_cast<int>(last) - origin + 1, points_)};
  }

  template <class Bump>
  void add(const Blob& blob) {
    const Span z = reached(blob.center.z, blob.half.z, origin_.z);
    const Span y = reached(blob.center.y, blob.half.y, origin_.y);
    const Span x = reached(blob.center.x, blob.half.x, origin_.x);
    if (x.from >= x.to) return;
    const std::uint64_t crossed = points_between(x);
    const Blob own = blob;  // a copy, which the writes below cannot alias
    const F16 lane_x = to_float(lane_numbers() + (x.from + origin_.x));
    const int stride = stride_;
    for (int k = z.from; k < z.to; ++k)
      for (int first = y.from; first < y.to; first += pack_width) {
        const F16 dy = to_float(lane_numbers() + (first + origin_.y)) - own.center.y;
        const auto lines = own.row_at(dy, static_cast<float>(k + origin_.z) - own.center.z);
        const std::uint64_t* const deep_in = &deep(first, k);
        float* const values = row(first, k) + x.from;
        LaneMask rest = lanes_below(lines.rest, 1.0f) & first_lanes(y.to - first);
        for (; rest != 0; rest &= rest - 1) {
          const int j = __builtin_ctz(rest);
          if ((crossed & ~deep_in[j]) != 0)
            add_row<Bump>(own, {lines.x0[j], lines.rest[j]}, lane_x, x.to - x.from,
                          values + j * stride);
        }
      }
  }

  // Adds to this number of points of a row; the first sixteen are at x.
  template <class Bump>
  static void add_row(const Blob& blob, const Blob::Row& line, F16 x, int points, float* values) {
    for (int i = 0; i < points; i += pack_width) {
      const F16 u = x + static_cast<float>(i) - line.x0;
      const F16 sum = load(values + i) + blob.weight * Bump::bump(blob.xx * (u * u) + line.rest);
      *reinterpret_cast<detail::F16Unaligned*>(values + i) = sum;
    }
  }

  static std::uint64_t points_between(const Span& x) {
    return ((1ull << (x.to - x.from)) - 1) << x.from;
  }
  // Bit x: the point lies in deep bins only.
  std::uint64_t& deep(int y, int z) { return deep_[static_cast<std::size_t>(z * points_ + y)]; }
  void find_deep(const TileGrid& grid, const SurfaceBand& band, std::size_t tile);
  void fill_deep(float full);

  int cells_, points_, stride_;
  BinCoordinates origin_;  // the tile's first point
  std::vector<float> values_;
  std::vector<std::uint64_t> deep_;  // of each row
};

}  // namespace panta
