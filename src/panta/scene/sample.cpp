// Lattice sampling of fluids; the rules are in the header.
#include "panta/scene/sample.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/core/random.h"
#include "panta/geometry/point_grid.h"
#include "panta/geometry/sample_volume.h"
#include "panta/scene/posed_bodies.h"
#include "panta/scene/sample_solids.h"

namespace panta {
namespace {

constexpr double cell_tolerance = 1e-3;   // spacings, tolerance for rounded faces
constexpr double pitch_tolerance = 2e-3;  // relative change that fits a lattice to a period
constexpr float body_clearance = 0.25f;   // spacings between a particle and a body
constexpr double most_cells = 4e9;        // along one axis

// Whether the shape is an axis-aligned box: then lattice points in its bounds need no test.
bool is_plain_box(const Shape& shape) {
  const ShapeNode* node = shape.primitive();
  if (!node || node->op != ShapeOp::box || node->inside_out) return false;
  for (int k = 0; k < 3; ++k)
    if (node->rotation.row[k][k] != 1) return false;
  return true;
}

// One axis of a fluid's lattice.
struct LatticeAxis {
  double first = 0, pitch = 0;
  std::int64_t count = 0;
};

LatticeAxis centred_axis(double low, double high, double spacing) {
  const double fitting = std::floor((high - low) / spacing + cell_tolerance);
  const double count = std::clamp(fitting, 1.0, most_cells);
  return {0.5 * (low + high) - 0.5 * (count - 1) * spacing, spacing,
          static_cast<std::int64_t>(count)};
}

// The lattice axis of a fluid that fills a whole period.
LatticeAxis periodic_axis(double low, double high, double spacing, char name) {
  const double cells = std::max(1.0, std::round((high - low) / spacing));
  if (cells > most_cells) return centred_axis(low, high, spacing);
  const double pitch = (high - low) / cells;
  if (std::abs(pitch - spacing) > pitch_tolerance * spacing)
    throw Error(ErrorKind::usage,
                "the period {} along {} is not a multiple of 'spacing' {}: use {:.6g} or {:.6g}",
                high - low, name, spacing, (high - low) / (cells + (pitch < spacing ? -1 : 1)),
                pitch);
  return {low + 0.5 * pitch, pitch, static_cast<std::int64_t>(cells)};
}

LatticeAxis lattice_axis(const Scene& scene, double low, double high, int axis) {
  const double tolerance = cell_tolerance * scene.spacing;
  if (scene.has_domain) {
    const Domain& domain = scene.domain;
    const double domain_low = domain.min[axis], domain_high = domain.max[axis];
    const bool periodic = domain.periodic[axis];
    if (domain.walls[2 * axis] || periodic)
      if (low < domain_low + tolerance) low = domain_low;
    if (domain.walls[2 * axis + 1] || periodic)
      if (high > domain_high - tolerance) high = domain_high;
    if (low >= high) return {};
    if (periodic && low == domain_low && high == domain_high)
      return periodic_axis(low, high, scene.spacing, "xyz"[axis]);
  }
  return centred_axis(low, high, scene.spacing);
}

// The point displaced at random by up to the fluid's jitter.
Vec3 jittered(const Scene& scene, const Fluid& fluid, Vec3 x, std::size_t index) {
  const float reach = fluid.jitter * static_cast<float>(scene.spacing);
  for (int axis = 0; reach > 0 && axis < scene.dimensions; ++axis)
    x[axis] += reach * (2 * random_uniform(0, index, static_cast<std::uint64_t>(axis)) - 1);
  return x;
}

// The lattice points of a box, or of any shape if the lattice is fixed to a period or a plane.
std::vector<Vec3> lattice_points(const Scene& scene, const Fluid& fluid, const Lattice& lattice) {
  std::vector<Vec3> points;
  const bool is_box = is_plain_box(fluid.shape);
  const float skin = static_cast<float>(cell_tolerance * scene.spacing);
  points.reserve(static_cast<std::size_t>(lattice.estimated_points()));
  for (std::int64_t k = 0; k < lattice.count[2]; ++k)
    for (std::int64_t j = 0; j < lattice.count[1]; ++j)
      for (std::int64_t i = 0; i < lattice.count[0]; ++i) {
        const Vec3 x = lattice.point(i, j, k);
        if (is_box || distance(fluid.shape, x).value < -skin) points.push_back(x);
      }
  return points;
}

// The part of a shape inside the domain's walls and periods.
Shape within_domain(const Scene& scene, const Shape& shape, ShapeBounds& bounds) {
  if (!scene.has_domain) return shape;
  Shape inside = shape;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const bool upper = side % 2 == 1;
    if (!scene.domain.walls[static_cast<std::size_t>(side)] &&
        !scene.domain.periodic[static_cast<std::size_t>(axis)])
      continue;
    double& edge = upper ? bounds.max[axis] : bounds.min[axis];
    const double limit = upper ? scene.domain.max[axis] : scene.domain.min[axis];
    if (upper ? edge <= limit : edge >= limit) continue;
    edge = limit;
    Vec3 point, normal;
    point[axis] = static_cast<float>(limit);
    normal[axis] = upper ? 1.0f : -1.0f;
    inside = intersect(inside, Shape::plane(point, normal));
  }
  return inside;
}

std::vector<Vec3> volume_points(const Scene& scene, const Fluid& fluid) {
  ShapeBounds bounds = shape_bounds(fluid.shape);
  const Shape shape = within_domain(scene, fluid.shape, bounds);
  return sample_volume([&](const Vec3& x) { return distance(shape, x); }, to_float(bounds.min),
                       to_float(bounds.max), static_cast<float>(scene.spacing), fluid.packing)
      .position;
}

bool fills_a_period(const Scene& scene, const ShapeBounds& bounds) {
  for (int axis = 0; axis < scene.dimensions; ++axis)
    if (scene.has_domain && scene.domain.periodic[static_cast<std::size_t>(axis)] &&
        bounds.min[axis] <= scene.domain.min[axis] && bounds.max[axis] >= scene.domain.max[axis])
      return true;
  return false;
}

void sample_fluid(const Scene& scene, const Fluid& fluid, const PosedBodies& bodies,
                  const IsFree& is_free, std::size_t object, SampledParticles& out) {
  const float clearance = body_clearance * static_cast<float>(scene.spacing);
  const bool cubic = fluid.packing == Packing::cubic;
  const bool by_lattice = scene.dimensions == 2 || (cubic && is_plain_box(fluid.shape)) ||
                          fills_a_period(scene, shape_bounds(fluid.shape));
  for (const Vec3& x : by_lattice ? lattice_points(scene, fluid, fluid_lattice(scene, fluid))
                                  : volume_points(scene, fluid))
    if (bodies.clear_of(x, clearance, fluid.material) && (!is_free || is_free(x)))
      out.position.push_back(jittered(scene, fluid, x, out.size()));
  for (std::size_t i = out.velocity.size(); i < out.size(); ++i)
    out.velocity.push_back(fluid.velocity_at ? fluid.velocity_at(out.position[i]) : fluid.velocity);
  out.phase.resize(out.size(), static_cast<std::uint32_t>(fluid.material));
  out.object.resize(out.size(), static_cast<std::uint32_t>(object));
}

std::string fluid_name(const Scene& scene, std::size_t index) {
  const auto material = static_cast<std::size_t>(scene.fluids[index].material);
  return fmt::format("fluids.{} ('{}')", index, scene.materials.at(material).name);
}

bool contains(const ShapeBounds& box, const Vec3& x, double margin, int dimensions) {
  for (int axis = 0; axis < dimensions; ++axis)
    if (x[axis] < box.min[axis] - margin || x[axis] > box.max[axis] + margin) return false;
  return true;
}

// One fluid's points within the particle set.
struct Range {
  std::size_t begin, end;
};

// Pairs of points of two fluids in the intersection of their bounding boxes; no other points can be
// near each other.
class Neighbors {
 public:
  Neighbors(const Scene& scene, const SampledParticles& set, const Fluid& first, Range range)
      : scene_(scene),
        set_(set),
        first_(first),
        bounds_(shape_bounds(first.shape)),
        grid_(scene.spacing, scene.dimensions) {
    for (std::size_t i = range.begin; i < range.end; ++i) points_.push_back(set.position[i]);
  }

