#include "panta/surface/tile_field.h"

namespace panta {

BlobSet allocate_blobs(const TileGrid& grid, const SurfaceBand& band, int reach) {
  const auto tiles = static_cast<std::int64_t>(grid.tiles().size());
  BlobSet set;
  set.reach = reach;
  set.of_particle.resize(grid.size());
  std::vector<std::uint32_t> first(grid.tiles().size() + 1);
#pragma omp parallel for schedule(static) num_threads(grid.threads())
  for (std::int64_t t = 0; t < tiles; ++t)
    each_contributing_bin(grid, band, static_cast<std::size_t>(t),
                          [&](int, std::uint32_t begin, std::uint32_t end) {
                            first[static_cast<std::size_t>(t) + 1] += end - begin;
                          });
  for (std::size_t t = 1; t < first.size(); ++t) first[t] += first[t - 1];
  set.blobs.resize(first.back());
#pragma omp parallel for schedule(static) num_threads(grid.threads())
  for (std::int64_t t = 0; t < tiles; ++t) {
    const Tile& tile = grid.tiles()[static_cast<std::size_t>(t)];
    std::uint32_t* const of = set.of_particle.data();
    std::fill(of + tile.begin, of + tile.end, no_blob);
    std::uint32_t next = first[static_cast<std::size_t>(t)];
    each_contributing_bin(grid, band, static_cast<std::size_t>(t),
                          [&](int, std::uint32_t begin, std::uint32_t end) {
                            for (std::uint32_t i = begin; i < end; ++i) of[i] = next++;
                          });
  }
  return set;
}

namespace {

// The one or two bins of a point; -1 is the last bin of the tile before.
std::array<int, 2> bins_at(int point, int per_bin) {
  return {(point + per_bin - 1) / per_bin - 1, point / per_bin};
}

// Bit x: all bins of the point are in the mask's row.
std::uint64_t points_inside(std::uint32_t bins, int points, int per_bin) {
  std::uint64_t bits = 0;
  if (bins == 0) return bits;
  for (int x = 0; x < points; ++x) {
    const auto [before, behind] = bins_at(x, per_bin);
    const std::uint32_t both = bins >> (before + tile_bins) & bins >> (behind + tile_bins) & 1;
    bits |= static_cast<std::uint64_t>(both) << x;
  }
  return bits;
}

}  // namespace

// A point between bins lies in up to eight bins; all have to be deep.
void TileField::find_deep(const TileGrid& grid, const SurfaceBand& band, std::size_t tile) {
  constexpr int rim = tile_bins + 2;
  const int per_bin = cells_ / tile_bins;
  std::array<std::uint64_t, rim * rim> inside;  // of rows of bins
  for (int z = 0; z < rim; ++z)
    for (int y = 0; y < rim; ++y)
      inside[static_cast<std::size_t>(z * rim + y)] =
          points_inside(mask_row(grid.tiles()[tile], band.deep, y - 1, z - 1), points_, per_bin);
  for (int k = 0; k < points_; ++k)
    for (int j = 0; j < points_; ++j) {
      std::uint64_t bits = ~0ull;
      for (const int z : bins_at(k, per_bin))
        for (const int y : bins_at(j, per_bin))
          bits &= inside[static_cast<std::size_t>((z + 1) * rim + y + 1)];
      deep(j, k) = bits;
    }
}

void TileField::fill_deep(float full) {
  for (int k = 0; k < points_; ++k)
    for (int j = 0; j < points_; ++j)
      for (std::uint64_t rest = deep(j, k); rest != 0; rest &= rest - 1)
        row(j, k)[__builtin_ctzll(rest)] = full;
}

}  // namespace panta
