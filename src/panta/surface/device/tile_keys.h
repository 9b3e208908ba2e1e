// Keys of tiles and bins, and their positions in space, for host and device. A particle's key is
// its tile's (z, then y, then x) followed by its bin's number within the tile, so that sorted keys
// are in the order of TileGrid.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "panta/core/vec.h"
#include "panta/surface/tile_grid.h"

namespace panta {

// A range of bins along each axis; empty unless set.
struct BinBox {
  static constexpr double none = std::numeric_limits<double>::max();
  double min[3] = {none, none, none}, max[3] = {-none, -none, -none};
};
PANTA_HD BinBox combine(BinBox a, const BinBox& b) {
  for (int k = 0; k < 3; ++k) {
    a.min[k] = b.min[k] < a.min[k] ? b.min[k] : a.min[k];
    a.max[k] = b.max[k] > a.max[k] ? b.max[k] : a.max[k];
  }
  return a;
}

struct TileKeys {
  static constexpr int bin_bits = 9;  // for a bin within its tile

  double cell = 0, inverse_cell = 0, inverse_bin = 0;  // m, 1/m
  double cells_per_bin = 1;                            // along each axis
  double first[3] = {};  // the lowest bin, a multiple of tile_bins: the origin of positions
  double bins[3] = {};   // along the axes
  int bits[3] = {};      // of tile coordinates in a key

  PANTA_HD int tile_bits() const { return bits[0] + bits[1] + bits[2]; }
  // Above all keys of tiles.
  PANTA_HD std::uint64_t no_tile() const { return 1ull << tile_bits(); }
  // Above all keys of particles: the key of skipped ones.
  PANTA_HD std::uint64_t left_out() const { return no_tile() << bin_bits; }

  PANTA_HD std::uint64_t of(const Vec3& p) const {
    std::uint32_t at[3];
    for (int k = 0; k < 3; ++k) {
      const double place = p[k] * inverse_bin - first[k];
      if (!(place >= 0 && place < bins[k])) return left_out();
      at[k] = static_cast<std::uint32_t>(place);
    }
    std::uint64_t tile = 0, in_tile = 0;
    for (int k = 2; k >= 0; --k) {
      tile = tile << bits[k] | at[k] / tile_bins;
      in_tile = in_tile * tile_bins + at[k] % tile_bins;
    }
    return tile << bin_bits | in_tile;
  }

  PANTA_HD BinCoordinates first_bin(std::uint64_t tile) const {
    std::int32_t at[3];
    for (int k = 0; k < 3; ++k) {
      at[k] = static_cast<std::int32_t>(tile & ((1ull << bits[k]) - 1)) * tile_bins;
      tile >>= bits[k];
    }
    return {at[0], at[1], at[2]};
  }

  // The key of a tile's neighbour.
  PANTA_HD std::uint64_t beside(std::uint64_t tile, int slot) const {
    const std::int64_t x = slot % 3 - 1, y = slot / 3 % 3 - 1, z = slot / 9 - 1;
    return tile + static_cast<std::uint64_t>(x + y * (std::int64_t{1} << bits[0]) +
                                             z * (std::int64_t{1} << (bits[0] + bits[1])));
  }

  // Conversion between space and cells counted from the lowest bin.
  PANTA_HD Vec3 to_cells(const Vec3& p) const {
    const auto along = [&](int k) {
      return static_cast<float>(p[k] * inverse_cell - first[k] * cells_per_bin);
    };
    return {along(0), along(1), along(2)};
  }
  PANTA_HD Vec3 to_space(const Vec3& cells) const {
    const auto along = [&](int k) {
      return static_cast<float>((cells[k] + first[k] * cells_per_bin) * cell);
    };
    return {along(0), along(1), along(2)};
  }
};

// For particles in a box. There are two tiles of margin on each side: particles reach into the
// first one, and keys of adjacent tiles do not overflow.
inline TileKeys make_tile_keys(const SurfaceLattice& lattice, const BinBox& box) {
  TileKeys keys;
  keys.cell = lattice.cell;
  keys.inverse_cell = 1 / keys.cell;
  keys.inverse_bin = 1 / double(lattice.bin());
  keys.cells_per_bin = lattice.cells_per_bin;
  const auto tile_below = [](double bins) { return std::floor(bins / tile_bins) * tile_bins; };
  for (int k = 0; k < 3; ++k) {
    const bool empty = box.min[k] > box.max[k];
    const double low = empty ? 0 : box.min[k], high = empty ? 0 : box.max[k];
    keys.first[k] = tile_below(low) - 2 * tile_bins;
    const auto tiles =
        static_cast<std::uint64_t>((tile_below(high) - keys.first[k]) / tile_bins) + 3;
    keys.bits[k] = std::bit_width(tiles - 1);
    keys.bins[k] = static_cast<double>(tiles * tile_bins);
  }
  return keys;
}

}  // namespace panta
