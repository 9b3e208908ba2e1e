// The rules are in the header.
#include "panta/scene/filled_region.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "panta/core/error_format.h"
#include "panta/geometry/bounds.h"
#include "panta/geometry/distance_grid.h"
#include "panta/scene/posed_bodies.h"

namespace panta {
namespace {

constexpr double most_cells = 1e8;  // 3 GB
constexpr int margin = 4;           // cells around the searched box
constexpr int range = 4;            // cells, of the distance to the region

using Cell = std::array<int, 3>;

Vec3 direction_up(const Scene& scene) {
  const Vec3 gravity = to_float(scene.gravity);
  return length(gravity) > 0 ? normalized(gravity * -1.0f) : Vec3{0, 1, 0};
}

// The box that is searched: the domain, else the box around all finite bodies.
ShapeBounds searched_box(const Scene& scene) {
  if (scene.has_domain) return {scene.domain.min, scene.domain.max};
  ShapeBounds box{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (const Body& body : scene.bodies) {
    const Placement at = place_at(body.motion, 0);
    const ShapeBounds own =
        shape_bounds(body.shape.rotated(at.rotation).moved(to_float(at.position)));
    if (!own.finite()) continue;
    for (int axis = 0; axis < 3; ++axis) {
      box.min[axis] = std::min(box.min[axis], own.min[axis]);
      box.max[axis] = std::max(box.max[axis], own.max[axis]);
    }
  }
  if (box.empty())
    throw Error(ErrorKind::usage, "nothing holds the liquid: there is no body and no domain");
  return box;
}

// Values of the cells of a box.
template <class T>
struct CellArray {
  Cell size = {};
  std::vector<T> value;

  CellArray(const Cell& s, T start) : size(s), value(count(s), start) {}
  static std::size_t count(const Cell& s) {
    return static_cast<std::size_t>(s[0]) * static_cast<std::size_t>(s[1]) *
           static_cast<std::size_t>(s[2]);
  }
  T& at(const Cell& c) {
    const auto i = static_cast<std::size_t>(c[0]), j = static_cast<std::size_t>(c[1]),
               k = static_cast<std::size_t>(c[2]);
    return value[(k * static_cast<std::size_t>(size[1]) + j) * static_cast<std::size_t>(size[0]) +
                 i];
  }
  bool contains(const Cell& c) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (c[axis] < 0 || c[axis] >= size[axis]) return false;
    return true;
  }
};

class Search {
 public:
  Search(const Scene& scene, const Vec3& point, double level)
      : scene_(scene),
        bodies_(scene, 0),
        box_(searched_box(scene)),
        point_(point),
        up_(direction_up(scene)),
        level_(static_cast<float>(level)),
        cell_(static_cast<float>(0.5 * scene.spacing)),
        reached_(choose_cells(), 0) {
    check_point();
    spread();
  }

  Shape shape() {
    CellArray<float> values = distances();
    const auto distance = [&](const Vec3& x) { return interpolated(values, x); };
    const Vec3 low = center({0, 0, 0}),
               high = center({reached_.size[0] - 1, reached_.size[1] - 1, reached_.size[2] - 1});
    const Vec3 depth = scene_.dimensions == 2 ? Vec3{0, 0, range * cell_} : Vec3{};
    return intersect(Shape::grid(std::make_shared<DistanceGrid>(distance, low - depth, high + depth,
                                                                cell_, range * cell_)),
                     Shape::plane(up_ * level_, up_));
  }

 private:
  Cell choose_cells() {
    Cell size = {1, 1, 1};
    double all = 1;
    for (int axis = 0; axis < scene_.dimensions; ++axis) {
      const double below = std::ceil((double{point_[axis]} - box_.min[axis]) / cell_) + margin;
      const double above = std::ceil((box_.max[axis] - double{point_[axis]}) / cell_) + margin;
      if (below < margin || above < margin)
        throw Error(ErrorKind::usage, "the point lies outside of what can hold liquid");
      all *= below + above + 1;
      if (!(all < most_cells))
        throw Error(ErrorKind::usage,
                    "'spacing' {} is too small for a space of this size to be searched: use "
                    "'shape' instead",
                    scene_.spacing);
      first_[axis] = point_[axis] - static_cast<float>(below) * cell_;
      size[static_cast<std::size_t>(axis)] = static_cast<int>(below + above) + 1;
      start_[static_cast<std::size_t>(axis)] = static_cast<int>(below);
    }
    return size;
  }
  void check_point() const {
    if (!(dot(point_, up_) < level_))
      throw Error(ErrorKind::usage, "the point must be below the level {}", level_);
    if (blocked(point_))
      throw Error(ErrorKind::usage, "the point lies in a body or outside the domain");
  }
  Vec3 center(const Cell& c) const {
    return first_ + Vec3{float(c[0]), float(c[1]), float(c[2])} * cell_;
  }
  float clearance(const Vec3& x) const {
    float least = 1e30f;
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      least = std::min(least, bodies_.distance_to(k, x));
    return least;
  }
  // By bodies, walls and borders of the domain.
  bool blocked(const Vec3& x) const { return beyond_side(x, true) || clearance(x) <= 0; }
  // Beyond a side that is closed, by a wall or as a period, or beyond an open one.
  bool beyond_side(const Vec3& x, bool closed) const {
    for (int side = 0; side < 2 * scene_.dimensions; ++side) {
      const int axis = side / 2;
      const bool holds =
          scene_.has_domain && (scene_.domain.walls[static_cast<std::size_t>(side)] ||
                                scene_.domain.periodic[static_cast<std::size_t>(axis)]);
      const double out =
          side % 2 == 1 ? double{x[axis]} - box_.max[axis] : box_.min[axis] - double{x[axis]};
      if (holds == closed && out > 0) return true;
    }
    return false;
  }
  // Whether a wall thinner than a cell is between two free points.
  bool separated(const Vec3& a, const Vec3& b) const {
    constexpr int parts = 8;
    if (clearance(a) + clearance(b) > cell_) return false;
    for (int k = 1; k < parts; ++k)
      if (clearance(a + (b - a) * (float(k) / parts)) <= 0) return true;
    return false;
  }
  void spread() {
    std::vector<Cell> open = {start_};
    reached_.at(start_) = 1;
    while (!open.empty()) {
      const Cell from = open.back();
      open.pop_back();
      for (std::size_t side = 0; side < static_cast<std::size_t>(2 * scene_.dimensions); ++side) {
        Cell to = from;
        to[side / 2] += side % 2 == 1 ? 1 : -1;
        const Vec3 x = center(to);
        if (!reached_.contains(to) || reached_.at(to) || dot(x, up_) > level_ + cell_) continue;
        if (blocked(x) || separated(center(from), x)) continue;
        if (beyond_side(x, false))
          throw Error(ErrorKind::usage,
                      "the liquid would run out at ({:.4g}, {:.4g}, {:.4g}): close the container "
                      "there, or choose a lower level",
                      x.x, x.y, x.z);
        reached_.at(to) = 1;
        open.push_back(to);
      }
    }
  }

