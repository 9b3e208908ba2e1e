// Lattice sampling of free solids; the rules are in the header.
#include "panta/scene/sample_solids.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/core/error_format.h"
#include "panta/core/random.h"
#include "panta/geometry/point_grid.h"
#include "panta/geometry/sample_volume.h"
#include "panta/scene/posed_bodies.h"
#include "panta/scene/true_distance.h"

namespace panta {
namespace {

constexpr double most_points = 2e9;    // of a lattice
constexpr float most_intrusion = 0.5;  // spacings that a solid may initially overlap a wall or body
constexpr float tolerance = 1e-3f;     // spacings, for rounding

std::string solid_name(const Scene& scene, std::size_t index) {
  const std::string& name = scene.solids[index].name;
  return name.empty() ? fmt::format("solids.{}", index)
                      : fmt::format("solids.{} ('{}')", index, name);
}

Quat quaternion(const Mat3& m) {
  // The largest of the four components is computed first, to avoid division by a small number.
  const float xx = m.row[0].x, yy = m.row[1].y, zz = m.row[2].z;
  const Vec3 skew{m.row[2].y - m.row[1].z, m.row[0].z - m.row[2].x, m.row[1].x - m.row[0].y};
  const float xy = m.row[0].y + m.row[1].x, xz = m.row[0].z + m.row[2].x,
              yz = m.row[1].z + m.row[2].y;
  if (xx + yy + zz > 0) return normalized(Quat{1 + xx + yy + zz, skew.x, skew.y, skew.z});
  if (xx >= yy && xx >= zz) return normalized(Quat{skew.x, 1 + xx - yy - zz, xy, xz});
  if (yy >= zz) return normalized(Quat{skew.y, xy, 1 + yy - xx - zz, yz});
  return normalized(Quat{skew.z, xz, yz, 1 + zz - xx - yy});
}

// A shape in the frame of its lattice.
struct TurnedShape {
  Shape shape;
  ShapeBounds bounds;
  Mat3 turn;  // rotation back to the scene's frame
};

Quat lattice_turn(const Shape& shape, int dimensions) {
  const std::vector<ShapeNode>& nodes = shape.nodes();
  auto node = std::find_if(nodes.begin(), nodes.end(),
                           [](const ShapeNode& n) { return n.op == ShapeOp::box; });
  if (node == nodes.end() && shape.primitive()) node = nodes.begin();
  if (node == nodes.end()) return {};
  const bool leaves_the_plane = std::abs(node->rotation.row[2].z) < 0.999f;
  return dimensions == 2 && leaves_the_plane ? Quat{} : quaternion(node->rotation);
}

TurnedShape turned_shape(const Shape& shape, int dimensions) {
  const Quat turn = lattice_turn(shape, dimensions);
  TurnedShape turned{shape.rotated(conjugate(turn)), {}, rotation(turn)};
  turned.bounds = shape_bounds(turned.shape);
  return turned;
}

// False for a flat shape, which has one layer.
bool has_no_extent(const ShapeBounds& b) {
  return b.max.x < b.min.x || b.max.y < b.min.y || b.max.z < b.min.z;
}

// With the number of layers that fits the shape's extent best, or with one through its middle.
Lattice solid_lattice(const TurnedShape& turned, const Scene& scene, bool only_middle = false) {
  Lattice lattice;
  lattice.count = {1, 1, 1};
  lattice.pitch = Vec3d{scene.spacing, scene.spacing, scene.spacing};
  for (int axis = 0; axis < scene.dimensions; ++axis) {
    const double low = turned.bounds.min[axis], high = turned.bounds.max[axis];
    const double layers =
        only_middle ? 1.0 : std::clamp(std::round((high - low) / scene.spacing), 1.0, most_points);
    lattice.count[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(layers);
    lattice.first[axis] = 0.5 * (low + high) - 0.5 * (layers - 1) * scene.spacing;
  }
  return lattice;
}

std::vector<Vec3> points_inside(const Shape& shape, const Lattice& lattice, float skin) {
  std::vector<std::vector<Vec3>> layers(static_cast<std::size_t>(lattice.count[2]));
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t k = 0; k < lattice.count[2]; ++k)
    for (std::int64_t j = 0; j < lattice.count[1]; ++j)
      for (std::int64_t i = 0; i < lattice.count[0]; ++i) {
        const Vec3 x = lattice.point(i, j, k);
        if (distance(shape, x).value < skin) layers[static_cast<std::size_t>(k)].push_back(x);
      }
  std::vector<Vec3> points;
  for (const std::vector<Vec3>& layer : layers)
    points.insert(points.end(), layer.begin(), layer.end());
  return points;
}

// The particles of one copy in the shape's frame, before rotation and translation.
SolidSamples sample_shape(const Scene& scene, const Solid& solid) {
  const TurnedShape turned = turned_shape(solid.shape, scene.dimensions);
  if (!turned.bounds.finite())
    throw Error(ErrorKind::usage, "its shape reaches to infinity: a solid needs a finite one");
  SolidSamples samples;
  if (has_no_extent(turned.bounds)) return samples;
  const Lattice lattice = solid_lattice(turned, scene);
  if (lattice.estimated_points() > most_points)
    throw Error(ErrorKind::usage,
                "'spacing' {} is too small for it: it would take {:.3g} points; use a larger one",
                scene.spacing, lattice.estimated_points());
  const TrueDistance to_surface(turned.shape, scene.spacing, scene.dimensions);
  std::vector<Vec3> points = points_inside(turned.shape, lattice, to_surface.skin());
  if (points.empty())  // a small ball may contain no lattice point
    points = points_inside(turned.shape, solid_lattice(turned, scene, true), to_surface.skin());
  std::vector<Distance> depth(points.size());
#pragma omp parallel for schedule(dynamic, 256)
  for (std::size_t i = 0; i < points.size(); ++i) depth[i] = to_surface.at(points[i]);
  const float deepest = -(1 + tolerance) * static_cast<float>(scene.spacing);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (solid.filling == Filling::shell && depth[i].value < deepest) continue;
    samples.position.push_back(turned.turn * points[i]);
    samples.distance.push_back(depth[i].value);
    samples.gradient.push_back(turned.turn * depth[i].normal);
  }
  return samples;
}

Vec3d mean(const std::vector<Vec3>& points) {
  Vec3d sum;
  for (const Vec3& x : points) sum += to_double(x);
  return sum * (1.0 / static_cast<double>(points.size()));
}

// Uniformly distributed rotations (Shoemake 1992, Uniform random rotations); in two dimensions
// uniform angles.
Mat3 random_turn(std::size_t solid, std::size_t copy, int dimensions) {
  constexpr float full_turn = 2 * std::numbers::pi_v<float>;
  const auto random = [&](std::uint64_t k) { return random_uniform(solid, copy, k); };
  if (dimensions == 2) return rotation(axis_angle({0, 0, 1}, full_turn * random(0)));
  const float share = random(0), a = full_turn * random(1), b = full_turn * random(2);
  const float p = std::sqrt(1 - share), q = std::sqrt(share);
  return rotation(Quat{q * std::cos(b), p * std::sin(a), p * std::cos(a), q * std::sin(b)});
}

Pose pose_of_copy(const Scene& scene, std::size_t index, std::size_t copy, const Vec3d& centre) {
  const Solid& solid = scene.solids[index];
  const auto across = static_cast<std::size_t>(solid.copies[0]),
             up = static_cast<std::size_t>(solid.copies[1]);
  const Vec3d shift{static_cast<double>(copy % across) * double{solid.pitch.x},
                    static_cast<double>(copy / across % up) * double{solid.pitch.y},
                    static_cast<double>(copy / across / up) * double{solid.pitch.z}};
  Pose pose;
  if (solid.random_turns) pose.rotation = random_turn(index, copy, scene.dimensions);
  pose.position = to_float(centre + shift - to_double(pose.rotation * to_float(centre)));
  return pose;
}

void add_copy(const Scene& scene, std::size_t index, std::size_t copy, const SolidSamples& samples,
              SolidParticles& out) {
  const Solid& solid = scene.solids[index];
  const Vec3d centre = mean(samples.position);
  SolidBody body;
  body.solid = static_cast<int>(index);
  body.first = out.particles.size();
  body.count = samples.position.size();
  body.pose = pose_of_copy(scene, index, copy, centre);
  body.centre = body.pose.to_world(to_float(centre));
  body.pose.spin = solid.spin;
  body.pose.velocity = solid.velocity + cross(solid.spin, body.pose.position - body.centre);
  for (std::size_t i = 0; i < body.count; ++i) {
    const Vec3 x = body.pose.to_world(samples.position[i]);
    const Vec3 normal = body.pose.rotation * samples.gradient[i];
    out.particles.position.push_back(x);
    out.particles.velocity.push_back(solid.velocity + cross(solid.spin, x - body.centre));
    out.surface.push_back({normal.x, normal.y, normal.z, samples.distance[i]});
  }
  out.particles.phase.resize(out.particles.size(), static_cast<std::uint32_t>(solid.material));
  const std::size_t object = scene.fluids.size() + scene.emitters.size() + out.bodies.size();
  out.particles.object.resize(out.particles.size(), static_cast<std::uint32_t>(object));
  out.bodies.push_back(body);
}

// The largest depth of a particle inside a wall: the radius of the largest ball around it that is
// inside its solid, at most half a spacing.
float lowest_clearance(const Scene& scene, float distance_to_surface) {
  const float spacing = static_cast<float>(scene.spacing);
  return std::min(-distance_to_surface, 0.5f * spacing) - (most_intrusion + tolerance) * spacing;
}

void check_walls(const Scene& scene, const SolidParticles& solids, const SolidBody& body) {
  for (int side = 0; side < 2 * scene.dimensions; ++side) {
    if (!scene.has_domain || !scene.domain.walls[static_cast<std::size_t>(side)]) continue;
    const int axis = side / 2;
    for (std::size_t i = body.first; i < body.first + body.count; ++i) {
      const double x = solids.particles.position[i][axis];
      const double gap = side % 2 ? scene.domain.max[axis] - x : x - scene.domain.min[axis];
      if (gap < double{lowest_clearance(scene, solids.surface[i].w)})
        throw Error(ErrorKind::usage,
                    "{} reaches more than half a spacing beyond the domain's wall {}: move it "
                    "inside, or enlarge the domain",
                    solid_name(scene, static_cast<std::size_t>(body.solid)),
                    side_names[static_cast<std::size_t>(side)]);
    }
  }
}

void check_bodies(const Scene& scene, const PosedBodies& standing, const SolidParticles& solids,
                  const SolidBody& body) {
  const int material = scene.solids[static_cast<std::size_t>(body.solid)].material;
  for (std::size_t k = 0; k < standing.size(); ++k)
    for (std::size_t i = body.first; i < body.first + body.count; ++i)
      if (standing.touched_by(k, material) &&
          standing.distance_to(k, solids.particles.position[i]) <
              lowest_clearance(scene, solids.surface[i].w))
        throw Error(ErrorKind::usage,
                    "{} reaches more than half a spacing into bodies.{}{}: move one of them apart",
                    solid_name(scene, static_cast<std::size_t>(body.solid)), k,
                    scene.bodies[k].name.empty() ? "" : " ('" + scene.bodies[k].name + "')");
}

void check_solid(const Scene& scene, std::size_t index) {
  const Solid& solid = scene.solids[index];
  const auto material = static_cast<std::size_t>(solid.material);
  if (material >= scene.materials.size())
    throw Error(ErrorKind::usage, "{} is of material {}, the scene has {}",
                solid_name(scene, index), solid.material, scene.materials.size());
  if (scene.materials[material].kind != MaterialKind::solid)
    throw Error(ErrorKind::usage, "{} is made of '{}', which is not of kind solid",
                solid_name(scene, index), scene.materials[material].name);
  for (const int copies : solid.copies)
    if (copies < 1)
      throw Error(ErrorKind::usage, "{} has {} copies along an axis, must be at least 1",
                  solid_name(scene, index), copies);
}

// The space of the solids, which fluids leave free.
class OccupiedSpace {
 public:
  OccupiedSpace(const Scene& scene, const SolidParticles& solids)
      : scene_(scene), solids_(solids), particles_(scene.spacing, scene.dimensions) {
    for (const Vec3& x : solids.particles.position) particles_.add(x);
    for (const SolidBody& body : solids.bodies) {
      radius_.push_back(radius_of(body));
      const float reach = radius_.back() + static_cast<float>(scene.spacing);
      for (int axis = 0; axis < 3; ++axis) {
        low_[axis] = std::min(low_[axis], body.centre[axis] - reach);
        high_[axis] = std::max(high_[axis], body.centre[axis] + reach);
      }
    }
  }

