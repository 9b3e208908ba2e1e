#include "panta/surface/anisotropy.h"

#include "panta/surface/anisotropic_shape.h"
#include "panta/surface/neighbor_packs.h"

namespace panta {
namespace {

using Moments = anisotropic::MomentSums<F16>;
using Frames = anisotropic::Frame<F16>;
using Layers = anisotropic::LayerSums<F16>;

// Stores the sum over all lanes of each part in one lane.
void put(Moments& all, const Moments& parts, int lane) {
  for (const auto sum : {&Moments::w, &Moments::x, &Moments::y, &Moments::z, &Moments::xx,
                         &Moments::yy, &Moments::zz, &Moments::xy, &Moments::xz, &Moments::yz})
    (all.*sum)[lane] = lane_sum(parts.*sum);
}
void put(Layers& all, const Layers& parts, int lane) {
  all.crowd[lane] = lane_sum(parts.crowd);
  all.weight[lane] = lane_sum(parts.weight);
  for (int k = 0; k < 3; ++k) all.offset[k][lane] = lane_sum(parts.offset[k]);
}

// Computes the blobs of a tile's particles. Neighbours are collected for a cube of bins at once.
// Then sixteen particles at a time: sums over their neighbours, axes, and sums along these axes.
// If particles have sizes (`sized`), the sums are over offsets in units of the particle's size.
template <bool sized>
class Shaper {
 public:
  Shaper(const TileGrid& grid, const SurfaceBand& band, float radius, float spacing,
         const BlobSizes& sizes, BlobSet& set)
      : grid_(grid),
        band_(band),
        sizes_(sizes),
        set_(set),
        scale_(anisotropic::make_scale(radius, spacing)),
        collected_radius_(scale_.neighbor_radius * largest_size(sizes.size)) {}

  void shape_tile(std::size_t t) {
    const Tile& tile = grid_.tiles()[t];
    if (tile.bins < 0) return;
    for (int cube = 0; cube < cubes_per_tile; ++cube) {
      const BinCoordinates first = first_bin_of(cube);
      bool collected = false;
      for (int k = 0; k < cube_bins * cube_bins * cube_bins; ++k) {
        const int x = first.x + k % cube_bins, y = first.y + k / cube_bins % cube_bins,
                  z = first.z + k / (cube_bins * cube_bins);
        if (!band_.contributing[t].has(x, y, z)) continue;
        if (!collected)
          collect_around(grid_, tile, first, cube_bins, collected_radius_, sizes_, near_);
        collected = true;
        const int bin = (z * tile_bins + y) * tile_bins + x;
        for (std::uint32_t i = grid_.bin_begin(tile, bin); i < grid_.bin_begin(tile, bin + 1); ++i)
          add(i);
      }
    }
    if (count_ > 0) finish_batch();
  }

 private:
  static constexpr int cube_bins = 2, cubes_across = tile_bins / cube_bins,
                       cubes_per_tile = cubes_across * cubes_across * cubes_across;
  static BinCoordinates first_bin_of(int cube) {
    return {cube % cubes_across * cube_bins, cube / cubes_across % cubes_across * cube_bins,
            cube / (cubes_across * cubes_across) * cube_bins};
  }

  // Adds a particle to the batch: its neighbours and their moments.
  void add(std::uint32_t particle) {
    const Vec3 at = grid_.position(particle);
    const std::size_t begin = offsets_.size();
    offsets_.make_room(near_.size());
    const float own = sized ? sizes_[particle] : 1, reach = scale_.neighbor_radius * own;
    const float square = reach * reach;
    for (std::size_t k = 0; k < near_.size(); k += pack_width) {
      const F16 dx = load(near_.coordinate(0) + k) - at.x,
                dy = load(near_.coordinate(1) + k) - at.y,
                dz = load(near_.coordinate(2) + k) - at.z;
      const LaneMask inside = lanes_below(dx * dx + dy * dy + dz * dz, square);
      if constexpr (sized) {
        const float scale = 1 / own, share = 1 / sizes_.volume[particle];
        offsets_.add(inside, dx * scale, dy * scale, dz * scale, load(near_.volume() + k) * share);
      } else {
        offsets_.add(inside, dx, dy, dz);
      }
    }
    offsets_.fill_up();
    Moments sums;
    const float inverse = 1 / scale_.neighbor_radius;
    each_offset(begin, offsets_.size(), [&](F16 dx, F16 dy, F16 dz, auto share) {
      sums.add(share * anisotropic::neighbor_weight(dx, dy, dz, inverse), dx, dy, dz);
    });
    put(moments_, sums, count_);
    particle_[static_cast<std::size_t>(count_)] = particle;
    first_offset_[static_cast<std::size_t>(count_) + 1] = offsets_.size();
    if (++count_ == pack_width) finish_batch();
  }

  template <class Visit>
  void each_offset(std::size_t begin, std::size_t end, const Visit& visit) const {
    for (std::size_t k = begin; k < end; k += pack_width) {
      const F16 dx = load(offsets_.coordinate(0) + k), dy = load(offsets_.coordinate(1) + k),
                dz = load(offsets_.coordinate(2) + k);
      if constexpr (sized)
        visit(dx, dy, dz, load(offsets_.volume() + k));
      else
        visit(dx, dy, dz, anisotropic::FullShare{});
    }
  }

