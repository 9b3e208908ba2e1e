#include "panta/surface/level_set_tiles.h"

#include <algorithm>

namespace panta {

FrontTiles::FrontTiles(const TileGrid& grid, const SurfaceBand& band)
    : grid_(grid), across_(tile_bins * grid.lattice().cells_per_bin) {
  const auto across = static_cast<std::size_t>(across_);
  block_size_ = across * across * across;
  blocks_.assign(grid.tiles().size(), -1);
  inside_.resize(grid.tiles().size());
  for (std::size_t t = 0; t < grid.tiles().size(); ++t) {
    inside_[t] = band.deep[t].any();
    if (!band.meshed[t]) continue;
    blocks_[t] = static_cast<std::int32_t>(tiles_.size());
    tiles_.push_back(static_cast<std::uint32_t>(t));
  }
}

void FrontTiles::gather(std::size_t tile, const std::vector<float>& values,
                        const OutsideValues& elsewhere, const Box& box, float* to) const {
  struct Part {
    int from, count, to;
  };
  const Part parts[3] = {{across_ - box.below, box.below, 0},
                         {0, across_, box.below},
                         {0, box.above, box.below + across_}};
  for (int slot = 0; slot < 27; ++slot) {
    const Part &x = parts[slot % 3], &y = parts[slot / 3 % 3], &z = parts[slot / 9];
    const std::int32_t other = grid_.tiles()[tile].neighbor[static_cast<std::size_t>(slot)];
    const auto neighbor = static_cast<std::size_t>(other);
    const float* from = nullptr;
    if (other >= 0 && blocks_[neighbor] >= 0)
      from = values.data() + static_cast<std::size_t>(blocks_[neighbor]) * block_size_;
    const float constant = other >= 0 && inside_[neighbor] ? elsewhere.inside : elsewhere.outside;
    for (int k = 0; k < z.count; ++k)
      for (int j = 0; j < y.count; ++j) {
        float* const row = to + (z.to + k) * box.layer + (y.to + j) * box.stride + x.to;
        if (from)
          std::copy_n(from + ((z.from + k) * across_ + y.from + j) * across_ + x.from, x.count,
                      row);
        else
          std::fill_n(row, x.count, constant);
      }
  }
}

}  // namespace panta