  bool is_free(const Vec3& x) const {
    for (int axis = 0; axis < scene_.dimensions; ++axis)
      if (x[axis] < low_[axis] || x[axis] > high_[axis]) return true;
    if (particles_.has_point_within(x, least_separation * scene_.spacing)) return false;
    for (std::size_t b = 0; b < radius_.size(); ++b) {
      const SolidBody& body = solids_.bodies[b];
      if (length(x - body.centre) > radius_[b]) continue;
      const Shape& shape = scene_.solids[static_cast<std::size_t>(body.solid)].shape;
      if (distance(shape, body.pose.to_own(x)).value < 0) return false;
    }
    return true;
  }

 private:
  // Radius of the ball around its centre that contains the body.
  float radius_of(const SolidBody& body) const {
    const ShapeBounds bounds =
        shape_bounds(scene_.solids[static_cast<std::size_t>(body.solid)].shape);
    const Vec3d centre = to_double(body.pose.to_own(body.centre));
    Vec3d reach;
    for (int axis = 0; axis < scene_.dimensions; ++axis)
      reach[axis] = std::max(bounds.max[axis] - centre[axis], centre[axis] - bounds.min[axis]);
    return static_cast<float>(length(reach));
  }

  const Scene& scene_;
  const SolidParticles& solids_;
  PointGrid particles_;
  std::vector<float> radius_;
  Vec3 low_{1e30f, 1e30f, 1e30f}, high_{-1e30f, -1e30f, -1e30f};  // bounds of all solids
};

}  // namespace