  // Whether a point of the second fluid lies in the first fluid's shape, deeper than jitter can
  // move it across a shared boundary.
  bool overlap(const Fluid& second, Range range) {
    const double depth = (boundary_depth + std::sqrt(3.0) * second.jitter) * scene_.spacing;
    return any(second, range, least_separation, [&](std::size_t i) {
      return distance(first_.shape, set_.position[i]).value < -depth;
    });
  }

  // Points of the second fluid to remove, because they lie at a shared boundary next to a point of
  // the first.
  std::vector<std::size_t> too_close(const Fluid& second, Range range) {
    const double jitter = std::max(first_.jitter, second.jitter);
    std::vector<std::size_t> found;
    any(second, range, closest_at_boundary * (1 - 2 * jitter), [&](std::size_t i) {
      found.push_back(i);
      return false;
    });
    return found;
  }

 private:
  static constexpr double boundary_depth = 0.25, closest_at_boundary = 0.5;  // spacings

  // Calls `is_it` for points of the second fluid nearer than `near` (spacings) to the first, until
  // it returns true.
  template <class IsIt>
  bool any(const Fluid& second, Range range, double near, const IsIt& is_it) {
    const ShapeBounds other = shape_bounds(second.shape);
    const auto shared = [&](const Vec3& x) {
      return contains(bounds_, x, scene_.spacing, scene_.dimensions) &&
             contains(other, x, scene_.spacing, scene_.dimensions);
    };
    if (!filled_)
      for (const Vec3& x : points_)
        if (shared(x)) grid_.add(x);
    filled_ = true;
    for (std::size_t i = range.begin; i < range.end; ++i)
      if (shared(set_.position[i]) &&
          grid_.has_point_within(set_.position[i], near * scene_.spacing) && is_it(i))
        return true;
    return false;
  }

