// Double density relaxation as in the paper (Algorithm 2): particles are updated one after the
// other, with the positions already changed. On the CPU.
//
//   for each i:  rho, rho_near over its neighbours; for each of them
//                x_j += D/2, dx -= D/2;  x_i += dx
// Two schedules. `sequential`: all particles in a fixed random order, by one thread. `coloured`:
// cells at least h wide; a particle moves only particles of its own cell and the 26 around it, so
// cells of one colour out of 27, which are three apart, are independent and processed at the same
// time; in a cell the order is that of the ids. The order of the colours changes in each step, so
// that no side is always first. Neither depends on the number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "panta/core/random.h"
#include "panta/methods/viscoelastic_clavet2005/density.h"
#include "panta/methods/viscoelastic_clavet2005/substances.h"
#include "panta/neighbors/lists_view.h"
#include "panta/neighbors/pair_maths.h"

namespace panta::viscoelastic {

// The update of one particle. It moves itself and its neighbours.
template <bool Weighted>
struct RelaxInTurn {
  Kernel kernel;
  RelaxationWalls<Cpu> walls;
  RecordsView<Cpu, Record4> places;  // changed in place
  RecordsView<Cpu> records;          // result: as of FindPressures, of each update
  ListsView<Cpu> lists;
  Periodicity periodicity;
  const std::uint32_t* phase;
  const std::uint32_t* held;
  const Substances* substances;
  float dt;
  float most;
  std::uint32_t* clamped;
  Weights weights;

  void operator()(Index i) const {
    const std::uint32_t* list = lists.row(i);
    const Index count = lists.count(i);
    const Vec3 x = places.p[i].first.xyz();
    float density = 0, near = 0;
    const auto towards = [&](Index j) {
      Vec3 d = places.p[j].first.xyz() - x;
      periodicity.shorten(d);
      return d;
    };
    for (Index k = 0; k < count; ++k) {
      const Index j = static_cast<Index>(list[k]);
      const float reach = kernel.reach(length(towards(j)));
      const float reach2 = weights.of<Weighted>(j) * reach * reach;
      density += reach2;
      near += reach2 * reach;
    }
    const bool free = !(held && held[i]);
    if (free) {
      const WallSums behind = walls.behind(i, x);
      density += behind.density;
      near += behind.near;
    }
    const float p = kernel.pressure(density), p_near = kernel.near_pressure(near);
    const float mine = substances->mobility[phase[i]];
    records.p[i] = {{x.x, x.y, x.z, p}, {p_near, 0, density, near}};
    Vec3 move;
    for (Index k = 0; k < count; ++k) {
      const Index j = static_cast<Index>(list[k]);
      const Vec3 d = towards(j);
      const float r = maximum(length(d), 1e-12f), reach = kernel.reach(r);
      const Vec3 half = d * (0.5f * dt * dt * reach * (p + p_near * reach) / r);
      if (!(held && held[j]))
        shift(j, half * (substances->mobility[phase[j]] * weights.of<Weighted>(i)));
      move -= half * (mine * weights.of<Weighted>(j));
    }
    if (!free) return;
    move += walls.push(i, x, p, p_near) * (dt * dt * mine);
    const float far = length(move);
    if (far > most) {
      move = move * (most / far);
      atomic_add(clamped, 1u);
    }
    shift(i, move);
  }

 private:
  void shift(Index i, const Vec3& by) const {
    Vec4& at = places.p[i].first;
    at = {at.x + by.x, at.y + by.y, at.z + by.z, at.w};
  }
};

// The order of updates: colour after colour, the cells of a colour at the same time.
class TurnOrder {
 public:
  // All in one cell.
  void make_sequential(const std::uint32_t* ids, Index n) {
    items_.clear();
    for (Index i = 0; i < n; ++i)
      items_.push_back({0, {}, static_cast<std::uint32_t>(mix_bits(ids[i] + 1ull) >> 32), i});
    arrange();
  }
  void make_coloured(const Field4View<Cpu>& places, const std::uint32_t* ids, Index n, float h,
                     const Vec3& period, const Vec3& origin) {
    const float wide = 1.001f * h;  // margin for the rounding of coordinates
    items_.clear();
    for (Index i = 0; i < n; ++i) {
      Item item{0, {}, ids[i], i};
      const Vec3 x = places.xyz(i);
      for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        // A periodic axis has a whole number of cells, a multiple of three.
        const int ring = period[axis] > 0 ? static_cast<int>(period[axis] / wide) / 3 * 3 : 0;
        const float cell = ring > 0 ? period[axis] / static_cast<float>(ring) : wide;
        int at = static_cast<int>(std::floor((x[axis] - origin[axis]) / cell));
        if (period[axis] > 0 && ring == 0) at = 0;
        if (ring > 0) at = ((at % ring) + ring) % ring;
        item.cell[a] = at;
        item.colour = 3 * item.colour + static_cast<std::uint32_t>(((at % 3) + 3) % 3);
      }
      items_.push_back(item);
    }
    arrange();
  }

  template <class Turn>
  void run(const Cpu& exec, std::uint64_t step, const Turn& turn) const {
    std::vector<std::size_t> colours(colours_.size() - 1);
    std::iota(colours.begin(), colours.end(), std::size_t{0});
    const auto rank = [&](std::size_t c) { return mix_bits(64 * step + c); };
    std::sort(colours.begin(), colours.end(),
              [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    for (const std::size_t c : colours) {
      const std::size_t first = colours_[c];
      launch_uneven(exec, static_cast<Index>(colours_[c + 1] - first), 1, [&](Index k) {
        const std::size_t cell = first + static_cast<std::size_t>(k);
        for (std::size_t m = cells_[cell]; m < cells_[cell + 1]; ++m) turn(items_[m].index);
      });
    }
  }

 private:
  struct Item {
    std::uint32_t colour;
    std::array<int, 3> cell;
    std::uint32_t rank;
    Index index;
  };
  void arrange() {
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
      if (a.colour != b.colour) return a.colour < b.colour;
      if (a.cell != b.cell) return a.cell < b.cell;
      return a.rank != b.rank ? a.rank < b.rank : a.index < b.index;
    });
    cells_.clear();
    colours_.clear();
    for (std::size_t m = 0; m < items_.size(); ++m) {
      const bool colour = m == 0 || items_[m].colour != items_[m - 1].colour;
      if (colour) colours_.push_back(cells_.size());
      if (colour || items_[m].cell != items_[m - 1].cell) cells_.push_back(m);
    }
    colours_.push_back(cells_.size());
    cells_.push_back(items_.size());
  }

  std::vector<Item> items_;
  std::vector<std::size_t> cells_, colours_;  // where they begin
};

}  // namespace panta::viscoelastic