double estimate_solid_particles(const Scene& scene, const Solid& solid) {
  const TurnedShape turned = turned_shape(solid.shape, scene.dimensions);
  if (!turned.bounds.finite() || has_no_extent(turned.bounds)) return 0;
  const Lattice lattice = solid_lattice(turned, scene);
  const double share = fill_share(turned.shape, turned.bounds, scene.dimensions,
                                  solid.filling == Filling::shell ? scene.spacing : whole_depth);
  return std::max(1.0, share * lattice.estimated_points()) * solid.copies[0] * solid.copies[1] *
         solid.copies[2];
}

SolidParticles sample_solids(const Scene& scene) {
  SolidParticles out;
  const PosedBodies standing(scene, 0);
  for (std::size_t s = 0; s < scene.solids.size(); ++s) {
    check_solid(scene, s);
    SolidSamples samples;
    try {
      samples = sample_shape(scene, scene.solids[s]);
    } catch (const Error& error) {
      throw error.with_context(solid_name(scene, s));
    }
    if (samples.position.empty())
      throw Error(ErrorKind::usage,
                  "{} contains no particle: it is too small or too thin for 'spacing' {}; use a "
                  "smaller spacing or a larger shape",
                  solid_name(scene, s), scene.spacing);
    const std::array<int, 3>& copies = scene.solids[s].copies;
    const auto count = static_cast<std::size_t>(copies[0]) * static_cast<std::size_t>(copies[1]) *
                       static_cast<std::size_t>(copies[2]);
    for (std::size_t copy = 0; copy < count; ++copy) {
      add_copy(scene, s, copy, samples, out);
      check_walls(scene, out, out.bodies.back());
      check_bodies(scene, standing, out, out.bodies.back());
    }
  }
  return out;
}

SampledParticles sample_scene(const Scene& scene, const SolidParticles& solids) {
  const OccupiedSpace occupied(scene, solids);
  IsFree is_free;
  if (!solids.bodies.empty()) is_free = [&](const Vec3& x) { return occupied.is_free(x); };
  SampledParticles set = sample_fluids(scene, is_free);
  const SampledParticles& more = solids.particles;
  set.position.insert(set.position.end(), more.position.begin(), more.position.end());
  set.velocity.insert(set.velocity.end(), more.velocity.begin(), more.velocity.end());
  set.phase.insert(set.phase.end(), more.phase.begin(), more.phase.end());
  set.object.insert(set.object.end(), more.object.begin(), more.object.end());
  return set;
}

SampledParticles sample_scene(const Scene& scene) {
  return sample_scene(scene, sample_solids(scene));
}

}  // namespace panta
