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

constexpr float body_clearance = 0.25f;  // spacings between a particle and a body

// The point displaced at random by up to the fluid's jitter.
Vec3 jittered(const Scene& scene, const Fluid& fluid, Vec3 x, std::size_t index) {
  const float reach = fluid.jitter * static_cast<float>(scene.spacing);
  for (int axis = 0; reach > 0 && axis < scene.dimensions; ++axis)
    x[axis] += reach * (2 * random_uniform(0, index, static_cast<std::uint64_t>(axis)) - 1);
  return x;
}

// The points of a lattice.
std::vector<Vec3> lattice_points(const Lattice& lattice) {
  std::vector<Vec3> points;
  for (std::int64_t k = 0; k < lattice.count[2]; ++k)
    for (std::int64_t j = 0; j < lattice.count[1]; ++j)
      for (std::int64_t i = 0; i < lattice.count[0]; ++i) points.push_back(lattice.point(i, j, k));
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

bool fills_period(const Scene& scene, const ShapeBounds& bounds, int axis) {
  return scene.has_domain && scene.domain.periodic[static_cast<std::size_t>(axis)] &&
         bounds.min[axis] <= scene.domain.min[axis] && bounds.max[axis] >= scene.domain.max[axis];
}

// The share of the cell around a lattice point that lies in the shape.
double share_of_cell(const Shape& shape, const Vec3& x, float d, const Vec3d& pitch,
                     int dimensions) {
  constexpr int across = 8;
  const double half = 0.5 * std::sqrt(pitch.x * pitch.x + pitch.y * pitch.y + pitch.z * pitch.z);
  if (std::abs(d) > half) return d < 0;
  const int layers = dimensions == 2 ? 1 : across;
  int inside = 0;
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < across; ++j)
      for (int i = 0; i < across; ++i) {
        const auto offset = [](int n, int of) { return (n + 0.5) / of - 0.5; };
        const Vec3d p =
            to_double(x) + Vec3d{offset(i, across) * pitch.x, offset(j, across) * pitch.y,
                                 offset(k, layers) * pitch.z};
        inside += distance(shape, to_float(p)).value < 0;
      }
  return double(inside) / (layers * across * across);
}

// The lattice with another pitch along the axes that are not periods, around the same middle, and
// one more point at each end of these axes.
Lattice rescaled(const Scene& scene, const ShapeBounds& bounds, const Lattice& original,
                 double scale) {
  Lattice lattice = original;
  for (int axis = 0; axis < scene.dimensions; ++axis) {
    if (fills_period(scene, bounds, axis)) continue;
    auto& count = lattice.count[static_cast<std::size_t>(axis)];
    const double middle = original.first[axis] + 0.5 * double(count - 1) * original.pitch[axis];
    count = std::int64_t(double(count) / scale) + 2;
    lattice.pitch[axis] *= scale;
    lattice.first[axis] = middle - 0.5 * double(count - 1) * lattice.pitch[axis];
  }
  return lattice;
}

// Points of a lattice that is fixed to a period or a plane, as many as fit the shape's volume.
std::vector<Vec3> fitted_points(const Scene& scene, const Fluid& fluid, const Lattice& original) {
  ShapeBounds bounds = shape_bounds(fluid.shape);
  const Shape shape = within_domain(scene, fluid.shape, bounds);
  std::vector<Vec3> points;
  std::vector<float> distances;
  double volume = 0;  // in cubes (squares) of the spacing
  FittingLevel fit;
  fit_pitch(Pitch::adjustable, [&](double scale) {
    const Lattice lattice = rescaled(scene, bounds, original, scale);
    points = lattice_points(lattice);
    const bool measure = distances.empty();
    distances.clear();
    double cell = 1;
    for (int axis = 0; axis < scene.dimensions; ++axis) cell *= lattice.pitch[axis] / scene.spacing;
    for (const Vec3& x : points) {
      const float d = distance(shape, x).value;
      distances.push_back(d);
      if (measure) volume += cell * share_of_cell(shape, x, d, lattice.pitch, scene.dimensions);
    }
    fit = fitting_level(distances, volume, static_cast<float>(scene.spacing));
    return fit.error;
  });
  std::vector<Vec3> kept;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (distances[i] < fit.level) kept.push_back(points[i]);
  return kept;
}

std::vector<Vec3> volume_points(const Scene& scene, const Fluid& fluid) {
  ShapeBounds bounds = shape_bounds(fluid.shape);
  const Shape shape = within_domain(scene, fluid.shape, bounds);
  return sample_volume([&](const Vec3& x) { return distance(shape, x); }, to_float(bounds.min),
                       to_float(bounds.max), static_cast<float>(scene.spacing), fluid.packing,
                       Pitch::adjustable)
      .position;
}

bool fills_a_period(const Scene& scene, const ShapeBounds& bounds) {
  for (int axis = 0; axis < scene.dimensions; ++axis)
    if (fills_period(scene, bounds, axis)) return true;
  return false;
}

std::vector<Vec3> points_of(const Scene& scene, const Fluid& fluid) {
  const bool is_box = is_plain_box(fluid.shape), cubic = fluid.packing == Packing::cubic;
  const bool is_fixed = scene.dimensions == 2 || fills_a_period(scene, shape_bounds(fluid.shape));
  if (is_box && (cubic || is_fixed)) return lattice_points(fluid_lattice(scene, fluid));
  return is_fixed ? fitted_points(scene, fluid, fluid_lattice(scene, fluid))
                  : volume_points(scene, fluid);
}

void sample_fluid(const Scene& scene, const Fluid& fluid, const PosedBodies& bodies,
                  const IsFree& is_free, std::size_t object, SampledParticles& out) {
  const float clearance = body_clearance * static_cast<float>(scene.spacing);
  for (const Vec3& x : points_of(scene, fluid))
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
