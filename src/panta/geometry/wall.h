// Walls: the solid surfaces near a particle, each with a distance, a normal into the free space and
// its own motion. The sides of the domain are planes; bodies are composed solids that may move. A
// concave corner counts as several surfaces, so that a particle there feels each of them.
#pragma once

#include <memory>
#include <vector>

#include "panta/core/scalar_math.h"
#include "panta/geometry/motion.h"
#include "panta/geometry/shape_program.h"
#include "panta/scene/scene.h"

namespace panta {

struct WallPlane {
  Vec3 point, normal;  // into the domain
  Surface surface;
};

struct WallBody {
  int first_node = 0, node_count = 0;
  int motion = -1;        // index of its motion, -1 if it stands still
  Vec3 box_min, box_max;  // in its own frame: farther than the reach outside this box
  Surface surface;
};

// The walls of a scene as arrays, on the host. A particle inside the box [clear_min, clear_max] is
// farther than the reach from all planes.
struct WallList {
  std::vector<WallPlane> planes;
  std::vector<WallBody> bodies;
  std::vector<ShapeNode> nodes;
  std::vector<std::shared_ptr<const DistanceGrid>> grids;
  std::vector<MotionProgram> motions;
  std::vector<MotionKey> keys;
  Vec3 clear_min, clear_max;
};
WallList make_walls(const Scene& scene, float reach);

// The body's solid, which is outside its shape where that is hollow.
Shape solid_of(const Body& body);

// A surface near a particle.
struct WallContact {
  float distance = 0;  // positive in the free space
  float weight = 1;    // less than one where a nearer surface already stands for it
  Vec3 normal;         // into the free space
  Vec3 velocity;       // m/s, of the surface
  const Surface* surface = nullptr;
};

struct ContactSet {
  static constexpr int most = 6;
  int count = 0;
  WallContact item[most];

  PANTA_HD void add(const WallContact& c) {
    if (count < most) item[count++] = c;
  }
};

// The same on a device.
struct WallsView {
  const WallPlane* planes = nullptr;
  const WallBody* bodies = nullptr;
  const ShapeNode* nodes = nullptr;
  const DistanceGridView* grids = nullptr;
  const Pose* poses = nullptr;  // of the moving bodies, by their motion
  int plane_count = 0, body_count = 0;
  Vec3 clear_min, clear_max;

  PANTA_HD bool clear_of_planes(const Vec3& x) const { return inside(x, clear_min, clear_max); }

  // The surfaces of a body nearer than `reach`.
  template <class F>
  PANTA_HD void near_body(int b, const Vec3& x, float reach, const F& visit) const {
    const WallBody& body = bodies[b];
    const Pose* pose = body.motion >= 0 ? poses + body.motion : nullptr;
    const Vec3 own = pose ? pose->to_own(x) : x;
    if (!inside(own, body.box_min, body.box_max)) return;
    const SurfaceSet set = surfaces({nodes + body.first_node, body.node_count, grids}, own);
    for (int k = 0; k < set.count; ++k) {
      if (!(set.item[k].value < reach)) continue;
      WallContact c{set.item[k].value, 1.0f, set.item[k].normal, body.surface.velocity,
                    &body.surface};
      if (pose) {
        c.normal = pose->rotation * c.normal;
        c.velocity = pose->rotation * c.velocity + pose->velocity_at(x);
      }
      visit(c);
    }
  }

 private:
  PANTA_HD static bool inside(const Vec3& x, const Vec3& low, const Vec3& high) {
    return x.x >= low.x && x.y >= low.y && x.z >= low.z && x.x <= high.x && x.y <= high.y &&
           x.z <= high.z;
  }
};

namespace detail {

// A surface is covered where its nearest point lies behind a nearer surface (a plate on the floor,
// boxes side by side): with flat surfaces at distances a < b whose normals make an angle of cosine
// c the point is a - c b in front of the nearer one. It counts by that over a: fully at right
// angles.
PANTA_HD void weigh(ContactSet& set) {
  for (int i = 0; i < set.count; ++i)
    for (int j = 0; j < set.count; ++j) {
      const WallContact &near = set.item[i], &far = set.item[j];
      const bool nearer = near.distance < far.distance || (near.distance == far.distance && i < j);
      const float c = dot(near.normal, far.normal);
      if (i == j || !nearer || c <= 0) continue;
      const float a = maximum(near.distance, 1e-30f);
      set.item[j].weight *= clamp(1.0f - c * far.distance / a, 0.0f, 1.0f);
    }
}

}  // namespace detail

// All surfaces nearer to x than `reach`, with their weights.
PANTA_HD ContactSet find_contacts(const WallsView& walls, const Vec3& x, float reach) {
  ContactSet set;
  if (!walls.clear_of_planes(x)) {
    for (int k = 0; k < walls.plane_count; ++k) {
      const WallPlane& plane = walls.planes[k];
      const float d = dot(x - plane.point, plane.normal);
      if (d < reach) set.add({d, 1.0f, plane.normal, plane.surface.velocity, &plane.surface});
    }
  }
  const int of_planes = set.count;
  for (int b = 0; b < walls.body_count; ++b)
    walls.near_body(b, x, reach, [&](const WallContact& c) { set.add(c); });
  if (set.count > of_planes && set.count > 1) detail::weigh(set);
  return set;
}

}  // namespace panta
