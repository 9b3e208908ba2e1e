// The band of bins where the surface can be. A bin is deep inside the liquid if the 27 bins around
// each of the 27 bins around it contain nearly as many particles as a full lattice; it is empty if
// no particle reaches it. The band is the rest. The field is summed only there, and only from
// particles that reach it; deep points count as full without a sum.
//
// The bins of a tile are bits, one word per layer in z: bit y * 8 + x.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "panta/surface/tile_grid.h"

namespace panta {

struct TileMask {
  std::array<std::uint64_t, tile_bins> layer{};

  bool has(int x, int y, int z) const {
    return layer[static_cast<std::size_t>(z)] >> (y * tile_bins + x) & 1;
  }
  bool has_bin(int bin) const {
    const BinCoordinates at = bin_at(bin);
    return has(at.x, at.y, at.z);
  }
  void set(int x, int y, int z) {
    layer[static_cast<std::size_t>(z)] |= 1ull << (y * tile_bins + x);
  }
  bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t bits : layer) all |= bits;
    return all != 0;
  }
};

// A row of bins of a tile with the adjacent bins before and behind it along x: bit 8 + x. y and z
// count from the tile's first bin and may lie in adjacent tiles.
std::uint32_t mask_row(const Tile& tile, const std::vector<TileMask>& masks, int y, int z);

struct SurfaceBand {
  std::vector<TileMask> deep, band;    // per tile
  std::vector<TileMask> contributing;  // bins with particles that reach the band
  std::vector<std::uint8_t> meshed;    // tiles that may contain a piece of the surface
};

// Number of particles in 27 bins that counts as a full lattice; `spacing` in cells.
inline float enough_particles(const SurfaceLattice& lattice, float spacing) {
  constexpr float full_share = 0.5f;
  const float bin = static_cast<float>(lattice.cells_per_bin) / spacing;
  return full_share * 27 * bin * bin * bin;
}

// `spacing` in cells; `smallest`: least size of a particle (blob_sizes.h), at most 1.
SurfaceBand find_band(const TileGrid& grid, float spacing, float smallest = 1);

// A band that contains everything: no bin is deep, all particles are used.
SurfaceBand whole_band(const TileGrid& grid);

}  // namespace panta
