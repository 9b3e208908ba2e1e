// Sums over the particles around one, sixteen at a time.
#pragma once

#include <cmath>

#include "panta/core/pack.h"
#include "panta/surface/tile_grid.h"

namespace panta {

// Bins that a distance in cells spans.
inline int bins_within(const SurfaceLattice& lattice, float cells) {
  constexpr float rounding = 1e-5f;  // a whole number of bins is no more than that
  return static_cast<int>(std::ceil(cells / static_cast<float>(lattice.cells_per_bin) - rounding));
}

// Calls visit(dx, dy, dz, valid lanes) with the offsets from `at`, which lies in a bin counted from
// the tile's first, for packs of all particles in bins within `reach` of it.
template <class Visit>
void each_pack(const TileGrid& grid, const Tile& tile, const BinCoordinates& bin, const Vec3& at,
               int reach, const Visit& visit) {
  for (int z = bin.z - reach; z <= bin.z + reach; ++z)
    for (int y = bin.y - reach; y <= bin.y + reach; ++y)
      grid.for_each_run(
          tile, bin.x - reach, bin.x + reach + 1, y, z,
          [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t k = begin; k < end; k += pack_width)
              visit(load(grid.coordinate(0) + k) - at.x, load(grid.coordinate(1) + k) - at.y,
                    load(grid.coordinate(2) + k) - at.z, first_lanes(static_cast<Index>(end - k)));
          });
}

// The sum of bumps of a radius, in cells, around a particle, its own included.
template <class Bump>
float crowd(const TileGrid& grid, const Tile& tile, const BinCoordinates& bin, const Vec3& at,
            float radius) {
  const float f = 1 / (radius * radius);
  F16 sum{};
  each_pack(grid, tile, bin, at, bins_within(grid.lattice(), radius),
            [&](F16 dx, F16 dy, F16 dz, LaneMask valid) {
              const F16 q2 = (dx * dx + dy * dy + dz * dz) * f;
              sum = sum + choose(valid, Bump::bump(q2), F16{});
            });
  return lane_sum(sum);
}

}  // namespace panta
