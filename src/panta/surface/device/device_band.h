// The band where the surface can be, on a device: the masks of band.h, one thread per row of bins.
#pragma once

#include "panta/core/buffer.h"
#include "panta/core/scan.h"
#include "panta/surface/device/device_grid.h"

namespace panta {

// Bits of bins: a byte for each row along x, rows in the order z * 8 + y. The memory layout is that
// of TileMask.
struct RowMasks {
  const Tile* tiles;
  const unsigned char* rows;

  // The row (y, z) counted from a tile's first, at most a tile away, with the adjacent bins before
  // and behind it: bit tile_bins + x.
  PANTA_HD std::uint32_t wide(const Tile& tile, int y, int z) const {
    const int ty = side_of(y), tz = side_of(z);
    const int row = (z - tz * tile_bins) * tile_bins + y - ty * tile_bins;
    std::uint32_t bits = 0;
    for (int tx = -1; tx <= 1; ++tx) {
      const std::int32_t other = tile.neighbor[neighbor_slot(tx, ty, tz)];
      if (other >= 0)
        bits |= static_cast<std::uint32_t>(rows[other * rows_per_tile + row])
                << ((tx + 1) * tile_bins);
    }
    return bits;
  }

  // The bins of a row with a set bin within `reach`.
  PANTA_HD unsigned char grown(const Tile& tile, int y, int z, int reach) const {
    std::uint32_t line = 0;
    for (int v = z - reach; v <= z + reach; ++v)
      for (int u = y - reach; u <= y + reach; ++u) line |= wide(tile, u, v);
    std::uint32_t bits = line;
    for (int k = 1; k <= reach; ++k) bits |= line << k | line >> k;
    return static_cast<unsigned char>(bits >> tile_bins);
  }
  // The bins of a row whose neighbours within one bin are all set.
  PANTA_HD unsigned char shrunk(const Tile& tile, int y, int z) const {
    std::uint32_t line = ~0u;
    for (int v = z - 1; v <= z + 1; ++v)
      for (int u = y - 1; u <= y + 1; ++u) line &= wide(tile, u, v);
    return static_cast<unsigned char>((line & line << 1 & line >> 1) >> tile_bins);
  }
};

namespace surface_kernels {

// Bins with particles, and bins with at least `enough` in the 27 bins around them.
struct CountInBins {
  TileView view;
  const std::uint32_t* starts;
  float enough;
  unsigned char *used, *full;

  PANTA_HD void operator()(Index i) const {
    const Tile& tile = view.tiles[i / rows_per_tile];
    const int z = i % rows_per_tile / tile_bins, y = i % tile_bins;
    std::uint32_t sums[tile_bins + 2] = {};  // of nine bins across the row, from x = -1
    unsigned own = 0;
    for (int v = z - 1; v <= z + 1; ++v)
      for (int u = y - 1; u <= y + 1; ++u)
        for (int x = 0; x < tile_bins + 2; ++x) {
          const std::uint32_t held = count(tile, x - 1, u, v);
          sums[x] += held;
          if (v == z && u == y && held > 0) own |= 1u << x;
        }
    unsigned filled = 0;
    for (int x = 0; x < tile_bins; ++x)
      if (static_cast<float>(sums[x] + sums[x + 1] + sums[x + 2]) >= enough) filled |= 1u << x;
    used[i] = static_cast<unsigned char>(own >> 1);
    full[i] = static_cast<unsigned char>(filled);
  }

