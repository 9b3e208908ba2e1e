// The blobs of the particles that reach the band, on a device. They are numbered in the order of
// their particles, so that the blobs of a row of bins are contiguous.
#pragma once

#include "panta/surface/anisotropic_shape.h"
#include "panta/surface/device/device_band.h"
#include "panta/surface/device/field_plan.h"

namespace panta {

// Aligned for wide loads.
struct alignas(16) StoredBlob {
  Blob blob;
};

struct BlobView {
  const StoredBlob* blobs;
  const std::uint32_t* starts;  // by bin, as for particles
};

namespace surface_kernels {

// The number of blobs of each bin.
struct CountContributing {
  const std::uint32_t* starts;
  const Index* tile_of_occupied;
  const unsigned char* contributing;
  std::uint32_t* counts;
  PANTA_HD void operator()(Index bin) const {
    const Index row =
        tile_of_occupied[bin / bins_per_tile] * rows_per_tile + bin % bins_per_tile / tile_bins;
    const bool contributes = (contributing[row] >> bin % tile_bins & 1) != 0;
    counts[bin] = contributes ? starts[bin + 1] - starts[bin] : 0;
  }
};

struct ListContributing {
  const std::uint32_t *bin_of, *starts, *blob_starts;
  std::uint32_t* particle_of;
  PANTA_HD void operator()(Index i) const {
    const std::uint32_t bin = bin_of[i], first = blob_starts[bin];
    if (first < blob_starts[bin + 1])
      particle_of[first + (static_cast<std::uint32_t>(i) - starts[bin])] =
          static_cast<std::uint32_t>(i);
  }
};

// A particle and the search for its neighbours.
template <class D>
struct Surroundings {
  TileView view;
  const std::uint32_t* starts;
  Field4View<D> particles;
  float cells_per_bin;
  int reach;  // bins

  // Calls visit(dx, dy, dz) with the offsets to at least all particles within `distance`, in cells,
  // of `at`; its bin is counted from the tile's first.
  template <class Visit>
  PANTA_HD void each(const Tile& tile, const BinCoordinates& bin, const Vec3& at, float distance,
                     const Visit& visit) const {
    for (int z = bin.z - reach; z <= bin.z + reach; ++z) {
      const float gap_z = gap(at.z, tile.first.z + z, cells_per_bin);
      for (int y = bin.y - reach; y <= bin.y + reach; ++y) {
        const float gap_y = gap(at.y, tile.first.y + y, cells_per_bin);
        if (gap_y * gap_y + gap_z * gap_z >= distance * distance) continue;
        view.each_run(tile, starts, bin.x - reach, bin.x + reach + 1, y, z,
                      [&](std::uint32_t begin, std::uint32_t end) {
                        for (std::uint32_t k = begin; k < end; ++k) {
                          const Vec3 d = particles.xyz(static_cast<Index>(k)) - at;
                          visit(d.x, d.y, d.z);
                        }
                      });
      }
    }
  }
};

// Equal blobs.
struct EqualBlobs {
  float radius;
  template <class D>
  PANTA_HD Blob make(const Surroundings<D>&, const Tile&, const BinCoordinates&,
                     const Vec3& at) const {
    return round_blob(at, radius, 1);
  }
};

// Weighted by volume, as in colour_field.h.
template <class Bump>
struct WeightedBlobs {
  float radius, full_sum;
  template <class D>
  PANTA_HD Blob make(const Surroundings<D>& around, const Tile& tile, const BinCoordinates& bin,
                     const Vec3& at) const {
    const float f = 1 / (radius * radius);
    float sum = 0;
    around.each(tile, bin, at, radius, [&](float dx, float dy, float dz) {
      sum += Bump::bump((dx * dx + dy * dy + dz * dz) * f);
    });
    return round_blob(at, radius, blob_weight(sum, full_sum, colour_volume_power));
  }
};

// Shaped by the neighbours, as in anisotropy.h.
struct ShapedBlobs {
  anisotropic::Scale scale;
  template <class D>
  PANTA_HD Blob make(const Surroundings<D>& around, const Tile& tile, const BinCoordinates& bin,
                     const Vec3& at) const {
    using namespace anisotropic;
    const float inverse = 1 / scale.neighbor_radius;
    MomentSums<float> moments;
    around.each(tile, bin, at, scale.neighbor_radius, [&](float dx, float dy, float dz) {
      moments.add(neighbor_weight(dx, dy, dz, inverse), dx, dy, dz);
    });
    const Frame<float> frame = find_frame(moments, scale.full_variance);
    Window window;
    for (int k = 0; k < 3; ++k)
      window.set(k, frame.axes.vector[k], frame.size[k], frame.thin[k], scale.radius);
    LayerSums<float> sums;
    around.each(tile, bin, at, scale.radius,
                [&](float dx, float dy, float dz) { sums.add(window, dx, dy, dz); });
    const Ellipsoid<float> form = ellipsoid_of(frame, scale.radius);
    return {at + shift_of(frame, sums, scale.radius),
            form.xx,
            form.yy,
            form.zz,
            form.xy,
            form.xz,
            form.yz,
            blob_weight(sums.crowd, scale.full_sum, volume_power),
            form.box};
  }
};

template <class D, class Kind>
struct MakeBlobs {
  Kind kind;
  Surroundings<D> around;
  const std::uint32_t *particle_of, *bin_of;
  const Index* tile_of_occupied;
  StoredBlob* out;
  PANTA_HD void operator()(Index b) const {
    const Index i = static_cast<Index>(particle_of[b]);
    const std::uint32_t bin = bin_of[i];
    const Tile& tile = around.view.tiles[tile_of_occupied[bin / bins_per_tile]];
    const BinCoordinates place = bin_at(static_cast<int>(bin % bins_per_tile));
    out[b].blob = kind.make(around, tile, place, around.particles.xyz(i));
  }
};

}  // namespace surface_kernels

template <class D>
class DeviceBlobs {
 public:
  void make(const D& exec, DeviceGrid<D>& grid, const DeviceBand<D>& band, const FieldPlan& plan);
  BlobView view() const { return {blobs_.data(), starts_.data()}; }

