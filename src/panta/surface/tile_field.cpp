#include "panta/surface/tile_field.h"

namespace panta {

// A point between bins lies in all of them, up to eight.
void TileField::fill_deep(const TileGrid& grid, const SurfaceBand& band, std::size_t tile,
                          float full) {
  const Tile& own = grid.tiles()[tile];
  const int per_bin = cells_ / tile_bins;
  const auto is_deep = [&](int x, int y, int z) {
    const auto side = [](int bin) { return bin < 0 ? -1 : bin >= tile_bins ? 1 : 0; };
    const int tx = side(x), ty = side(y), tz = side(z);
    const std::int32_t other = own.neighbor[static_cast<std::size_t>(neighbor_slot(tx, ty, tz))];
    return other >= 0 && band.deep[static_cast<std::size_t>(other)].has(
                             x - tx * tile_bins, y - ty * tile_bins, z - tz * tile_bins);
  };
  // Bit x + 1: whether the bins (x, y, z) and (x, y, z) less the given steps are deep.
  constexpr int rim = tile_bins + 2;
  std::array<std::uint32_t, rim * rim> deep{};
  std::uint32_t any = 0;
  for (int z = 0; z < rim; ++z)
    for (int y = 0; y < rim; ++y) {
      std::uint32_t& bits = deep[static_cast<std::size_t>(z * rim + y)];
      for (int x = 0; x < rim; ++x)
        bits |= static_cast<std::uint32_t>(is_deep(x - 1, y - 1, z - 1)) << x;
      any |= bits;
    }
  if (any == 0) return;
  const auto bins_at = [&](int point) {  // the one or two bins, from 0 = the rim's
    return std::array<int, 2>{(point + per_bin - 1) / per_bin, point / per_bin + 1};
  };
  for (int k = 0; k < points_; ++k)
    for (int j = 0; j < points_; ++j) {
      const auto z = bins_at(k), y = bins_at(j);
      std::uint32_t bits = ~0u;
      for (const int bz : z)
        for (const int by : y) bits &= deep[static_cast<std::size_t>(bz * rim + by)];
      if (bits == 0) continue;
      float* const values = row(j, k);
      for (int i = 0; i < points_; ++i) {
        const auto x = bins_at(i);
        if (bits >> x[0] & bits >> x[1] & 1) values[i] = full;
      }
    }
}

}  // namespace panta
