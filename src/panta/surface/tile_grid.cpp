#include "panta/surface/tile_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "panta/core/pack.h"
#include "panta/core/sort.h"

namespace panta {
namespace {

constexpr int bin_bits = 9;  // for a bin within its tile

int bits_for(std::int64_t values) {
  return std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(values - 1, 0)));
}

std::int32_t tile_floor(double bins) {
  return static_cast<std::int32_t>(std::floor(bins / tile_bins)) * tile_bins;
}

struct BinBox {
  double min[3], max[3];
};

// The bins with particles, except strays beyond `farthest_bin` from the middle.
BinBox occupied_box(std::span<const Vec3> positions, double bin, int threads) {
  const double none = std::numeric_limits<double>::max(), reach = farthest_bin * bin;
  double middle[3], low[3] = {none, none, none}, high[3] = {-none, -none, -none};
  for (int k = 0; k < 3; ++k) middle[k] = middle_of(positions, k);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min                  \
                                                                         : low) reduction(max \
                                                                                          : high)
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double at = positions[i][k];
      if (!(std::abs(at - middle[k]) < reach)) continue;
      low[k] = std::min(low[k], at);
      high[k] = std::max(high[k], at);
    }
  BinBox box{};
  for (int k = 0; k < 3; ++k)
    if (low[k] <= high[k]) box.min[k] = low[k] / bin, box.max[k] = high[k] / bin;
  return box;
}

}  // namespace

double middle_of(std::span<const Vec3> positions, int axis) {
  std::vector<float> sample;
  const std::size_t step = positions.size() / 1000 + 1;
  for (std::size_t i = 0; i < positions.size(); i += step)
    if (std::isfinite(positions[i][axis])) sample.push_back(positions[i][axis]);
  if (sample.empty()) return 0;
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  std::nth_element(sample.begin(), middle, sample.end());
  return *middle;
}

SurfaceLattice make_lattice(float cell, float spacing) {
  return {cell, std::max(1, static_cast<int>(std::lround(spacing / cell)))};
}

TileGrid::TileGrid(std::span<const Vec3> positions, const SurfaceLattice& lattice, int reach,
                   int threads)
    : lattice_(lattice), reach_(reach), threads_(threads) {
  sort(positions);
  link_tiles();
}

void TileGrid::sort(std::span<const Vec3> positions) {
  const double bin = lattice_.bin();
  const BinBox box = occupied_box(positions, bin, threads_);
  // Two tiles of margin on each side: particles reach into the first one, and keys of adjacent
  // tiles do not overflow.
  origin_ = {tile_floor(box.min[0]) - 2 * tile_bins, tile_floor(box.min[1]) - 2 * tile_bins,
             tile_floor(box.min[2]) - 2 * tile_bins};
  std::array<double, 3> first{}, bins{};
  for (std::size_t k = 0; k < 3; ++k) {
    first[k] = k == 0 ? origin_.x : k == 1 ? origin_.y : origin_.z;
    const std::int64_t count =
        (static_cast<std::int64_t>(tile_floor(box.max[k])) - static_cast<std::int64_t>(first[k])) /
            tile_bins +
        3;
    bits_[k] = bits_for(count);
    bins[k] = static_cast<double>(count * tile_bins);
  }
  const int all_bits = bits_[0] + bits_[1] + bits_[2] + bin_bits;
  const Index n = static_cast<Index>(positions.size());
  const Cpu exec{threads_};
  Buffer<Cpu, std::uint64_t> keys;
  keys.resize(positions.size());
  std::uint64_t* const key = keys.data();
  const double inverse_bin = 1 / bin;
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (Index i = 0; i < n; ++i) {
    const Vec3& p = positions[static_cast<std::size_t>(i)];
    std::uint32_t at[3];
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
      const double place = p[k] * inverse_bin - first[static_cast<std::size_t>(k)];
      inside = inside && place >= 0 && place < bins[static_cast<std::size_t>(k)];
      at[k] = inside ? static_cast<std::uint32_t>(place) : 0;
    }
    const std::uint64_t tile =
        ((static_cast<std::uint64_t>(at[2] / tile_bins) << bits_[1] | at[1] / tile_bins)
         << bits_[0]) |
        at[0] / tile_bins;
    const std::uint64_t in_tile =
        (at[2] % tile_bins * tile_bins + at[1] % tile_bins) * tile_bins + at[0] % tile_bins;
    // Skipped particles sort behind all others.
    key[i] = inside ? tile << bin_bits | in_tile : 1ull << all_bits;
  }
  Buffer<Cpu, std::uint64_t> sorted;
  Buffer<Cpu, std::uint32_t> order;
  SortScratch<Cpu, std::uint64_t> scratch;
  sort_by_key(exec, keys, sorted, order, n, all_bits + 1, scratch);
  const std::uint64_t* const sorted_end = sorted.data() + n;
  const std::size_t kept =
      static_cast<std::size_t>(std::lower_bound(static_cast<const std::uint64_t*>(sorted.data()),
                                                sorted_end, 1ull << all_bits) -
                               sorted.data());
  left_out_ = positions.size() - kept;
  order_.assign(order.data(), order.data() + kept);
  for (std::vector<float>& component : positions_) component.resize(kept + pack_width);
  const double inverse_cell = 1.0 / lattice_.cell;
  const double cells = lattice_.cells_per_bin;
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (Index i = 0; i < static_cast<Index>(kept); ++i) {
    const Vec3& p = positions[order_[static_cast<std::size_t>(i)]];
    for (std::size_t k = 0; k < 3; ++k)
      positions_[k][static_cast<std::size_t>(i)] =
          static_cast<float>(p[static_cast<int>(k)] * inverse_cell - first[k] * cells);
  }
  find_tiles({sorted.data(), kept});
}

