#include "panta/surface/band.h"

#include <algorithm>

namespace panta {

std::uint32_t mask_row(const Tile& tile, const std::vector<TileMask>& masks, int y, int z) {
  const int ty = side_of(y), tz = side_of(z);
  std::uint32_t bits = 0;
  for (int tx = -1; tx <= 1; ++tx) {
    const std::int32_t other = tile.neighbor[static_cast<std::size_t>(neighbor_slot(tx, ty, tz))];
    if (other < 0) continue;
    const std::uint64_t layer =
        masks[static_cast<std::size_t>(other)].layer[static_cast<std::size_t>(z - tz * tile_bins)];
    const std::uint32_t byte =
        static_cast<std::uint32_t>(layer >> ((y - ty * tile_bins) * tile_bins)) & 0xffu;
    bits |= byte << ((tx + 1) * tile_bins);
  }
  return bits;
}

namespace {

// The masks of a tile and of one layer of bins around it, as bits of rows along x: bit k + x.
class Neighborhood {
 public:
  Neighborhood(const std::vector<Tile>& tiles, const std::vector<TileMask>& masks, std::size_t tile,
               int rim)
      : rim_(rim), across_(tile_bins + 2 * rim) {
    rows_.assign(static_cast<std::size_t>(across_ * across_), 0);
    for (int z = -rim; z < tile_bins + rim; ++z)
      for (int y = -rim; y < tile_bins + rim; ++y)
        row(y, z) = mask_row(tiles[tile], masks, y, z) >> (tile_bins - rim);
  }

  std::uint32_t& row(int y, int z) {
    return rows_[static_cast<std::size_t>((z + rim_) * across_ + y + rim_)];
  }

  // The tile's own bins with a set bin within `reach` (grow), or with all bins within `reach` set
  // (shrink).
  TileMask grown(int reach) { return filtered(reach, false); }
  TileMask shrunk(int reach) { return filtered(reach, true); }

 private:
  TileMask filtered(int reach, bool all) {
    TileMask mask;
    for (int z = 0; z < tile_bins; ++z)
      for (int y = 0; y < tile_bins; ++y) {
        std::uint32_t line = all ? ~0u : 0u;
        for (int v = z - reach; v <= z + reach; ++v)
          for (int u = y - reach; u <= y + reach; ++u)
            line = all ? line & row(u, v) : line | row(u, v);
        std::uint32_t bits = line;
        for (int k = 1; k <= reach; ++k) {
          const std::uint32_t up = line << k, down = line >> k;
          bits = all ? bits & up & down : bits | up | down;
        }
        mask.layer[static_cast<std::size_t>(z)] |= static_cast<std::uint64_t>(bits >> rim_ & 0xffu)
                                                   << (y * tile_bins);
      }
    return mask;
  }

