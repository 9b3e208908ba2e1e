// The kernels of DeviceGrid, and the search for particles and blobs in it.
#pragma once

#include "panta/core/field.h"
#include "panta/core/launch.h"
#include "panta/surface/device/tile_keys.h"

namespace panta {

inline constexpr int neighbor_slots = 27;
inline constexpr int own_slot = 13;
inline constexpr int rows_per_tile = tile_bins * tile_bins;  // of bins

// Tiles in device memory. Tables of bin starts have bins_per_tile entries for each tile with
// particles, and the end.
struct TileView {
  const Tile* tiles;

  // Calls visit(begin, end) for the runs of elements in the bins [from, to) along x of a row of
  // bins, all counted from the tile's first and at most a tile away from it.
  template <class Visit>
  PANTA_HD void each_run(const Tile& tile, const std::uint32_t* starts, int from, int to, int y,
                         int z, const Visit& visit) const {
    const int ty = side_of(y), tz = side_of(z);
    const int row = ((z - tz * tile_bins) * tile_bins + y - ty * tile_bins) * tile_bins;
    for (int tx = side_of(from); tx <= side_of(to - 1); ++tx) {
      const std::int32_t other = tile.neighbor[neighbor_slot(tx, ty, tz)];
      if (other < 0 || tiles[other].bins < 0) continue;
      const std::uint32_t* const start = starts + tiles[other].bins * bins_per_tile + row;
      const int first = from - tx * tile_bins, last = to - tx * tile_bins;
      const std::uint32_t begin = start[first > 0 ? first : 0];
      const std::uint32_t end = start[last < tile_bins ? last : tile_bins];
      if (begin < end) visit(begin, end);
    }
  }
};

namespace surface_kernels {

// Distance between a coordinate and a layer of bins, in cells; both counted from below all tiles.
PANTA_HD float gap(float at, int bin, float cells_per_bin) {
  const float low = static_cast<float>(bin) * cells_per_bin;
  return maximum(maximum(low - at, at - (low + cells_per_bin)), 0.0f);
}

// The number of sorted keys below a key.
PANTA_HD Index keys_below(const std::uint64_t* keys, Index n, std::uint64_t key) {
  Index low = 0, high = n;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
PANTA_HD Index find_key(const std::uint64_t* keys, Index n, std::uint64_t key) {
  const Index at = keys_below(keys, n, key);
  return at < n && keys[at] == key ? at : -1;
}

// The bounding box of one particle, in bins; empty along the axes where it is a stray.
struct PlaceInBins {
  const Vec3* positions;
  double bin;  // m
  double middle[3];
  PANTA_HD BinBox operator()(Index i) const {
    BinBox box;
    for (int k = 0; k < 3; ++k) {
      const double at = positions[i][k] / bin;
      if (fabs(at - middle[k]) < farthest_bin) box.min[k] = box.max[k] = at;
    }
    return box;
  }
};

struct FindKeys {
  TileKeys keys;
  const Vec3* positions;
  std::uint64_t* out;
  PANTA_HD void operator()(Index i) const { out[i] = keys.of(positions[i]); }
};

struct CountBelow {
  const std::uint64_t* sorted;
  Index n;
  std::uint64_t key;
  std::uint32_t* count;
  PANTA_HD void operator()(Index) const {
    *count = static_cast<std::uint32_t>(keys_below(sorted, n, key));
  }
};

template <class D>
struct GatherParticles {
  TileKeys keys;
  const Vec3* positions;
  const std::uint32_t* order;
  Field4View<D> out;
  PANTA_HD void operator()(Index i) const { out.set_xyz(i, keys.to_cells(positions[order[i]])); }
};

// Marks the first of each group of keys that differ only in their lowest bits; `none` is not a key.
struct MarkFirst {
  const std::uint64_t* keys;
  int shift;
  std::uint64_t none;
  std::uint32_t* first;
  PANTA_HD void operator()(Index i) const {
    first[i] = keys[i] != none && (i == 0 || keys[i] >> shift != keys[i - 1] >> shift);
  }
};

struct KeepFirst {
  const std::uint64_t* keys;
  int shift;
  const std::uint32_t *first, *rank;
  std::uint64_t* out;
  PANTA_HD void operator()(Index i) const {
    if (first[i]) out[rank[i]] = keys[i] >> shift;
  }
};

// The bin of a particle, numbered over all tiles with particles.
struct NumberBins {
  const std::uint64_t* keys;
  const std::uint32_t *first, *rank;
  std::uint32_t* bin_of;
  PANTA_HD void operator()(Index i) const {
    const std::uint32_t tile = rank[i] + first[i] - 1;
    bin_of[i] = tile * bins_per_tile + static_cast<std::uint32_t>(keys[i] % bins_per_tile);
  }
};

// The key of the neighbour in one direction, if a particle of the tile reaches it.
struct ReachTiles {
  TileKeys keys;
  const std::uint64_t* occupied;
  const std::uint32_t* starts;
  int reach;
  std::uint64_t* out;

  PANTA_HD void operator()(Index i) const {
    const Index tile = i / neighbor_slots;
    const int slot = i % neighbor_slots;
    const bool reached = slot == own_slot || holds_some(tile, slot);
    out[i] = reached ? keys.beside(occupied[tile], slot) : keys.no_tile();
  }

  // Whether there are particles within reach of that neighbour.
  PANTA_HD bool holds_some(Index tile, int slot) const {
    int from[3], to[3];
    const int side[3] = {slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1};
    for (int k = 0; k < 3; ++k) {
      from[k] = side[k] > 0 && reach < tile_bins ? tile_bins - reach : 0;
      to[k] = side[k] < 0 && reach < tile_bins ? reach : tile_bins;
    }
    for (int z = from[2]; z < to[2]; ++z)
      for (int y = from[1]; y < to[1]; ++y) {
        const std::uint32_t* const row =
            starts + tile * bins_per_tile + (z * tile_bins + y) * tile_bins;
        if (row[from[0]] < row[to[0]]) return true;
      }
    return false;
  }
};

struct DescribeTiles {
  TileKeys keys;
  const std::uint64_t *tile_keys, *occupied_keys;
  Index occupied;
  const std::uint32_t* starts;
  Tile* tiles;
  Index* tile_of_occupied;
  PANTA_HD void operator()(Index t) const {
    Tile& tile = tiles[t];
    tile.first = keys.first_bin(tile_keys[t]);
    tile.bins = find_key(occupied_keys, occupied, tile_keys[t]);
    tile.begin = tile.end = 0;
    if (tile.bins < 0) return;
    tile.begin = starts[tile.bins * bins_per_tile];
    tile.end = starts[(tile.bins + 1) * bins_per_tile];
    tile_of_occupied[tile.bins] = t;
  }
};

struct LinkTiles {
  TileKeys keys;
  const std::uint64_t* tile_keys;
  Index count;
  Tile* tiles;
  PANTA_HD void operator()(Index i) const {
    const Index t = i / neighbor_slots;
    const int slot = i % neighbor_slots;
    tiles[t].neighbor[slot] = find_key(tile_keys, count, keys.beside(tile_keys[t], slot));
  }
};

}  // namespace surface_kernels
}  // namespace panta
