// Values on the lattice points of the tiles that the front may enter: each tile's own points, a
// block of across^3 floats, x fastest. Points of other tiles, on the far sides or farther away, are
// gathered from them; tiles without a block lie completely inside the liquid or outside.
#pragma once

#include <cstdint>
#include <vector>

#include "panta/surface/band.h"
#include "panta/surface/tile_grid.h"

namespace panta {

class FrontTiles {
 public:
  FrontTiles(const TileGrid& grid, const SurfaceBand& band);

  int across() const { return across_; }  // points along a tile's edge
  std::size_t block_size() const { return block_size_; }
  std::size_t count() const { return tiles_.size(); }

  std::size_t tile(std::size_t block) const { return tiles_[block]; }
  std::int32_t block(std::size_t tile) const { return blocks_[tile]; }  // -1: none

  // The values of tiles without a block.
  struct OutsideValues {
    float outside, inside;
  };
  // The points from `below` points before the tile to `above` points behind it, along each axis.
  // The distance between rows along x is `stride`, between layers `layer`.
  struct Box {
    int below, above;
    int stride, layer;
  };
  void gather(std::size_t tile, const std::vector<float>& values, const OutsideValues& elsewhere,
              const Box& box, float* to) const;

 private:
  const TileGrid& grid_;
  int across_;
  std::size_t block_size_;
  std::vector<std::uint32_t> tiles_;  // of blocks
  std::vector<std::int32_t> blocks_;  // of tiles
  std::vector<std::uint8_t> inside_;  // tiles deep in the liquid
};

}  // namespace panta
