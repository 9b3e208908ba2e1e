// Lattice sampling of fluids; the rules are in the header.
#include "panta/scene/sample.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/core/random.h"
#include "panta/geometry/point_grid.h"
#include "panta/geometry/sample_volume.h"
#include "panta/scene/fluid_space.h"
#include "panta/scene/sample_solids.h"

namespace panta {
namespace {

constexpr float liquid_reach = 1.25f;  // spacings outside a shape, to replace points near bodies

// The point displaced at random by up to the fluid's jitter.
Vec3 jittered(const Scene& scene, const Fluid& fluid, Vec3 x, std::size_t index) {
  const float reach = fluid.jitter * static_cast<float>(scene.spacing);
  for (int axis = 0; reach > 0 && axis < scene.dimensions; ++axis)
    x[axis] += reach * (2 * random_uniform(0, index, static_cast<std::uint64_t>(axis)) - 1);
  return x;
}

// Moves a jittered particle of liquid half a spacing away from walls and bodies. The contact with
// them would do that in the first step, as a motion: a pool 5 particles deep gained 36 % energy.
Vec3 clear_of_solids(const Scene& scene, const PosedBodies& bodies, int material, Vec3 x) {
  const double half = 0.5 * scene.spacing;
  for (int side = 0; side < 2 * scene.dimensions && scene.has_domain; ++side) {
    const int axis = side / 2;
    const double low = scene.domain.min[axis], high = scene.domain.max[axis];
    if (!scene.domain.walls[static_cast<std::size_t>(side)] || high - low < 2 * scene.spacing)
      continue;
    if (side % 2 == 1)
      x[axis] = std::min(x[axis], static_cast<float>(high - half));
    else
      x[axis] = std::max(x[axis], static_cast<float>(low + half));
  }
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (!bodies.touched_by(k, material)) continue;
    const Distance d = bodies.to_surface(k, x);
    if (double{d.value} < half) x += d.normal * static_cast<float>(half - double{d.value});
  }
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

bool fills_period(const Scene& scene, const ShapeBounds& bounds, int axis) {
  return scene.has_domain && scene.domain.periodic[static_cast<std::size_t>(axis)] &&
         bounds.min[axis] <= scene.domain.min[axis] && bounds.max[axis] >= scene.domain.max[axis];
}

// The points with the least distances, as many as fit the volume. Of points at the same distance,
// as on a flat side, a part may be taken, at random.
std::vector<Vec3> nearest_points(const std::vector<Vec3>& points,
                                 const std::vector<float>& distances, double volume,
                                 double spacing) {
  struct Candidate {
    std::int64_t shell;
    float order;
    std::size_t index;
    auto operator<=>(const Candidate&) const = default;
  };
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < points.size(); ++i)
    candidates.push_back(
        {std::llround(double{distances[i]} / (1e-3 * spacing)), random_uniform(1, i, 0), i});
  const auto count = std::min(candidates.size(), static_cast<std::size_t>(std::llround(volume)));
  std::sort(candidates.begin(), candidates.end());
  candidates.resize(count);
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.index < b.index; });
  std::vector<Vec3> kept;
  for (const Candidate& c : candidates) kept.push_back(points[c.index]);
  return kept;
}

// The points of a box's lattice, as many as are wanted.
std::vector<Vec3> box_points(const Scene& scene, const Lattice& lattice) {
  std::vector<Vec3> points = lattice_points(lattice);
  if (!(static_cast<double>(points.size()) > lattice.wanted)) return points;
  std::vector<float> order(points.size());
  for (std::size_t i = 0; i < points.size() && lattice.layers_along >= 0; ++i)
    order[i] = points[i][lattice.layers_along] * (lattice.layers_from_low ? 1.0f : -1.0f);
  return nearest_points(points, order, lattice.wanted, scene.spacing);
}

// The points of a lattice in a space, given with their distances from it: up to a level between two
// distances if their number fits, else as many of a liquid as fit.
std::vector<Vec3> fitting_points(const Scene& scene, const Fluid& fluid, const FluidSpace& space,
                                 const SolidSamples& lattice) {
  constexpr double fits = 0.025;
  const double volume = space.volume();
  const float level = fitting_level(lattice.distance, volume, static_cast<float>(scene.spacing));
  std::vector<Vec3> whole, points;
  std::vector<float> distances;
  for (std::size_t i = 0; i < lattice.position.size(); ++i) {
    const Vec3& x = lattice.position[i];
    const float d = lattice.distance[i];
    if (!space.clear_of_bodies(x)) continue;
    if (d < level) whole.push_back(x);
    if (d > 0 && !space.clear_of_walls(x)) continue;
    points.push_back(x);
    distances.push_back(d);
  }
  if (!is_liquid(scene, fluid) || std::abs(double(whole.size()) - volume) <= fits * volume)
    return whole;
  return nearest_points(points, distances, volume, scene.spacing);
}

// The points of a lattice that is fixed to a period or a plane, with one more at each end of other
// axes.
SolidSamples fixed_samples(const Scene& scene, const FluidSpace& space, Lattice lattice) {
  for (int axis = 0; axis < scene.dimensions; ++axis)
    if (!fills_period(scene, space.bounds(), axis)) {
      lattice.first[axis] -= lattice.pitch[axis];
      lattice.count[static_cast<std::size_t>(axis)] += 2;
    }
  SolidSamples samples;
  samples.position = lattice_points(lattice);
  for (const Vec3& x : samples.position) samples.distance.push_back(space(x).value);
  return samples;
}

bool fills_a_period(const Scene& scene, const ShapeBounds& bounds) {
  for (int axis = 0; axis < scene.dimensions; ++axis)
    if (fills_period(scene, bounds, axis)) return true;
  return false;
}

std::vector<Vec3> points_of(const Scene& scene, const Fluid& fluid, const PosedBodies& bodies) {
  const FluidSpace space(scene, fluid, bodies);
  const bool is_fixed = scene.dimensions == 2 || fills_a_period(scene, shape_bounds(fluid.shape));
  if (is_plain_box(fluid.shape) && (fluid.packing == Packing::cubic || is_fixed)) {
    std::vector<Vec3> points = box_points(scene, fluid_lattice(scene, fluid));
    std::erase_if(points, [&](const Vec3& x) { return !space.clear_of_bodies(x); });
    return points;
  }
  const SolidSamples samples =
      is_fixed ? fixed_samples(scene, space, fluid_lattice(scene, fluid))
               : sample_around(space, to_float(space.bounds().min), to_float(space.bounds().max),
                               static_cast<float>(scene.spacing),
                               liquid_reach * static_cast<float>(scene.spacing), fluid.packing);
  return fitting_points(scene, fluid, space, samples);
}

void sample_fluid(const Scene& scene, const Fluid& fluid, const PosedBodies& bodies,
                  const IsFree& is_free, std::size_t object, SampledParticles& out) {
  const bool moves_away = fluid.jitter > 0 && is_liquid(scene, fluid);
  for (const Vec3& x : points_of(scene, fluid, bodies)) {
    if (is_free && !is_free(x)) continue;
    const Vec3 start = jittered(scene, fluid, x, out.size());
    out.position.push_back(moves_away ? clear_of_solids(scene, bodies, fluid.material, start)
                                      : start);
  }
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