  int rim_, across_;
  std::vector<std::uint32_t> rows_;
};

// The numbers of particles in the bins of a row, from the bin before the tile's first along x to
// the one behind its last.
std::array<std::uint32_t, tile_bins + 2> row_counts(const TileGrid& grid, const Tile& tile, int y,
                                                    int z) {
  std::array<std::uint32_t, tile_bins + 2> counts{};
  const int ty = side_of(y), tz = side_of(z);
  const int row = ((z - tz * tile_bins) * tile_bins + y - ty * tile_bins) * tile_bins;
  const auto count = [&](int tx, int from, int to) {
    const std::int32_t other = tile.neighbor[static_cast<std::size_t>(neighbor_slot(tx, ty, tz))];
    if (other < 0) return;
    const Tile& owner = grid.tiles()[static_cast<std::size_t>(other)];
    if (owner.bins < 0) return;
    for (int x = from; x < to; ++x)
      counts[static_cast<std::size_t>(x + tx * tile_bins + 1)] =
          grid.bin_begin(owner, row + x + 1) - grid.bin_begin(owner, row + x);
  };
  count(-1, tile_bins - 1, tile_bins);
  count(0, 0, tile_bins);
  count(1, 0, 1);
  return counts;
}

TileMask occupied(const TileGrid& grid, const Tile& tile) {
  TileMask mask;
  if (tile.bins < 0) return mask;
  for (int bin = 0; bin < bins_per_tile; ++bin)
    if (grid.bin_begin(tile, bin) < grid.bin_begin(tile, bin + 1)) {
      const BinCoordinates at = bin_at(bin);
      mask.set(at.x, at.y, at.z);
    }
  return mask;
}

// Bins with as many particles around them as a full lattice.
TileMask well_filled(const TileGrid& grid, const Tile& tile, float enough) {
  constexpr int across = tile_bins + 2;
  std::array<std::uint32_t, across * across * across> sums;
  const auto at = [&](int x, int y, int z) -> std::uint32_t& {
    return sums[static_cast<std::size_t>((z * across + y) * across + x)];
  };
  for (int z = 0; z < across; ++z)
    for (int y = 0; y < across; ++y) {
      const auto counts = row_counts(grid, tile, y - 1, z - 1);
      std::copy(counts.begin(), counts.end(), &at(0, y, z));
    }
  // Sums of three along each axis in turn; the sum around bin x is stored at x.
  for (int z = 0; z < across; ++z)
    for (int y = 0; y < across; ++y)
      for (int x = 0; x < tile_bins; ++x) at(x, y, z) += at(x + 1, y, z) + at(x + 2, y, z);
  for (int z = 0; z < across; ++z)
    for (int y = 0; y < tile_bins; ++y)
      for (int x = 0; x < tile_bins; ++x) at(x, y, z) += at(x, y + 1, z) + at(x, y + 2, z);
  TileMask mask;
  for (int z = 0; z < tile_bins; ++z)
    for (int y = 0; y < tile_bins; ++y)
      for (int x = 0; x < tile_bins; ++x)
        if (static_cast<float>(at(x, y, z) + at(x, y, z + 1) + at(x, y, z + 2)) >= enough)
          mask.set(x, y, z);
  return mask;
}

template <class Work>
void for_each_tile(const TileGrid& grid, const Work& work) {
#pragma omp parallel for schedule(dynamic, 16) num_threads(grid.threads())
  for (std::int64_t t = 0; t < static_cast<std::int64_t>(grid.tiles().size()); ++t)
    work(static_cast<std::size_t>(t));
}

}  // namespace

SurfaceBand find_band(const TileGrid& grid, float spacing, float smallest) {
  const std::vector<Tile>& tiles = grid.tiles();
  const float enough = enough_particles(grid.lattice(), spacing) / (smallest * smallest * smallest);
  std::vector<TileMask> full(tiles.size()), used(tiles.size());
  for_each_tile(grid, [&](std::size_t t) {
    used[t] = occupied(grid, tiles[t]);
    full[t] = well_filled(grid, tiles[t], enough);
  });
  SurfaceBand band;
  band.deep.resize(tiles.size());
  band.band.resize(tiles.size());
  band.contributing.resize(tiles.size());
  band.meshed.resize(tiles.size());
  for_each_tile(grid, [&](std::size_t t) {
    band.deep[t] = Neighborhood(tiles, full, t, 1).shrunk(1);
    band.band[t] = Neighborhood(tiles, used, t, grid.reach()).grown(grid.reach());
    for (std::size_t z = 0; z < tile_bins; ++z) band.band[t].layer[z] &= ~band.deep[t].layer[z];
  });
  for_each_tile(grid, [&](std::size_t t) {
    Neighborhood around(tiles, band.band, t, grid.reach());
    band.contributing[t] = around.grown(grid.reach());
    for (std::size_t z = 0; z < tile_bins; ++z) band.contributing[t].layer[z] &= used[t].layer[z];
    band.meshed[t] = around.grown(1).any();
  });
  return band;
}

SurfaceBand whole_band(const TileGrid& grid) {
  const std::size_t count = grid.tiles().size();
  SurfaceBand band;
  band.deep.resize(count);
  band.contributing.resize(count);
  TileMask all;
  all.layer.fill(~0ull);
  band.band.assign(count, all);
  band.meshed.assign(count, 1);
  for_each_tile(grid,
                [&](std::size_t t) { band.contributing[t] = occupied(grid, grid.tiles()[t]); });
  return band;
}

}  // namespace panta
