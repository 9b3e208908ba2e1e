// The field of a set of blobs at single points, for users that need few points.
#pragma once

#include <cmath>

#include "panta/surface/tile_field.h"

namespace panta {

class BlobField {
 public:
  BlobField(const TileGrid& grid, const BlobSet& set) : grid_(grid), set_(set) {}

  // Sums in the order of bins, like TileField: bitwise the same at lattice points. `at` in cells.
  template <class Bump>
  float value(const Vec3& at) const {
    float sum = 0;
    each_blob(at, [&](const Blob& blob) { sum = sum + blob.weight * Bump::bump(blob.q2(at)); });
    return Bump::finish(sum);
  }

  struct Sample {
    float value = 0;
    Vec3 gradient;  // per cell
  };
  // Value and gradient of the sum of smooth bumps: d bump / dx = -6 (1 - q2)^2 F d.
  Sample sample(const Vec3& at) const {
    Sample s;
    each_blob(at, [&](const Blob& b) {
      const Vec3 d = at - b.center;
      const float t = std::max(1 - b.q2(at), 0.0f);
      s.value += b.weight * (t * t * t);
      const Vec3 fd{b.xx * d.x + b.xy * d.y + b.xz * d.z, b.xy * d.x + b.yy * d.y + b.yz * d.z,
                    b.xz * d.x + b.yz * d.y + b.zz * d.z};
      s.gradient -= fd * (6 * b.weight * t * t);
    });
    return s;
  }

 private:
  template <class Visit>
  void each_blob(const Vec3& at, const Visit& visit) const {
    const float per_bin = static_cast<float>(grid_.lattice().cells_per_bin);
    const BinCoordinates bin{static_cast<std::int32_t>(std::floor(at.x / per_bin)),
                             static_cast<std::int32_t>(std::floor(at.y / per_bin)),
                             static_cast<std::int32_t>(std::floor(at.z / per_bin))};
    const std::int32_t own = grid_.tile_of(bin);
    if (own < 0) return;
    const Tile& tile = grid_.tiles()[static_cast<std::size_t>(own)];
    const int x = bin.x - tile.first.x, y = bin.y - tile.first.y, z = bin.z - tile.first.z;
    // A point between bins belongs to both.
    for (int v = z - set_.reach - 1; v <= z + set_.reach; ++v)
      for (int u = y - set_.reach - 1; u <= y + set_.reach; ++u)
        grid_.for_each_run(tile, x - set_.reach - 1, x + set_.reach + 1, u, v,
                           [&](std::uint32_t begin, std::uint32_t end) {
                             for (std::uint32_t k = begin; k < end; ++k)
                               if (set_.of_particle[k] != no_blob)
                                 visit(set_.blobs[set_.of_particle[k]]);
                           });
  }

  const TileGrid& grid_;
  const BlobSet& set_;
};

}  // namespace panta