 private:
  void list_contributing(const D& exec, DeviceGrid<D>& grid, const DeviceBand<D>& band);
  template <class Kind>
  void make_kind(const D& exec, DeviceGrid<D>& grid, const FieldPlan& plan, const Kind& kind);

  Buffer<D, std::uint32_t> counts_, starts_, particle_of_;
  Buffer<D, StoredBlob> blobs_;
  ScanScratch<D> scratch_;
};

template <class D>
void DeviceBlobs<D>::list_contributing(const D& exec, DeviceGrid<D>& grid,
                                       const DeviceBand<D>& band) {
  using namespace surface_kernels;
  const Index bins = grid.occupied() * bins_per_tile;
  counts_.resize_discarding(static_cast<std::size_t>(bins));
  starts_.resize_discarding(static_cast<std::size_t>(bins) + 1);
  launch(exec, bins,
         CountContributing{grid.starts(), grid.tile_of_occupied(), band.contributing(),
                           counts_.data()});
  exclusive_scan(exec, counts_.data(), starts_.data(), bins, scratch_);
  exec.synchronize();
  std::uint32_t count = 0;
  Memory<D>::download(&count, starts_.data() + bins, sizeof count);
  particle_of_.resize_discarding(count);
  blobs_.resize_discarding(count);
  launch(exec, grid.particles(),
         ListContributing{grid.bin_of(), grid.starts(), starts_.data(), particle_of_.data()});
}

template <class D>
template <class Kind>
void DeviceBlobs<D>::make_kind(const D& exec, DeviceGrid<D>& grid, const FieldPlan& plan,
                               const Kind& kind) {
  using namespace surface_kernels;
  const Surroundings<D> around{grid.tile_view(), grid.starts(), grid.particle_view(),
                               static_cast<float>(plan.lattice.cells_per_bin), plan.reach};
  launch(exec, static_cast<Index>(blobs_.size()),
         MakeBlobs<D, Kind>{kind, around, particle_of_.data(), grid.bin_of(),
                            grid.tile_of_occupied(), blobs_.data()});
}

template <class D>
void DeviceBlobs<D>::make(const D& exec, DeviceGrid<D>& grid, const DeviceBand<D>& band,
                          const FieldPlan& plan) {
  using namespace surface_kernels;
  list_contributing(exec, grid, band);
  switch (plan.method) {
    case SurfaceMethod::anisotropic:
      return make_kind(exec, grid, plan,
                       ShapedBlobs{anisotropic::make_scale(plan.radius, plan.spacing)});
    case SurfaceMethod::colour:
      return make_kind(exec, grid, plan,
                       WeightedBlobs<SmoothBump>{
                           plan.radius, lattice_sum<SmoothBump>(plan.radius / plan.spacing)});
    default:
      return make_kind(exec, grid, plan, EqualBlobs{plan.radius});
  }
}

}  // namespace panta
