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
constexpr double fitting_volume = 0.005;  // relative error below which the least stretch counts
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

// Particles along each side of a box.
std::array<double, 3> fitting_counts(const std::array<BoxSide, 3>& sides, int dimensions,
                                     double spacing) {
  constexpr int fewest = -2, most = 3, choices = most - fewest + 1;  // beside whole cells
  std::array<double, 3> best = {1, 1, 1};
  double least = HUGE_VAL;
  for (int choice = 0; choice < std::pow(choices, dimensions); ++choice) {
    std::array<double, 3> count = {1, 1, 1};
    double volume = 1, stretch = 0;
    bool valid = true;
    for (int axis = 0, rest = choice; axis < dimensions; ++axis, rest /= choices) {
      const auto k = static_cast<std::size_t>(axis);
      const BoxSide& side = sides[k];
      const int more = rest % choices + fewest;
      count[k] = (side.periodic ? std::max(1.0, std::round(side.cells)) : whole_cells(side)) + more;
      const double pitch = count[k] < 1 ? 0 : pitch_of(side, count[k], spacing) / spacing;
      valid = valid && (more == 0 || (!side.periodic && pitch > least_pitch));
      volume *= count[k] / std::max(side.cells, 1.0);
      stretch = std::max(stretch, std::abs(pitch - 1));
    }
    const double error = std::max(std::abs(volume - 1), fitting_volume) + 1e-3 * stretch;
    if (valid && error < least) least = error, best = count;
  }
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
  return fill * static_cast<double>(count[0]) * static_cast<double>(count[1]) *
         static_cast<double>(count[2]);
}

Lattice fluid_lattice(const Scene& scene, const Fluid& fluid) {
  const ShapeBounds bounds = shape_bounds(fluid.shape);
  if (!bounds.finite())
    throw Error(ErrorKind::usage, "the shape has no end and cannot be filled with fluid");
  std::array<BoxSide, 3> sides;
  std::array<double, 3> counts = {1, 1, 1};
  for (int axis = 0; axis < scene.dimensions; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    sides[k] = cut_side(scene, bounds.min[axis], bounds.max[axis], axis);
    if (sides[k].low >= sides[k].high) return {};
    counts[k] = sides[k].periodic ? periodic_count(sides[k], scene.spacing, "xyz"[axis])
                                  : whole_cells(sides[k]);
  }
  const bool stretches =
      is_plain_box(fluid.shape) && fluid.packing == Packing::cubic && is_liquid(scene, fluid);
  if (stretches) counts = fitting_counts(sides, scene.dimensions, scene.spacing);
  Lattice lattice;
  lattice.fill = fill_share(fluid.shape, bounds, scene.dimensions);
  lattice.count = {1, 1, 1};
  lattice.cells = 1;
  for (int axis = 0; axis < scene.dimensions; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const BoxSide& side = sides[k];
    const bool fitted = stretches || side.periodic;
    const double pitch = side.periodic
                             ? (side.high - side.low) / counts[k]
                             : (fitted ? pitch_of(side, counts[k], scene.spacing) : scene.spacing);
    lattice.first[axis] = 0.5 * (side.low + side.high) - 0.5 * (counts[k] - 1) * pitch;
    lattice.pitch[axis] = pitch;
    lattice.count[k] = static_cast<std::int64_t>(counts[k]);
    lattice.cells *= side.cells;
  }
  return lattice;
}

}  // namespace panta
