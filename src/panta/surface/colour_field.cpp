#include "panta/surface/colour_field.h"

#include "panta/surface/neighbor_packs.h"

namespace panta {

template <class Bump>
float lone_weight(float radius) {
  return blob_weight(1, lattice_sum<Bump>(radius), colour_volume_power);
}

template <class Bump>
BlobSet colour_blobs(const TileGrid& grid, const SurfaceBand& band, float radius, float spacing,
                     const BlobSizes& sizes) {
  const float full = lattice_sum<Bump>(radius / spacing);
  return make_blobs(
      grid, band, grid.reach(),
      [&](const Tile& tile, const BinCoordinates& bin, const Vec3& at, std::uint32_t k) {
        const float sum = crowd<Bump>(grid, tile, bin, k, radius, sizes);
        return round_blob(at, radius * sizes[k], blob_weight(sum, full, colour_volume_power));
      });
}

BlobSet equal_blobs(const TileGrid& grid, const SurfaceBand& band, float radius,
                    const BlobSizes& sizes) {
  return make_blobs(grid, band, grid.reach(),
                    [&](const Tile&, const BinCoordinates&, const Vec3& at, std::uint32_t k) {
                      return round_blob(at, radius * sizes[k], 1);
                    });
}

template <class Bump>
float flat_surface_value(float radius, bool volumes) {
  const int reach = static_cast<int>(radius) + 1;
  const auto bump = [&](float x, float y, float z) {
    return Bump::bump((x * x + y * y + z * z) / (radius * radius));
  };
  const float full = lattice_sum<Bump>(radius);
  // Layers at z = 0, -1, -2, ...; the volume of a particle in each layer within range.
  std::vector<float> volume(static_cast<std::size_t>(reach + 1));
  for (int layer = 0; layer <= reach; ++layer) {
    float sum = 0;
    for (int z = -reach; z <= std::min(layer, reach); ++z)
      for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x)
          sum += bump(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
    volume[static_cast<std::size_t>(layer)] =
        volumes ? blob_weight(sum, full, colour_volume_power) : 1;
  }
  constexpr int samples = 8;  // across a lattice cell
  double mean = 0;
  for (int v = 0; v < samples; ++v)
    for (int u = 0; u < samples; ++u) {
      const float px = (static_cast<float>(u) + 0.5f) / samples;
      const float py = (static_cast<float>(v) + 0.5f) / samples;
      float sum = 0;
      for (int layer = 0; layer <= reach; ++layer)
        for (int y = -reach; y <= reach + 1; ++y)
          for (int x = -reach; x <= reach + 1; ++x)
            sum += volume[static_cast<std::size_t>(layer)] * bump(px - static_cast<float>(x),
                                                                  py - static_cast<float>(y),
                                                                  0.5f + static_cast<float>(layer));
      mean += Bump::finish(sum);
    }
  return static_cast<float>(mean / (samples * samples));
}

template BlobSet colour_blobs<SmoothBump>(const TileGrid&, const SurfaceBand&, float, float,
                                          const BlobSizes&);
template float lone_weight<SmoothBump>(float);
template float flat_surface_value<SmoothBump>(float, bool);
template float flat_surface_value<ConeBump>(float, bool);

}  // namespace panta