  const Scene& scene_;
  const SampledParticles& set_;
  const Fluid& first_;
  ShapeBounds bounds_;
  PointGrid grid_;
  std::vector<Vec3> points_;
  bool filled_ = false;
};

// Removes points; `indices` must be ascending.
void remove_points(SampledParticles& set, const std::vector<std::size_t>& indices) {
  const auto without = [&](auto& values) {
    auto next = indices.begin();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (next != indices.end() && *next == i) {
        ++next;
        continue;
      }
      values[kept++] = values[i];
    }
    values.resize(kept);
  };
  if (indices.empty()) return;
  without(set.position), without(set.velocity), without(set.phase), without(set.object);
}

}  // namespace

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
  Lattice lattice;
  lattice.fill = fill_share(fluid.shape, bounds, scene.dimensions);
  lattice.count = {1, 1, 1};
  for (int axis = 0; axis < scene.dimensions; ++axis) {
    const LatticeAxis line = lattice_axis(scene, bounds.min[axis], bounds.max[axis], axis);
    if (line.count == 0) return {};
    lattice.first[axis] = line.first;
    lattice.pitch[axis] = line.pitch;
    lattice.count[static_cast<std::size_t>(axis)] = line.count;
  }
  return lattice;
}

double estimate_particles(const Scene& scene) {
  double count = 0;
  for (const Fluid& fluid : scene.fluids) count += fluid_lattice(scene, fluid).estimated_points();
  for (const Solid& solid : scene.solids) count += estimate_solid_particles(scene, solid);
  return count;
}

SampledParticles sample_fluids(const Scene& scene, const IsFree& is_free) {
  SampledParticles set;
  const PosedBodies bodies(scene, 0);
  std::vector<Range> ranges;
  for (std::size_t f = 0; f < scene.fluids.size(); ++f) {
    ranges.push_back({set.size(), set.size()});
    sample_fluid(scene, scene.fluids[f], bodies, is_free, f, set);
    ranges[f].end = set.size();
    if (ranges[f].begin == ranges[f].end)
      throw Error(ErrorKind::usage,
                  "{} contains no particle: it is too small for 'spacing' {}, or inside a body{}",
                  fluid_name(scene, f), scene.spacing, is_free ? " or solid" : "");
    for (std::size_t g = 0; g < f; ++g) {
      Neighbors neighbors(scene, set, scene.fluids[g], ranges[g]);
      if (neighbors.overlap(scene.fluids[f], ranges[f]))
        throw Error(ErrorKind::usage, "{} and {} overlap", fluid_name(scene, g),
                    fluid_name(scene, f));
      remove_points(set, neighbors.too_close(scene.fluids[f], ranges[f]));
      ranges[f].end = set.size();
    }
  }
  return set;
}

SampledParticles sample_added(const Scene& scene, const std::vector<Fluid>& fluids,
                              const std::vector<Vec3>& present, double time) {
  const PosedBodies bodies(scene, time);
  PointGrid taken(scene.spacing, scene.dimensions);
  for (const Vec3& x : present) taken.add(x);
  SampledParticles set;
  for (std::size_t f = 0; f < fluids.size(); ++f) {
    SampledParticles all;
    sample_fluid(scene, fluids[f], bodies, {}, f, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (taken.has_point_within(all.position[i], least_separation * scene.spacing)) continue;
      set.position.push_back(all.position[i]);
      set.velocity.push_back(all.velocity[i]);
      set.phase.push_back(all.phase[i]);
      set.object.push_back(all.object[i]);
    }
    for (const Vec3& x : set.position) taken.add(x);
  }
  return set;
}

}  // namespace panta
