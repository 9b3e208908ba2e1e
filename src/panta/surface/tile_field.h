// The field on the lattice points of one tile, those on its far sides included.
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

// Blobs of those particles that have one.
struct BlobSet {
  std::vector<Blob> blobs;
  std::vector<std::uint32_t> of_particle;  // in the grid's order; no_blob: none
  int reach = 0;                           // bins between a particle's bin and where its blob ends
};

// Blobs for all particles that reach the band: make(tile, bin counted from the tile's first,
// position in cells, place in the grid's order).
template <class Make>
BlobSet make_blobs(const TileGrid& grid, const SurfaceBand& band, int reach, const Make& make) {
  const std::vector<Tile>& tiles = grid.tiles();
  BlobSet set;
  set.reach = reach;
  set.of_particle.assign(grid.size(), no_blob);
  const auto each_felt = [&](std::size_t t, const auto& visit) {
    if (tiles[t].bins < 0) return;
    for (int bin = 0; bin < bins_per_tile; ++bin)
      if (band.felt[t].has_bin(bin))
        visit(bin, grid.bin_begin(tiles[t], bin), grid.bin_begin(tiles[t], bin + 1));
  };
  std::uint32_t count = 0;
  std::vector<std::uint32_t> first(tiles.size());
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    first[t] = count;
    each_felt(t, [&](int, std::uint32_t begin, std::uint32_t end) { count += end - begin; });
  }
  set.blobs.resize(count);
#pragma omp parallel for schedule(dynamic, 4) num_threads(grid.threads())
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(tiles.size()); ++k) {
    const auto t = static_cast<std::size_t>(k);
    std::uint32_t next = first[t];
    each_felt(t, [&](int bin, std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) {
        const BinCoordinates at{bin % tile_bins, bin / tile_bins % tile_bins,
                                bin / (tile_bins * tile_bins)};
        set.blobs[next] = make(tiles[t], at, grid.position(i), i);
        set.of_particle[i] = next++;
      }
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
        values_(static_cast<std::size_t>(points_ * points_ * stride_)) {}

  int cells() const { return cells_; }    // across
  int points() const { return points_; }  // across
  const float* row(int y, int z) const { return values_.data() + (z * points_ + y) * stride_; }
  float* row(int y, int z) { return values_.data() + (z * points_ + y) * stride_; }

  // Sums the blobs that touch the tile, in the order of bins: a point that tiles share gets the
  // same bits in each. Points that lie in deep bins only become `full`.
  template <class Bump>
  void evaluate(const TileGrid& grid, const SurfaceBand& band, const BlobSet& set, std::size_t tile,
                float full) {
    std::fill(values_.begin(), values_.end(), 0.0f);
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
    fill_deep(grid, band, tile, full);
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
    for (int k = z.from; k < z.to; ++k)
      for (int j = y.from; j < y.to; ++j) {
        const Blob::Row line = blob.row_at(static_cast<float>(j + origin_.y) - blob.center.y,
                                           static_cast<float>(k + origin_.z) - blob.center.z);
        if (!(line.rest < 1)) continue;
        float* const values = row(j, k);
        for (int i = x.from; i < x.to; i += pack_width) {
          const F16 u = to_float(lane_numbers() + (i + origin_.x)) - line.x0;
          float* const at = values + i;
          const F16 sum = load(at) + blob.weight * Bump::bump(blob.xx * (u * u) + line.rest);
          *reinterpret_cast<detail::F16Unaligned*>(at) = sum;
        }
      }
  }

  void fill_deep(const TileGrid& grid, const SurfaceBand& band, std::size_t tile, float full);

  int cells_, points_, stride_;
  BinCoordinates origin_;  // the tile's first point
  std::vector<float> values_;
};

}  // namespace panta
