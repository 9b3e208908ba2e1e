// Sizes of particles relative to one whose radius is half the spacing. A particle of size s has the
// blob of a particle of size 1, magnified by s, and a neighbour counts by its volume relative to
// the particle's own, so that the surface of equal particles of any size is that of particles of
// size 1, magnified.
#pragma once

#include <span>
#include <vector>

#include "panta/surface/tile_grid.h"

namespace panta {

// 1 without sizes.
float largest_size(std::span<const float> sizes);

// The number of bins that the largest particle reaches; `range` of a particle of size 1, in cells.
// Error(usage) if a size is not a positive number, or too large for the tiles.
int reach_of(const SurfaceLattice& lattice, float range, std::span<const float> sizes);

// In the order of a grid, filled up by one pack; without sizes, `size` is empty.
struct BlobSizes {
  BlobSizes() = default;
  BlobSizes(const TileGrid& grid, std::span<const float> sizes);

  bool empty() const { return size.empty(); }
  float operator[](std::size_t k) const { return empty() ? 1 : size[k]; }

  std::vector<float> size, volume;
  float smallest = 1;  // at most 1
};

}  // namespace panta
