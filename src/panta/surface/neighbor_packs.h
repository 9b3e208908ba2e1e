// Sums over the neighbours of a particle, sixteen at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "panta/core/pack.h"
#include "panta/surface/blob_sizes.h"

namespace panta {

// Calls visit(dx, dy, dz, valid lanes, first index) with the offsets from `at` for packs of all
// particles in bins within `reach` of its bin; bins are counted from the tile's first.
template <class Visit>
void each_pack(const TileGrid& grid, const Tile& tile, const BinCoordinates& bin, const Vec3& at,
               int reach, const Visit& visit) {
  for (int z = bin.z - reach; z <= bin.z + reach; ++z)
    for (int y = bin.y - reach; y <= bin.y + reach; ++y)
      grid.for_each_run(tile, bin.x - reach, bin.x + reach + 1, y, z,
                        [&](std::uint32_t begin, std::uint32_t end) {
                          for (std::uint32_t k = begin; k < end; k += pack_width)
                            visit(load(grid.coordinate(0) + k) - at.x,
                                  load(grid.coordinate(1) + k) - at.y,
                                  load(grid.coordinate(2) + k) - at.z,
                                  first_lanes(static_cast<Index>(end - k)), k);
                        });
}

// Positions in dense packs, for sums over them; `volumes`: with a volume each.
template <bool volumes = false>
class DensePacks {
 public:
  static constexpr float far = 1e9f;  // coordinates that fill up the last pack, in cells

  std::size_t size() const { return size_; }
  const float* coordinate(int axis) const { return at_[static_cast<std::size_t>(axis)].data(); }
  const float* volume() const { return at_[3].data(); }
  void clear() { size_ = 0; }

  // Reserves room for `more` positions, beyond a pack that is filled up.
  void make_room(std::size_t more) {
    const std::size_t needed = size_ + more + 2 * pack_width;
    if (at_[0].size() < needed)
      for (std::vector<float>& component : at_) component.resize(2 * needed);
  }
  // Requires room.
  void add(LaneMask chosen, F16 x, F16 y, F16 z, F16 volume = F16{}) {
    if constexpr (volumes) compress_store(at_[3].data() + size_, chosen, volume);
    compress_store(at_[0].data() + size_, chosen, x);
    compress_store(at_[1].data() + size_, chosen, y);
    compress_store(at_[2].data() + size_, chosen, z);
    size_ += static_cast<std::size_t>(__builtin_popcount(chosen));
  }
  // The next position starts a new pack.
  void fill_up() {
    make_room(0);
    for (std::vector<float>& component : at_)
      std::fill_n(component.begin() + static_cast<std::ptrdiff_t>(size_), pack_width, far);
    size_ = (size_ + pack_width - 1) / pack_width * pack_width;
  }

 private:
  std::array<std::vector<float>, volumes ? 4 : 3> at_;  // coordinates, volumes
  std::size_t size_ = 0;
};

// Collects the particles within a distance, in cells, of a cube of bins, where `first` counts from
// the tile's first; in the order of rows of bins, which does not depend on the cube.
template <bool volumes>
void collect_around(const TileGrid& grid, const Tile& tile, const BinCoordinates& first, int bins,
                    float distance, const BlobSizes& sizes, DensePacks<volumes>& packs) {
  const int per_bin = grid.lattice().cells_per_bin, reach = bins_within(grid.lattice(), distance);
  const auto width = static_cast<float>(per_bin);
  const Vec3 low = Vec3{static_cast<float>((tile.first.x + first.x) * per_bin),
                        static_cast<float>((tile.first.y + first.y) * per_bin),
                        static_cast<float>((tile.first.z + first.z) * per_bin)};
  const Vec3 high = low + Vec3{1, 1, 1} * (width * static_cast<float>(bins));
  const auto beyond = [](F16 at, float from, float to) {
    return maximum(maximum(from - at, at - to), 0.0f);
  };
  // Distance between a row of bins and the cube.
  const auto gap = [&](int bin, int from) {
    return width * static_cast<float>(std::max({from - bin - 1, bin - from - bins, 0}));
  };
  const auto add = [&](std::uint32_t begin, std::uint32_t end) {
    packs.make_room(end - begin);
    for (std::uint32_t k = begin; k < end; k += pack_width) {
      const F16 x = load(grid.coordinate(0) + k), y = load(grid.coordinate(1) + k),
                z = load(grid.coordinate(2) + k);
      const F16 dx = beyond(x, low.x, high.x), dy = beyond(y, low.y, high.y),
                dz = beyond(z, low.z, high.z);
      const LaneMask near = lanes_below(dx * dx + dy * dy + dz * dz, distance * distance);
      const LaneMask chosen = near & first_lanes(static_cast<Index>(end - k));
      if constexpr (volumes)
        packs.add(chosen, x, y, z, load(sizes.volume.data() + k));
      else
        packs.add(chosen, x, y, z);
    }
  };
  packs.clear();
  for (int z = first.z - reach; z < first.z + bins + reach; ++z)
    for (int y = first.y - reach; y < first.y + bins + reach; ++y) {
      const float dy = gap(y, first.y), dz = gap(z, first.z);
      if (dy * dy + dz * dz < distance * distance)
        grid.for_each_run(tile, first.x - reach, first.x + bins + reach, y, z, add);
    }
  packs.fill_up();
}

// The sum of bumps of a radius, in cells, around a particle, including its own.
template <class Bump>
float crowd(const TileGrid& grid, const Tile& tile, const BinCoordinates& bin, const Vec3& at,
            float radius) {
  const float f = 1 / (radius * radius);
  F16 sum{};
  each_pack(grid, tile, bin, at, bins_within(grid.lattice(), radius),
            [&](F16 dx, F16 dy, F16 dz, LaneMask valid, std::uint32_t) {
              const F16 q2 = (dx * dx + dy * dy + dz * dz) * f;
              sum = sum + choose(valid, Bump::bump(q2), F16{});
            });
  return lane_sum(sum);
}

// The same for particle k of a grid whose particles have sizes, for `radius` of a particle of size
// 1; neighbours count by their volume.
template <class Bump>
float crowd(const TileGrid& grid, const Tile& tile, const BinCoordinates& bin, std::uint32_t k,
            float radius, const BlobSizes& sizes) {
  const Vec3 at = grid.position(k);
  if (sizes.empty()) return crowd<Bump>(grid, tile, bin, at, radius);
  const float own = radius * sizes[k], f = 1 / (own * own), share = 1 / sizes.volume[k];
  F16 sum{};
  each_pack(grid, tile, bin, at, bins_within(grid.lattice(), own),
            [&](F16 dx, F16 dy, F16 dz, LaneMask valid, std::uint32_t first) {
              const F16 q2 = (dx * dx + dy * dy + dz * dz) * f;
              const F16 volume = load(sizes.volume.data() + first) * share;
              sum = sum + choose(valid, Bump::bump(q2) * volume, F16{});
            });
  return lane_sum(sum);
}

}  // namespace panta
