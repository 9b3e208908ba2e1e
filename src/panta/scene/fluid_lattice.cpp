// The rules are in the header.
#include "panta/scene/fluid_lattice.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"

namespace panta {
namespace {

constexpr double cell_tolerance = 1e-3;   // spacings, tolerance for rounded faces
constexpr double pitch_tolerance = 2e-3;  // relative change that fits a lattice to a period
constexpr double least_pitch = 0.749;     // spacings
constexpr double most_cells = 4e9;        // along one axis

// One axis of a fluid's box.
struct BoxSide {
  double low = 0, high = 0;
  double cells = 1;  // length in spacings
  bool periodic = false;
};

BoxSide cut_side(const Scene& scene, double low, double high, int axis) {
  BoxSide side{low, high};
  const double tolerance = cell_tolerance * scene.spacing;
  if (scene.has_domain) {
    const Domain& domain = scene.domain;
    const double domain_low = domain.min[axis], domain_high = domain.max[axis];
    const bool periodic = domain.periodic[axis];
    if (domain.walls[2 * axis] || periodic)
      if (low < domain_low + tolerance) side.low = domain_low;
    if (domain.walls[2 * axis + 1] || periodic)
      if (high > domain_high - tolerance) side.high = domain_high;
    side.periodic = periodic && side.low == domain_low && side.high == domain_high;
  }
  side.cells = (side.high - side.low) / scene.spacing;
  return side;
}

// The number of particles along a fluid that fills a period.
double periodic_count(const BoxSide& side, double spacing, char name) {
  const double count = std::max(1.0, std::round(side.cells));
  if (count > most_cells) return most_cells;
  const double length = side.high - side.low, pitch = length / count;
  if (std::abs(pitch - spacing) > pitch_tolerance * spacing)
    throw Error(ErrorKind::usage,
                "the period {} along {} is not a multiple of 'spacing' {}: use {:.6g} or {:.6g}",
                length, name, spacing, length / (count + (pitch < spacing ? -1 : 1)), pitch);
  return count;
}

double whole_cells(const BoxSide& side) {
  return std::clamp(std::floor(side.cells + cell_tolerance), 1.0, most_cells);
}

double pitch_of(const BoxSide& side, double count, double spacing) {
  const double length = side.high - side.low;
  if (count == 1 || std::abs(count - side.cells) < cell_tolerance) return spacing;
  return count > side.cells ? (length - spacing) / (count - 1) : length / count;
}

// The axis along which layers of a liquid lie on each other, and its direction.
struct Upwards {
  int axis = 1;
  bool positive = true;
  bool closed = false;  // the upper face of the box is a wall, or the axis a period
};

Upwards upwards(const Scene& scene, const std::array<BoxSide, 3>& sides) {
  Upwards up;
  for (int axis = 0; axis < scene.dimensions; ++axis)
    if (std::abs(scene.gravity[axis]) > std::abs(scene.gravity[up.axis])) up.axis = axis;
  up.positive = scene.gravity[up.axis] <= 0;
  const BoxSide& side = sides[static_cast<std::size_t>(up.axis)];
  const auto face = static_cast<std::size_t>(2 * up.axis + up.positive);
  if (!scene.has_domain) return up;
  const double wall = up.positive ? scene.domain.max[up.axis] : scene.domain.min[up.axis];
  up.closed =
      side.periodic || (scene.domain.walls[face] && (up.positive ? side.high : side.low) == wall);
  return up;
}

// Numbers and pitches along the sides of a liquid's box.
struct Stretch {
  std::array<double, 3> count = {1, 1, 1}, pitch = {1, 1, 1};  // pitch in spacings
  double largest = HUGE_VAL;                                   // of the changes of the pitches
};

Stretch stretch_with(const std::array<BoxSide, 3>& sides, const Upwards& up, int dimensions,
                     double particles, double spacing, int rounded_up) {
  Stretch result;
  double layer = 1, change = 0;
  const auto use = [&](std::size_t k, double count, double pitch) {
    if (std::abs(pitch - 1) < cell_tolerance / sides[k].cells) pitch = 1;
    result.count[k] = count, result.pitch[k] = pitch;
    change = std::max(change, pitch < least_pitch ? HUGE_VAL : std::abs(pitch - 1));
  };
  for (int axis = 0; axis < dimensions; ++axis) {
    if (axis == up.axis) continue;
    const auto k = static_cast<std::size_t>(axis);
    const double count = sides[k].periodic ? std::max(1.0, std::round(sides[k].cells))
                                           : whole_cells(sides[k]) + (rounded_up >> axis & 1);
    use(k, count, pitch_of(sides[k], count, spacing) / spacing);
    layer *= count;
  }
  const auto k = static_cast<std::size_t>(up.axis);
  const double layers = particles / layer, whole = std::max(1.0, std::ceil(layers - 1e-6));
  use(k, whole,
      up.closed ? pitch_of(sides[k], whole, spacing) / spacing
                : std::max(sides[k].cells, 1.0) / layers);
  result.largest = change;
  return result;
}

Stretch least_stretch(const std::array<BoxSide, 3>& sides, const Upwards& up, int dimensions,
                      double particles, double spacing) {
  Stretch best;
  for (int rounded_up = 0; rounded_up < 1 << dimensions; ++rounded_up) {
    const Stretch stretch = stretch_with(sides, up, dimensions, particles, spacing, rounded_up);
    if (stretch.largest < best.largest) best = stretch;
  }
  if (best.largest < HUGE_VAL) return best;
  for (std::size_t k = 0; k < sides.size(); ++k) best.count[k] = whole_cells(sides[k]);
  return best;
}

}  // namespace

bool is_plain_box(const Shape& shape) {
  const ShapeNode* node = shape.primitive();
  if (!node || node->op != ShapeOp::box || node->inside_out) return false;
  for (int k = 0; k < 3; ++k)
    if (node->rotation.row[k][k] != 1) return false;
  return true;
}

bool is_liquid(const Scene& scene, const Fluid& fluid) {
  return scene.materials.at(static_cast<std::size_t>(fluid.material)).kind == MaterialKind::liquid;
}

double fill_share(const Shape& shape, const ShapeBounds& bounds, int dimensions, double depth) {
  constexpr int samples_across = 24;  // along each axis
  if (is_plain_box(shape) && depth == whole_depth) return 1;
  const int layers = dimensions == 2 ? 1 : samples_across;
  int inside = 0;
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < samples_across; ++j)
      for (int i = 0; i < samples_across; ++i) {
        const Vec3d share{(i + 0.5) / samples_across, (j + 0.5) / samples_across,
                          (k + 0.5) / layers},
            size = bounds.max - bounds.min;
        const Vec3d x = bounds.min + Vec3d{share.x * size.x, share.y * size.y, share.z * size.z};
        const float d = distance(shape, to_float(dimensions == 2 ? Vec3d{x.x, x.y, 0} : x)).value;
        inside += d < 0 && -double{d} < depth;
      }
  return double(inside) / (layers * samples_across * samples_across);
}

