// TileGrid on a device: particles sorted into bins and tiles, with the neighbours of each tile.
// Order and content are those of TileGrid.
#pragma once

#include <span>

#include "panta/core/error.h"
#include "panta/core/field.h"
#include "panta/core/reduce.h"
#include "panta/core/scan.h"
#include "panta/core/sort.h"
#include "panta/surface/device/grid_kernels.h"

namespace panta {

template <class D>
class DeviceGrid {
 public:
  // `reach`: range of a particle in bins. False if no particle has a valid position.
  bool build(const D& exec, std::span<const Vec3> positions, const SurfaceLattice& lattice,
             int reach);

  const TileKeys& keys() const { return keys_; }
  Index particles() const { return kept_; }
  Index tiles() const { return tile_count_; }
  Index occupied() const { return occupied_; }  // tiles with particles
  std::size_t left_out() const { return left_out_; }

  TileView tile_view() const { return TileView{tiles_.data()}; }
  // In sorted order, in cells counted from a corner below all tiles.
  Field4View<D> particle_view() { return particles_.view(); }
  // Start of the bins of occupied tiles, with the end; and the bin of each particle.
  const std::uint32_t* starts() const { return starts_.data(); }
  const std::uint32_t* bin_of() const { return bin_of_.data(); }
  const Index* tile_of_occupied() const { return tile_of_occupied_.data(); }

 private:
  static void check_count(Index tiles, int parts);
  void sort(const D& exec, std::span<const Vec3> positions, const SurfaceLattice& lattice);
  void find_bins(const D& exec);
  void find_tiles(const D& exec, int reach);
  Index keep_unique(const D& exec, const std::uint64_t* sorted, Index n, int shift,
                    std::uint64_t none, Buffer<D, std::uint64_t>& unique);

