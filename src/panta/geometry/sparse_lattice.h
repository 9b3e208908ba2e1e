// Values on a large regular lattice with few points in use: blocks of 8^3 are allocated at the
// first access.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace panta {

using LatticeIndex = std::array<int, 3>;

template <class T>
class SparseLattice {
 public:
  // Indices run from 0 to `points` - 1 along each axis.
  SparseLattice(const LatticeIndex& points, const T& unset) : unset_(unset) {
    std::size_t count = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      blocks_[axis] = static_cast<std::size_t>(points[axis] + edge - 1) / edge;
      count *= blocks_[axis];
    }
    block_.assign(count, -1);
  }

  T& at(const LatticeIndex& i) {
    std::int32_t& block = block_[block_of(i)];
    if (block < 0) {
      block = static_cast<std::int32_t>(values_.size() / values_per_block);
      values_.resize(values_.size() + values_per_block, unset_);
    }
    return values_[place(block, i)];
  }
  const T& at(const LatticeIndex& i) const {
    const std::int32_t block = block_[block_of(i)];
    return block < 0 ? unset_ : values_[place(block, i)];
  }

 private:
  static constexpr int edge = 8;
  static constexpr std::size_t values_per_block = edge * edge * edge;

  std::size_t block_of(const LatticeIndex& i) const {
    const auto along = [&](std::size_t axis) { return static_cast<std::size_t>(i[axis] / edge); };
    return (along(2) * blocks_[1] + along(1)) * blocks_[0] + along(0);
  }
  static std::size_t place(std::int32_t block, const LatticeIndex& i) {
    const int in_block = ((i[2] % edge) * edge + i[1] % edge) * edge + i[0] % edge;
    return static_cast<std::size_t>(block) * values_per_block + static_cast<std::size_t>(in_block);
  }

  T unset_;
  std::array<std::size_t, 3> blocks_;
  std::vector<std::int32_t> block_;
  std::vector<T> values_;
};

}  // namespace panta