BinCoordinates TileGrid::first_bin(std::uint64_t tile_key) const {
  const auto part = [&](int shift, int bits) {
    return static_cast<std::int32_t>(tile_key >> shift & ((1ull << bits) - 1)) * tile_bins;
  };
  return {part(0, bits_[0]), part(bits_[0], bits_[1]), part(bits_[0] + bits_[1], bits_[2])};
}

// Tiles with particles, and the tiles around them within the particles' reach, in the order of
// keys.
void TileGrid::find_tiles(std::span<const std::uint64_t> keys) {
  struct Found {
    std::uint64_t key;
    std::uint32_t begin, end;
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < keys.size();) {
    const std::uint64_t tile = keys[i] >> bin_bits;
    const std::size_t end =
        static_cast<std::size_t>(std::lower_bound(keys.begin() + static_cast<std::ptrdiff_t>(i),
                                                  keys.end(), (tile + 1) << bin_bits) -
                                 keys.begin());
    found.push_back({tile, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(end)});
    i = end;
  }
  starts_.resize(found.size() * (bins_per_tile + 1));
  const std::vector<std::uint32_t> reached = sides_reached();
  std::vector<std::uint32_t> sides(found.size());
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::int64_t t = 0; t < static_cast<std::int64_t>(found.size()); ++t) {
    const Found& tile = found[static_cast<std::size_t>(t)];
    std::uint32_t* start = starts_.data() + t * (bins_per_tile + 1);
    std::uint32_t i = tile.begin;
    for (std::uint32_t bin = 0; bin < bins_per_tile; ++bin) {
      start[bin] = i;
      while (i < tile.end && (keys[i] & (bins_per_tile - 1)) == bin) ++i;
      if (i > start[bin]) sides[static_cast<std::size_t>(t)] |= reached[bin];
    }
    start[bins_per_tile] = tile.end;
  }
  std::vector<std::uint64_t> all;
  for (std::size_t t = 0; t < found.size(); ++t)
    for (int slot = 0; slot < 27; ++slot)
      if (slot == 13 || sides[t] >> slot & 1) all.push_back(key_beside(found[t].key, slot));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  tiles_.resize(all.size());
  tile_keys_ = std::move(all);
  std::size_t next = 0;
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    tiles_[t].first = first_bin(tile_keys_[t]);
    if (next == found.size() || found[next].key != tile_keys_[t]) continue;
    tiles_[t].begin = found[next].begin;
    tiles_[t].end = found[next].end;
    tiles_[t].bins = static_cast<std::int32_t>(next++);
  }
}

// For each bin; bit s: one of its particles reaches the tile of neighbor_slot s.
std::vector<std::uint32_t> TileGrid::sides_reached() const {
  std::vector<std::uint32_t> slots(bins_per_tile);
  for (int bin = 0; bin < bins_per_tile; ++bin) {
    const BinCoordinates own = bin_at(bin);
    const int at[3] = {own.x, own.y, own.z};
    for (int slot = 0; slot < 27; ++slot) {
      const int side[3] = {slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1};
      bool reached = true;
      for (int k = 0; k < 3; ++k)
        reached = reached &&
                  (side[k] == 0 || (side[k] < 0 ? at[k] < reach_ : at[k] >= tile_bins - reach_));
      slots[static_cast<std::size_t>(bin)] |= static_cast<std::uint32_t>(reached) << slot;
    }
  }
  return slots;
}

std::uint64_t TileGrid::key_beside(std::uint64_t key, int slot) const {
  const std::int64_t x = slot % 3 - 1, y = slot / 3 % 3 - 1, z = slot / 9 - 1;
  return key + static_cast<std::uint64_t>(x + (y << bits_[0]) + (z << (bits_[0] + bits_[1])));
}

std::int32_t TileGrid::find_tile(std::uint64_t key) const {
  const auto at = std::lower_bound(tile_keys_.begin(), tile_keys_.end(), key);
  if (at == tile_keys_.end() || *at != key) return -1;
  return static_cast<std::int32_t>(at - tile_keys_.begin());
}

std::int32_t TileGrid::tile_of(const BinCoordinates& bin) const {
  const std::int32_t at[3] = {bin.x, bin.y, bin.z};
  std::uint64_t key = 0;
  for (int k = 2; k >= 0; --k) {
    const int bits = bits_[static_cast<std::size_t>(k)];
    if (at[k] < 0 || at[k] / tile_bins >> bits != 0) return -1;
    key = key << bits | static_cast<std::uint64_t>(at[k] / tile_bins);
  }
  return find_tile(key);
}

void TileGrid::link_tiles() {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::int64_t t = 0; t < static_cast<std::int64_t>(tiles_.size()); ++t) {
    const auto own = static_cast<std::size_t>(t);
    for (int slot = 0; slot < 27; ++slot)
      tiles_[own].neighbor[static_cast<std::size_t>(slot)] =
          find_tile(key_beside(tile_keys_[own], slot));
  }
}

Vec3 TileGrid::to_space(const Vec3& cells) const {
  const double per_bin = lattice_.cells_per_bin, cell = lattice_.cell;
  return {static_cast<float>((cells.x + origin_.x * per_bin) * cell),
          static_cast<float>((cells.y + origin_.y * per_bin) * cell),
          static_cast<float>((cells.z + origin_.z * per_bin) * cell)};
}

}  // namespace panta