  TileKeys keys_;
  Index kept_ = 0, occupied_ = 0, tile_count_ = 0;
  std::size_t left_out_ = 0;
  Buffer<D, Vec3> positions_;
  Buffer<D, BinBox> boxes_;
  Buffer<D, std::uint64_t> unsorted_, sorted_;
  Buffer<D, std::uint32_t> order_, first_of_tile_, rank_;
  SortScratch<D, std::uint64_t> sort_scratch_;
  ScanScratch<D> scan_scratch_;
  DeviceValue<D, std::uint32_t> count_;
  Field4<D> particles_;
  Buffer<D, std::uint32_t> bin_of_, starts_;
  Buffer<D, std::uint64_t> occupied_keys_, tile_keys_;
  Buffer<D, Index> tile_of_occupied_;
  Buffer<D, Tile> tiles_;
};

template <class D>
bool DeviceGrid<D>::build(const D& exec, std::span<const Vec3> positions,
                          const SurfaceLattice& lattice, int reach) {
  sort(exec, positions, lattice);
  if (kept_ == 0) return false;
  find_bins(exec);
  find_tiles(exec, reach);
  return true;
}

template <class D>
void DeviceGrid<D>::sort(const D& exec, std::span<const Vec3> positions,
                         const SurfaceLattice& lattice) {
  const Index n = static_cast<Index>(positions.size());
  positions_.resize_discarding(positions.size());
  Memory<D>::upload(positions_.data(), positions.data(), positions.size_bytes());
  surface_kernels::PlaceInBins place{positions_.data(), lattice.bin(), {}};
  for (int k = 0; k < 3; ++k) place.middle[k] = middle_of(positions, k) / lattice.bin();
  keys_ = make_tile_keys(lattice, reduce(exec, n, BinBox{}, place, boxes_));

  unsorted_.resize_discarding(positions.size());
  launch(exec, n, surface_kernels::FindKeys{keys_, positions_.data(), unsorted_.data()});
  sort_by_key(exec, unsorted_, sorted_, order_, n, keys_.tile_bits() + TileKeys::bin_bits + 1,
              sort_scratch_);
  launch(exec, 1, surface_kernels::CountBelow{sorted_.data(), n, keys_.left_out(), count_.data()});
  exec.synchronize();
  kept_ = static_cast<Index>(count_.get());
  left_out_ = positions.size() - static_cast<std::size_t>(kept_);
  particles_.resize(static_cast<std::size_t>(kept_));
  launch(exec, kept_,
         surface_kernels::GatherParticles<D>{keys_, positions_.data(), order_.data(),
                                             particles_.view()});
}

// The distinct tiles of the sorted keys.
template <class D>
Index DeviceGrid<D>::keep_unique(const D& exec, const std::uint64_t* sorted, Index n, int shift,
                                 std::uint64_t none, Buffer<D, std::uint64_t>& unique) {
  const auto size = static_cast<std::size_t>(n);
  first_of_tile_.resize_discarding(size);
  rank_.resize_discarding(size + 1);
  launch(exec, n, surface_kernels::MarkFirst{sorted, shift, none, first_of_tile_.data()});
  exclusive_scan(exec, first_of_tile_.data(), rank_.data(), n, scan_scratch_);
  exec.synchronize();
  std::uint32_t count = 0;
  Memory<D>::download(&count, rank_.data() + n, sizeof count);
  unique.resize_discarding(count);
  launch(exec, n,
         surface_kernels::KeepFirst{sorted, shift, first_of_tile_.data(), rank_.data(),
                                    unique.data()});
  return static_cast<Index>(count);
}

// The number of elements of all tiles must fit an Index.
template <class D>
void DeviceGrid<D>::check_count(Index tiles, int parts) {
  if (tiles <= std::numeric_limits<Index>::max() / parts) return;
  throw Error(ErrorKind::device, "the particles are scattered over " + std::to_string(tiles) +
                                     " tiles, too many for a surface on the GPU; choose "
                                     "--device cpu");
}

template <class D>
void DeviceGrid<D>::find_bins(const D& exec) {
  occupied_ = keep_unique(exec, sorted_.data(), kept_, TileKeys::bin_bits, ~0ull, occupied_keys_);
  check_count(occupied_, bins_per_tile);
  const std::size_t bins = static_cast<std::size_t>(occupied_) * bins_per_tile;
  bin_of_.resize_discarding(static_cast<std::size_t>(kept_));
  launch(exec, kept_,
         surface_kernels::NumberBins{sorted_.data(), first_of_tile_.data(), rank_.data(),
                                     bin_of_.data()});
  starts_.resize_discarding(bins + 1);
  find_key_starts(exec, bin_of_.data(), kept_, starts_.data(), static_cast<std::uint32_t>(bins));
}

// Tiles with particles and the tiles around them within the particles' reach.
template <class D>
void DeviceGrid<D>::find_tiles(const D& exec, int reach) {
  using namespace surface_kernels;
  const Index reached = occupied_ * neighbor_slots;
  unsorted_.resize_discarding(static_cast<std::size_t>(reached));
  launch(exec, reached,
         ReachTiles{keys_, occupied_keys_.data(), starts_.data(), reach, unsorted_.data()});
  sort_by_key(exec, unsorted_, sorted_, order_, reached, keys_.tile_bits() + 1, sort_scratch_);
  tile_count_ = keep_unique(exec, sorted_.data(), reached, 0, keys_.no_tile(), tile_keys_);
  check_count(tile_count_, rows_per_tile);
  tiles_.resize_discarding(static_cast<std::size_t>(tile_count_));
  tile_of_occupied_.resize_discarding(static_cast<std::size_t>(occupied_));
  launch(exec, tile_count_,
         DescribeTiles{keys_, tile_keys_.data(), occupied_keys_.data(), occupied_, starts_.data(),
                       tiles_.data(), tile_of_occupied_.data()});
  launch(exec, tile_count_ * neighbor_slots,
         LinkTiles{keys_, tile_keys_.data(), tile_count_, tiles_.data()});
}

}  // namespace panta
