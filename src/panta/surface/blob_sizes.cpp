#include "panta/surface/blob_sizes.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/core/pack.h"

namespace panta {

float largest_size(std::span<const float> sizes) {
  return sizes.empty() ? 1 : *std::max_element(sizes.begin(), sizes.end());
}

int reach_of(const SurfaceLattice& lattice, float range, std::span<const float> sizes) {
  for (const float size : sizes)
    if (!(size > 0 && std::isfinite(size)))
      throw Error(ErrorKind::usage, "a surface needs positive radii of particles, got {} spacings",
                  0.5f * size);
  const int reach = bins_within(lattice, range * std::max(1.0f, largest_size(sizes)));
  if (!sizes.empty() && reach > tile_bins)
    throw Error(ErrorKind::usage,
                "a particle's radius is {:.3g} spacings, but this surface is made of particles of "
                "up to {:.3g} spacings",
                0.5f * largest_size(sizes),
                0.5f * static_cast<float>(tile_bins * lattice.cells_per_bin) / range);
  return reach;
}

BlobSizes::BlobSizes(const TileGrid& grid, std::span<const float> sizes) {
  if (sizes.empty()) return;
  size.assign(grid.size() + pack_width, 1);
  volume.assign(grid.size() + pack_width, 1);
  for (std::size_t k = 0; k < grid.size(); ++k) {
    size[k] = sizes[grid.order()[k]];
    volume[k] = size[k] * size[k] * size[k];
    smallest = std::min(smallest, size[k]);
  }
}

}  // namespace panta
