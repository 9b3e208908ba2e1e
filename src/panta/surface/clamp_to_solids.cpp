#include "panta/surface/clamp_to_solids.h"

#include <algorithm>
#include <cmath>

#include "panta/core/make_exec.h"
#include "panta/frame/body_places.h"
#include "panta/geometry/distance_grid.h"

namespace panta {

namespace {

constexpr float search_range = 1.5f;  // spacings: surfaces farther away are ignored
constexpr float settle_distance =
    0.15f;  // spacings: vertices nearer than this are moved onto the wall
constexpr float facing_none = 0.3f, facing_full = 0.55f;  // cosines between surface and wall
constexpr int sweeps = 4;  // limit of iterations over the sides of a corner

float smooth_step(float low, float high, float x) {
  const float t = std::clamp((x - low) / std::max(high - low, 1e-20f), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

// All lengths in metres.
struct Mover {
  WallsView walls;
  float reach, all, none, overlap;

  ContactSet contacts_at(const Vec3& x) const {
    ContactSet set = find_contacts(walls, x, reach);
    if (set.count > 0 || walls.clear_of_planes(x)) return set;
    for (int k = 0; k < walls.plane_count; ++k) {
      const WallContact c = plane_contact(walls.planes[k], x);
      if (c.distance < reach) set.add(c);
    }
    return set;
  }

  // Weight of the movement onto a wall. Behind the wall it is 1, except for a vertex on the other
  // side of a thin wall.
  float share(const WallContact& c, const Vec3& normal) const {
    const float facing = -dot(normal, c.normal);
    if (c.distance < -overlap) return facing > -facing_full ? 1.0f : 0.0f;
    return c.weight * (1 - smooth_step(all, none, c.distance)) *
           smooth_step(facing_none, facing_full, facing);
  }

  // Moves a point outside the domain back into it; returns whether it was outside.
  bool bring_inside(Vec3& x) const {
    bool outside = false;
    for (int k = 0; k < walls.plane_count; ++k) {
      const float distance = plane_contact(walls.planes[k], x).distance;
      if (distance >= -overlap) continue;
      x += walls.planes[k].normal * (-overlap - distance);
      outside = true;
    }
    return outside;
  }

  // Moves a vertex; returns how far it was moved onto a wall.
  float operator()(Vec3& x, const Vec3& normal) const {
    float shares[ContactSet::most], most = bring_inside(x) ? 1.0f : 0.0f;
    const ContactSet contacts = contacts_at(x);
    for (int k = 0; k < contacts.count; ++k) {
      shares[k] = share(contacts.item[k], normal);
      most = std::max(most, shares[k]);
    }
    Vec3 moved;
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (int k = 0; k < contacts.count; ++k) {
        const WallContact& c = contacts.item[k];
        const float distance = c.distance + dot(c.normal, moved);
        const float target = c.distance + shares[k] * (-overlap - c.distance);
        if (shares[k] > 0)
          moved += c.normal * (shares[k] * (target - distance));
        else if (distance < -overlap && c.distance >= -overlap)
          moved += c.normal * (-overlap - distance);
      }
    x += moved;
    return most;
  }
};

Bounds bounds_of(const std::vector<Vec3>& positions) {
  Bounds box;
  for (const Vec3& x : positions) box.include(x);
  return box;
}

bool overlaps(const Bounds& a, const Bounds& b) {
  for (int k = 0; k < 3; ++k)
    if (a.min[k] > b.max[k] || a.max[k] < b.min[k]) return false;
  return true;
}

// Free bodies are treated as moving walls. Until a frame gives its pose, a body has its pose in the
// scene.
Scene with_walls_for_free_bodies(Scene scene) {
  for (Body& body : scene.bodies)
    if (body.free) {
      body.free.reset();
      body.motion = {{}, {MotionKey{}}};
    }
  return scene;
}

}  // namespace

SolidClamp::SolidClamp(const Scene& scene)
    : spacing_(static_cast<float>(scene.spacing)),
      list_(make_walls(with_walls_for_free_bodies(scene), search_range * spacing_)) {
  const std::vector<int> numbers = free_numbers(scene.bodies);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const Body& body = scene.bodies[k];
    if (!body.trigger && (body.free || body.motion.moves())) free_numbers_.push_back(numbers[k]);
  }
  for (const auto& grid : list_.solids.grids) grids_.push_back(grid->host_view());
}

// The bodies whose boxes, enlarged by their range, touch the box.
std::vector<WallBody> SolidClamp::bodies_near(const Bounds& box,
                                              std::span<const Pose> poses) const {
  std::vector<WallBody> near;
  for (const WallBody& body : list_.bodies) {
    Bounds own{body.box_min, body.box_max};
    if (body.motion >= 0) {
      if (!std::isfinite(own.diagonal())) {
        near.push_back(body);
        continue;
      }
      const Bounds still = own;
      own = {};
      for (int k = 0; k < 8; ++k)
        own.include(poses[static_cast<std::size_t>(body.motion)].to_world(still.corner(k)));
    }
    if (overlaps(box, own)) near.push_back(body);
  }
  return near;
}

std::vector<Pose> SolidClamp::poses_at(double time, std::span<const BodyPose> free) const {
  std::vector<Pose> poses;
  for (std::size_t k = 0; k < list_.motions.size(); ++k) {
    const BodyPose* known = pose_in(free, free_numbers_[k]);
    poses.push_back(known ? Pose{rotation(known->rotation), to_float(known->position), {}, {}}
                          : pose_in_step(list_.motions[k], list_.keys.data(), time, time, 0));
  }
  return poses;
}

std::vector<float> SolidClamp::move(SurfaceMesh& mesh, std::span<const Vec3> normal, double time,
                                    const ClampOptions& options,
                                    std::span<const BodyPose> free) const {
  std::vector<float> share(mesh.position.size(), 0.0f);
  if (empty()) return share;
  const std::vector<Pose> poses = poses_at(time, free);
  const std::vector<WallBody> bodies = bodies_near(bounds_of(mesh.position), poses);
  const Mover mover{{list_.planes.data(), bodies.data(), list_.solids.nodes.data(), grids_.data(),
                     poses.data(), list_.near_cells.data(), static_cast<int>(list_.planes.size()),
                     static_cast<int>(bodies.size()), list_.clear_min, list_.clear_max},
                    search_range * spacing_,
                    options.all * spacing_,
                    options.none * spacing_,
                    options.overlap * spacing_};
  const auto count = static_cast<std::int64_t>(mesh.position.size());
  const int threads = make_exec<Cpu>(options.threads).threads;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads)
  for (std::int64_t k = 0; k < count; ++k) {
    const auto v = static_cast<std::size_t>(k);
    share[v] = mover(mesh.position[v], normal[v]);
  }
  return share;
}

void SolidClamp::settle(SurfaceMesh& mesh, std::span<const Vec3> normal, double time,
                        const ClampOptions& options, std::span<const BodyPose> free) const {
  ClampOptions nearest = options;
  nearest.all = nearest.none = settle_distance;
  move(mesh, normal, time, nearest, free);
}

}  // namespace panta
