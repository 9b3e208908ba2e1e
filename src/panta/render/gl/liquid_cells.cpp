#include "panta/render/gl/liquid_cells.h"

#include <algorithm>
#include <cmath>

#include "panta/render/camera.h"

namespace panta {

namespace {

constexpr float cell_spacings = 2;
constexpr float full = 0.4f;  // relative to the number of particles in a cell at rest
constexpr double most_cells = 1 << 24;

// A grid around all particles with one layer of empty cells around it.
class CellGrid {
 public:
  CellGrid(const Bounds& bounds, float spacing) : cell_(cell_spacings * spacing) {
    const Vec3 size = bounds.max - bounds.min;
    const auto cells = [&](float length) { return std::floor(length / cell_) + 3.0; };
    while (cells(size.x) * cells(size.y) * cells(size.z) > most_cells) cell_ *= 1.5f;
    low_ = bounds.min - Vec3{1, 1, 1} * cell_;
    for (int k = 0; k < 3; ++k) count_[k] = static_cast<std::size_t>(cells(size[k]));
  }

  std::size_t cells() const { return count_[0] * count_[1] * count_[2]; }
  std::size_t row() const { return count_[0]; }
  std::size_t layer() const { return count_[0] * count_[1]; }
  float cell() const { return cell_; }

  std::size_t index(const Vec3& p) const {
    const Vec3 at = (p - low_) * (1 / cell_);
    return static_cast<std::size_t>(at.x) + row() * static_cast<std::size_t>(at.y) +
           layer() * static_cast<std::size_t>(at.z);
  }

 private:
  Vec3 low_;
  float cell_;
  std::size_t count_[3];
};

// Full cells whose 26 neighbours are full too, found one axis after the other.
std::vector<std::uint8_t> inner_cells(const CellGrid& grid, const std::vector<std::uint32_t>& held,
                                      float spacing) {
  const float at_rest = std::pow(grid.cell() / spacing, 3.0f);
  const auto least = static_cast<std::uint32_t>(std::ceil(full * at_rest));
  std::vector<std::uint8_t> inside(held.size()), before;
  for (std::size_t k = 0; k < held.size(); ++k) inside[k] = held[k] >= least;
  for (const std::size_t step : {std::size_t{1}, grid.row(), grid.layer()}) {
    before = inside;
    for (std::size_t k = step; k + step < before.size(); ++k)
      inside[k] = before[k - step] & before[k] & before[k + step];
  }
  return inside;
}

}  // namespace

LiquidCells find_cells(const std::vector<Vec3>& position, float spacing) {
  LiquidCells out;
  if (position.empty()) return out;
  Bounds bounds;
  for (const Vec3& p : position) bounds.include(p);
  const CellGrid grid(bounds, spacing);
  std::vector<std::uint32_t> held(grid.cells());
  for (const Vec3& p : position) ++held[grid.index(p)];
  const std::vector<std::uint8_t> inside = inner_cells(grid, held, spacing);

  constexpr std::uint32_t none = ~0u;
  std::vector<std::uint32_t> place(grid.cells(), none);  // index of a cell in `out`
  for (std::size_t k = 0; k < position.size(); ++k) {
    const std::size_t cell = grid.index(position[k]);
    if (!inside[cell]) {
      out.seen.push_back(static_cast<std::uint32_t>(k));
      continue;
    }
    if (place[cell] == none) {
      place[cell] = static_cast<std::uint32_t>(out.middle.size());
      out.middle.emplace_back();
      out.count.push_back(0);
    }
    out.middle[place[cell]] += position[k];
    out.count[place[cell]] += 1;
  }
  for (std::size_t k = 0; k < out.middle.size(); ++k)
    out.middle[k] = out.middle[k] * (1 / out.count[k]);
  return out;
}

}  // namespace panta
