// Particles sorted into bins of about a spacing, and bins into tiles of 8 x 8 x 8: the sparse grid
// for surface reconstruction. A bin is an integer number of lattice cells wide; the lattice is
// fixed in space, so that the surface of a liquid does not depend on particles elsewhere.
//
// Tiles exist where particles are and within their reach. Everything is in the order of tiles (z,
// then y, then x), then bins, then the input order of particles, so that no result depends on
// threads.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "panta/core/vec.h"

namespace panta {

inline constexpr int tile_bins = 8;  // across
inline constexpr int bins_per_tile = tile_bins * tile_bins * tile_bins;

struct BinCoordinates {
  std::int32_t x = 0, y = 0, z = 0;
};

// From a bin's number within its tile.
constexpr BinCoordinates bin_at(int bin) {
  return {bin % tile_bins, bin / tile_bins % tile_bins, bin / (tile_bins * tile_bins)};
}

struct Tile {
  BinCoordinates first;     // its lowest bin
  std::uint32_t begin = 0;  // its particles, in sorted order
  std::uint32_t end = 0;
  std::int32_t bins = -1;                   // index of its table of bins; -1: no particles
  std::array<std::int32_t, 27> neighbor{};  // the 27 tiles around it (itself at 13), -1: none
};

// Whether a bin, counted from a tile's first, lies in it (0) or in the tile before or behind it.
constexpr int side_of(int bin) { return bin < 0 ? -1 : bin >= tile_bins ? 1 : 0; }

constexpr int neighbor_slot(int dx, int dy, int dz) { return (dz + 1) * 9 + (dy + 1) * 3 + dx + 1; }

// A lattice of points at the distance `cell`, and the number of its cells along a bin.
struct SurfaceLattice {
  float cell = 0;         // m
  int cells_per_bin = 0;  // along each axis
  float bin() const { return cell * static_cast<float>(cells_per_bin); }
};
SurfaceLattice make_lattice(float cell, float spacing);

// The number of bins that cover a distance in cells.
inline int bins_within(const SurfaceLattice& lattice, float cells) {
  constexpr float rounding = 1e-5f;  // tolerance for distances of a whole number of bins
  return static_cast<int>(std::ceil(cells / static_cast<float>(lattice.cells_per_bin) - rounding));
}

// Largest distance in bins from the middle of the particles: beyond it, float would not be precise
// enough for the other particles. Three tile coordinates of 18 bits and a bin's 9 fit a key of 64
// bits.
inline constexpr double farthest_bin = (1 << 20) - 8 * tile_bins;

// The median of a sample of the finite coordinates along an axis, 0 if there are none.
double middle_of(std::span<const Vec3> positions, int axis);

class TileGrid {
 public:
  // `reach`: range of a particle in bins. Positions that are not finite, or farther than
  // farthest_bin from the middle, are skipped.
  TileGrid(std::span<const Vec3> positions, const SurfaceLattice& lattice, int reach, int threads);

  const SurfaceLattice& lattice() const { return lattice_; }
  int reach() const { return reach_; }
  int threads() const { return threads_; }
  std::size_t left_out() const { return left_out_; }

  const std::vector<Tile>& tiles() const { return tiles_; }
  std::size_t size() const { return order_.size(); }
  // In sorted order: coordinates in cells, counted from a corner below all tiles (a pack may be
  // read past the end), and the particles' original indices.
  const float* coordinate(int axis) const {
    return positions_[static_cast<std::size_t>(axis)].data();
  }
  Vec3 position(std::size_t k) const {
    return {positions_[0][k], positions_[1][k], positions_[2][k]};
  }
  const std::vector<std::uint32_t>& order() const { return order_; }

  // The first particle of a bin of a tile that has particles; bin bins_per_tile: the end.
  std::uint32_t bin_begin(const Tile& tile, int bin) const {
    return starts_[static_cast<std::size_t>(tile.bins) * (bins_per_tile + 1) +
                   static_cast<std::size_t>(bin)];
  }

  // The tile of a bin, counted from the corner below all tiles; -1: there is none.
  std::int32_t tile_of(const BinCoordinates& bin) const;

  // Calls visit(begin, end) for the runs of particles in the bins [from, to) along x of a row of
  // bins, all counted from the tile's first and at most a tile away from it.
  template <class Visit>
  void for_each_run(const Tile& tile, int from, int to, int y, int z, const Visit& visit) const {
    const int ty = side_of(y), tz = side_of(z);
    const int row = ((z - tz * tile_bins) * tile_bins + y - ty * tile_bins) * tile_bins;
    for (int tx = side_of(from); tx <= side_of(to - 1); ++tx) {
      const std::int32_t other = tile.neighbor[static_cast<std::size_t>(neighbor_slot(tx, ty, tz))];
      if (other < 0 || tiles_[static_cast<std::size_t>(other)].bins < 0) continue;
      const Tile& owner = tiles_[static_cast<std::size_t>(other)];
      const int first = from - tx * tile_bins, last = to - tx * tile_bins;
      const std::uint32_t begin = bin_begin(owner, row + (first > 0 ? first : 0));
      const std::uint32_t end = bin_begin(owner, row + (last < tile_bins ? last : tile_bins));
      if (begin < end) visit(begin, end);
    }
  }

  // Converts a position in cells, as in coordinate(), to space.
  Vec3 to_space(const Vec3& cells) const;

 private:
  void sort(std::span<const Vec3> positions);
  void find_tiles(std::span<const std::uint64_t> keys);
  void link_tiles();
  BinCoordinates first_bin(std::uint64_t tile_key) const;
  std::int32_t find_tile(std::uint64_t tile_key) const;
  std::vector<std::uint32_t> sides_reached() const;
  std::uint64_t key_beside(std::uint64_t key, int slot) const;

  SurfaceLattice lattice_;
  int reach_, threads_;
  std::size_t left_out_ = 0;
  BinCoordinates origin_;  // the lowest bin, a multiple of tile_bins: coordinates count from here
  std::array<int, 3> bits_{};  // of tile coordinates along x, y, z in a key
  std::vector<Tile> tiles_;
  std::vector<std::uint64_t> tile_keys_;
  std::array<std::vector<float>, 3> positions_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> starts_;  // per tile with particles: where each bin starts
};

}  // namespace panta