  void finish_batch() {
    const Frames frames = anisotropic::find_frame(moments_, scale_.full_variance);
    Layers sums;
    for (int lane = 0; lane < count_; ++lane) put(sums, layer_of(frames, lane), lane);
    write_blobs(frames, sums);
    offsets_.clear();
    count_ = 0;
  }

  Layers layer_of(const Frames& frames, int lane) const {
    anisotropic::Window window;
    for (int k = 0; k < 3; ++k) {
      const Vec3T<F16>& e = frames.axes.vector[k];
      window.set(k, {e.x[lane], e.y[lane], e.z[lane]}, frames.size[k][lane], frames.thin[k][lane],
                 scale_.radius);
    }
    Layers sums;
    const auto slot = static_cast<std::size_t>(lane);
    each_offset(first_offset_[slot], first_offset_[slot + 1],
                [&](F16 dx, F16 dy, F16 dz, auto share) { sums.add(window, dx, dy, dz, share); });
    return sums;
  }

  void write_blobs(const Frames& frames, const Layers& sums) {
    const Vec3T<F16> shift = anisotropic::shift_of(frames, sums, scale_.radius);
    const auto form = anisotropic::ellipsoid_of(frames, scale_.radius);
    for (int l = 0; l < count_; ++l) {
      const std::uint32_t particle = particle_[static_cast<std::size_t>(l)];
      const float own = sized ? sizes_[particle] : 1;
      set_.blobs[set_.of_particle[particle]] = {
          grid_.position(particle) + Vec3{shift.x[l], shift.y[l], shift.z[l]} * own,
          form.xx[l],
          form.yy[l],
          form.zz[l],
          form.xy[l],
          form.xz[l],
          form.yz[l],
          blob_weight(sums.crowd[l], scale_.full_sum, anisotropic::volume_power),
          {form.box.x[l], form.box.y[l], form.box.z[l]}};
      if constexpr (sized) magnify(set_.blobs[set_.of_particle[particle]], own);
    }
  }

  // The form of a blob from units of the particle's size.
  static void magnify(Blob& blob, float own) {
    const float f = 1 / (own * own);
    for (const auto part : {&Blob::xx, &Blob::yy, &Blob::zz, &Blob::xy, &Blob::xz, &Blob::yz})
      blob.*part *= f;
    blob.half = blob.half * own;
  }

  const TileGrid& grid_;
  const SurfaceBand& band_;
  const BlobSizes& sizes_;
  BlobSet& set_;
  anisotropic::Scale scale_;
  float collected_radius_;

  DensePacks<sized> near_;     // neighbours of the current cube
  DensePacks<sized> offsets_;  // to the neighbours of the batch's particles
  int count_ = 0;              // particles in the batch
  std::array<std::uint32_t, pack_width> particle_{};
  std::array<std::size_t, pack_width + 1> first_offset_{};
  Moments moments_;
};

template <bool sized>
BlobSet shaped_blobs(const TileGrid& grid, const SurfaceBand& band, float radius, float spacing,
                     const BlobSizes& sizes) {
  BlobSet set = allocate_blobs(grid, band, grid.reach());
#pragma omp parallel num_threads(grid.threads())
  {
    Shaper<sized> shaper(grid, band, radius, spacing, sizes, set);
#pragma omp for schedule(dynamic, 4)
    for (std::int64_t t = 0; t < static_cast<std::int64_t>(grid.tiles().size()); ++t)
      shaper.shape_tile(static_cast<std::size_t>(t));
  }
  return set;
}

}  // namespace

BlobSet anisotropic_blobs(const TileGrid& grid, const SurfaceBand& band, float radius,
                          float spacing, const BlobSizes& sizes) {
  return sizes.empty() ? shaped_blobs<false>(grid, band, radius, spacing, sizes)
                       : shaped_blobs<true>(grid, band, radius, spacing, sizes);
}

float anisotropic_flat_value(float radius) {
  // A slab of lattice with cells of one spacing; the field at the middle of its upper side does not
  // depend on its other sides.
  const int reach =
      static_cast<int>(std::ceil(radius * (anisotropic_reach + anisotropic::neighbor_radius)));
  const int across = 2 * reach + 2;
  std::vector<Vec3> lattice;
  for (int z = 0; z < across; ++z)
    for (int y = -reach; y <= 0; ++y)
      for (int x = 0; x < across; ++x)
        lattice.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
  const TileGrid grid(lattice, make_lattice(1, 1),
                      static_cast<int>(std::ceil(radius * anisotropic_reach)), 1);
  const BlobSet set = anisotropic_blobs(grid, find_band(grid, 1), radius, 1);
  const Vec3 middle = grid.position(0) - lattice[grid.order()[0]] +
                      Vec3{static_cast<float>(reach), 0.5f, static_cast<float>(reach)};
  constexpr int samples = 8;  // across a lattice cell
  double sum = 0;
  for (int v = 0; v < samples; ++v)
    for (int u = 0; u < samples; ++u) {
      const Vec3 at = middle + Vec3{(static_cast<float>(u) + 0.5f) / samples, 0,
                                    (static_cast<float>(v) + 0.5f) / samples};
      for (const Blob& blob : set.blobs) sum += blob.weight * SmoothBump::bump(blob.q2(at));
    }
  return static_cast<float>(sum / (samples * samples));
}

}  // namespace panta