  PANTA_HD std::uint32_t count(const Tile& tile, int x, int y, int z) const {
    std::uint32_t held = 0;
    view.each_run(tile, starts, x, x + 1, y, z,
                  [&](std::uint32_t begin, std::uint32_t end) { held = end - begin; });
    return held;
  }
};

struct FindBand {
  RowMasks used, full;
  int reach;
  unsigned char *deep, *band;
  PANTA_HD void operator()(Index i) const {
    const Tile& tile = used.tiles[i / rows_per_tile];
    const int z = i % rows_per_tile / tile_bins, y = i % tile_bins;
    deep[i] = full.shrunk(tile, y, z);
    band[i] = static_cast<unsigned char>(used.grown(tile, y, z, reach) & ~deep[i]);
  }
};

// Bins whose particles reach the band, and the bins next to it.
struct FindContributing {
  RowMasks band;
  const unsigned char* used;
  int reach;
  unsigned char *contributing, *near;
  PANTA_HD void operator()(Index i) const {
    const Tile& tile = band.tiles[i / rows_per_tile];
    const int z = i % rows_per_tile / tile_bins, y = i % tile_bins;
    contributing[i] =
        static_cast<unsigned char>(used[i] != 0 ? band.grown(tile, y, z, reach) & used[i] : 0);
    near[i] = band.grown(tile, y, z, 1);
  }
};

// Tiles that may contain a piece of the surface.
struct MarkMeshed {
  const std::uint64_t* near;
  std::uint32_t* meshed;
  PANTA_HD void operator()(Index t) const {
    std::uint64_t any = 0;
    for (int z = 0; z < tile_bins; ++z) any |= near[t * tile_bins + z];
    meshed[t] = any != 0;
  }
};

struct ListMeshed {
  const std::uint32_t *meshed, *rank;
  Index *tile_of, *slot_of;
  PANTA_HD void operator()(Index t) const {
    slot_of[t] = meshed[t] ? static_cast<Index>(rank[t]) : -1;
    if (meshed[t]) tile_of[rank[t]] = t;
  }
};

}  // namespace surface_kernels

template <class D>
class DeviceBand {
 public:
  // `enough`: number of particles in 27 bins that counts as a full lattice; `reach` in bins.
  void find(const D& exec, const DeviceGrid<D>& grid, float enough, int reach);

  RowMasks deep() const { return masks(deep_); }
  RowMasks band() const { return masks(band_); }
  const unsigned char* contributing() const { return rows(contributing_); }

  // Tiles that may contain a piece of the surface, in order; and their indices in that list, -1:
  // none.
  Index meshed() const { return meshed_count_; }
  const Index* tile_of() const { return tile_of_.data(); }
  const Index* slot_of() const { return slot_of_.data(); }

 private:
  using Masks = Buffer<D, std::uint64_t>;  // a word for each layer of a tile
  static const unsigned char* rows(const Masks& m) {
    return reinterpret_cast<const unsigned char*>(m.data());
  }
  static unsigned char* rows(Masks& m) { return reinterpret_cast<unsigned char*>(m.data()); }
  RowMasks masks(const Masks& m) const { return {tiles_, rows(m)}; }

  const Tile* tiles_ = nullptr;
  Masks used_, full_, deep_, band_, contributing_, near_;
  Buffer<D, std::uint32_t> meshed_, rank_;
  Buffer<D, Index> tile_of_, slot_of_;
  ScanScratch<D> scratch_;
  Index meshed_count_ = 0;
};

template <class D>
void DeviceBand<D>::find(const D& exec, const DeviceGrid<D>& grid, float enough, int reach) {
  using namespace surface_kernels;
  tiles_ = grid.tile_view().tiles;
  const auto tiles = static_cast<std::size_t>(grid.tiles());
  for (Masks* m : {&used_, &full_, &deep_, &band_, &contributing_, &near_})
    m->resize_discarding(tiles * tile_bins);
  const Index all_rows = grid.tiles() * rows_per_tile;
  launch(exec, all_rows,
         CountInBins{grid.tile_view(), grid.starts(), enough, rows(used_), rows(full_)});
  launch(exec, all_rows, FindBand{masks(used_), masks(full_), reach, rows(deep_), rows(band_)});
  launch(exec, all_rows,
         FindContributing{masks(band_), rows(used_), reach, rows(contributing_), rows(near_)});

  meshed_.resize_discarding(tiles);
  rank_.resize_discarding(tiles + 1);
  launch(exec, grid.tiles(), MarkMeshed{near_.data(), meshed_.data()});
  exclusive_scan(exec, meshed_.data(), rank_.data(), grid.tiles(), scratch_);
  exec.synchronize();
  std::uint32_t count = 0;
  Memory<D>::download(&count, rank_.data() + tiles, sizeof count);
  meshed_count_ = static_cast<Index>(count);
  tile_of_.resize_discarding(count);
  slot_of_.resize_discarding(tiles);
  launch(exec, grid.tiles(),
         ListMeshed{meshed_.data(), rank_.data(), tile_of_.data(), slot_of_.data()});
}

}  // namespace panta