Vec3 Lattice::point(std::int64_t i, std::int64_t j, std::int64_t k) const {
  return to_float(Vec3d{first.x + static_cast<double>(i) * pitch.x,
                        first.y + static_cast<double>(j) * pitch.y,
                        first.z + static_cast<double>(k) * pitch.z});
}

double Lattice::estimated_points() const {
  return fill * std::min(wanted, static_cast<double>(count[0]) * static_cast<double>(count[1]) *
                                     static_cast<double>(count[2]));
}

Lattice fluid_lattice(const Scene& scene, const Fluid& fluid) {
  const ShapeBounds bounds = shape_bounds(fluid.shape);
  if (!bounds.finite())
    throw Error(ErrorKind::usage, "the shape has no end and cannot be filled with fluid");
  std::array<BoxSide, 3> sides;
  Lattice lattice;
  lattice.fill = fill_share(fluid.shape, bounds, scene.dimensions);
  lattice.count = {1, 1, 1};
  lattice.cells = 1;
  double particles = 1;
  Stretch stretch;
  for (int axis = 0; axis < scene.dimensions; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    sides[k] = cut_side(scene, bounds.min[axis], bounds.max[axis], axis);
    if (sides[k].low >= sides[k].high) return {};
    stretch.count[k] = sides[k].periodic ? periodic_count(sides[k], scene.spacing, "xyz"[axis])
                                         : whole_cells(sides[k]);
    lattice.cells *= sides[k].cells;
    particles *= std::max(sides[k].cells, 1.0);
  }
  const Upwards up = upwards(scene, sides);
  if (is_plain_box(fluid.shape) && fluid.packing == Packing::cubic && is_liquid(scene, fluid)) {
    lattice.wanted = std::round(particles);
    if (!up.closed) lattice.layers_along = up.axis, lattice.layers_from_low = up.positive;
    stretch = least_stretch(sides, up, scene.dimensions, lattice.wanted, scene.spacing);
  }
  for (int axis = 0; axis < scene.dimensions; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const BoxSide& side = sides[k];
    const double count = stretch.count[k];
    const double pitch =
        side.periodic ? (side.high - side.low) / count : stretch.pitch[k] * scene.spacing;
    const double length = (count - 1) * pitch, free = side.high - side.low - length;
    lattice.first[axis] = 0.5 * (side.low + side.high) - 0.5 * length;
    if (axis == lattice.layers_along && free < pitch)  // the last layer is not full
      lattice.first[axis] = up.positive ? side.low + 0.5 * pitch : side.high - 0.5 * pitch - length;
    lattice.pitch[axis] = pitch;
    lattice.count[k] = static_cast<std::int64_t>(count);
  }
  return lattice;
}

}  // namespace panta