  // The reached cells and the blocked ones next to them: bodies end in these.
  CellArray<std::uint8_t> region() {
    CellArray<std::uint8_t> grown = widened(reached_);
    for_cells([&](const Cell& c) {
      if (grown.at(c) && !reached_.at(c) && !blocked(center(c))) grown.at(c) = 0;
    });
    return grown;
  }
  // Cells of 1 and all next to them, diagonally too.
  CellArray<std::uint8_t> widened(CellArray<std::uint8_t> cells) const {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(scene_.dimensions); ++axis) {
      CellArray<std::uint8_t> before = cells;
      for_cells([&](Cell c) {
        if (before.at(c)) return;
        Cell low = c, high = c;
        low[axis] -= 1, high[axis] += 1;
        cells.at(c) = (low[axis] >= 0 && before.at(low)) ||
                      (high[axis] < cells.size[axis] && before.at(high));
      });
    }
    return cells;
  }
  // A lower bound of the distance to the region at the centre of each cell, in cells.
  CellArray<float> distances() {
    CellArray<std::uint8_t> inside = region();
    CellArray<std::uint8_t> outside = inside;
    for (std::uint8_t& value : outside.value) value = !value;
    CellArray<float> result(reached_.size, 0);
    const auto add_steps = [&](CellArray<std::uint8_t> covered, float sign) {
      for (int step = 0; step < range; ++step) {
        const CellArray<std::uint8_t> before = covered;
        covered = step + 1 < range ? widened(covered) : CellArray<std::uint8_t>(covered.size, 1);
        for (std::size_t n = 0; n < covered.value.size(); ++n)
          if (covered.value[n] && !before.value[n]) result.value[n] = sign * (float(step) + 0.5f);
      }
    };
    add_steps(std::move(inside), 1);
    add_steps(std::move(outside), -1);
    return result;
  }
  // Between the centres of cells.
  Distance interpolated(CellArray<float>& distance, const Vec3& x) const {
    Distance d;
    Cell low = {};
    Vec3 share;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(scene_.dimensions); ++axis) {
      const int a = static_cast<int>(axis);
      const float at = clamp((x[a] - first_[a]) / cell_, 0.0f, float(distance.size[axis] - 1));
      low[axis] = std::min(static_cast<int>(at), std::max(distance.size[axis] - 2, 0));
      share[a] = at - float(low[axis]);
    }
    for (int corner = 0; corner < 1 << scene_.dimensions; ++corner) {
      Cell c = low;
      Vec3 weight = {1, 1, 1}, sign;
      for (int axis = 0; axis < scene_.dimensions; ++axis) {
        const bool upper = (corner >> axis & 1) != 0;
        c[static_cast<std::size_t>(axis)] += upper;
        weight[axis] = upper ? share[axis] : 1 - share[axis];
        sign[axis] = upper ? 1.0f : -1.0f;
      }
      const float value = distance.at(c);
      d.value += value * cell_ * weight.x * weight.y * weight.z;
      d.normal += Vec3{sign.x * weight.y * weight.z, weight.x * sign.y * weight.z,
                       weight.x * weight.y * sign.z} *
                  value;
    }
    d.normal = length(d.normal) > 0 ? normalized(d.normal) : up_;
    return d;
  }
  template <class Visit>
  void for_cells(const Visit& visit) const {
    const Cell& size = reached_.size;
    for (int k = 0; k < size[2]; ++k)
      for (int j = 0; j < size[1]; ++j)
        for (int i = 0; i < size[0]; ++i) visit(Cell{i, j, k});
  }

  const Scene& scene_;
  PosedBodies bodies_;
  ShapeBounds box_;
  Vec3 point_, up_;
  float level_, cell_;
  Vec3 first_;  // centre of the first cell
  Cell start_ = {};
  CellArray<std::uint8_t> reached_;
};

}  // namespace

Shape filled_region(const Scene& scene, const Vec3& point, double level) {
  return Search(scene, point, level).shape();
}

}  // namespace panta
