// Walls: the solid surfaces near a particle, each with a distance, a normal into the free space and
// its own motion. The sides of the domain are planes; bodies are composed solids that may move. A
// concave corner counts as several surfaces, and each of them acts on a particle there.
#pragma once

#include <memory>
#include <vector>

#include "panta/core/exec.h"
#include "panta/core/kept.h"
#include "panta/core/scalar_math.h"
#include "panta/geometry/mass_properties.h"
#include "panta/geometry/motion.h"
#include "panta/geometry/shape_program.h"
#include "panta/scene/scene.h"

namespace panta {

struct WallPlane {
  Vec3 point, normal;  // into the domain
  Surface surface;
};

// A coarse grid, in the frame of a body of many parts, that marks the cells without any point
// within reach of the body. In such a cell the body need not be evaluated.
struct Clearance {
  Vec3 origin;
  float inverse_cell = 0;  // 1/m; 0: there is no such grid
  int count[3] = {};
  std::uint32_t first = 0;  // of its cells
  bool solid_outside = false;

  PANTA_HD bool clear(const std::uint8_t* near_cells, const Vec3& x) const {
    const Vec3 t = (x - origin) * inverse_cell;
    if (!(t.x >= 0 && t.y >= 0 && t.z >= 0)) return !solid_outside;
    const int i = static_cast<int>(t.x), j = static_cast<int>(t.y), k = static_cast<int>(t.z);
    if (i >= count[0] || j >= count[1] || k >= count[2]) return !solid_outside;
    return !near_cells[first + static_cast<std::uint32_t>((k * count[1] + j) * count[0] + i)];
  }
};

// The shape of a body in the form that steps evaluate. Its construction is expensive.
struct WallSolid {
  Shape solid;            // in its own frame
  Vec3 box_min, box_max;  // farther than the reach outside this box
  Clearance clearance;
  std::vector<std::uint8_t> near_cells;  // of the clearance
  MassProperties mass;                   // of a free body
};

// The input of a WallSolid, for reuse.
struct WallSolidKey {
  Shape shape;
  bool hollow = false, free = false, flat = false;
  double spacing = 0;
  float reach = 0;

  bool operator==(const WallSolidKey&) const = default;
};

struct WallBody {
  ShapeList::Range solid;
  int motion = -1;        // index of its motion, -1 if it is at rest
  int free = -1;          // index among the free bodies, -1 if it is not free
  Vec3 box_min, box_max;  // in its own frame: farther than the reach outside this box
  Clearance clearance;
  Surface surface;
};

// A free body. The frame of its wall has its origin at the centre of mass. Its pose in a step is
// set by bodies/free_bodies.h.
struct FreeWall {
  int body = 0;         // index into Scene::bodies
  int wall = 0;         // index into WallList::bodies
  MassProperties mass;  // of its shape, in the frame of the scene
};

// The walls of a scene as arrays, on the host. A particle inside the box [clear_min, clear_max] is
// farther than the reach from all planes.
struct WallList {
  std::vector<WallPlane> planes;
  std::vector<WallBody> bodies;
  ShapeList solids;
  std::vector<MotionProgram> motions;  // prescribed; free bodies are numbered after them
  std::vector<MotionKey> keys;
  std::vector<FreeWall> free;
  std::vector<std::uint8_t> near_cells;  // of all clearances
  Vec3 clear_min, clear_max;
  Kept<WallSolidKey, WallSolid> kept;
};

// A solid of many parts with blends is sampled to a distance grid (cell: half a spacing or larger)
// instead of being evaluated part by part. `reach`: largest distance at which a surface acts on
// particles, m. Solids that are unchanged since `before` are reused.
WallList make_walls(const Scene& scene, float reach, const WallList* before = nullptr);

// Speed towards a sticky surface that a particle at the distance d beyond contact gains in a step
// of length dt: dt k_stick d (1 - d / d_stick) for d in (0, d_stick) (Clavet et al. 2005, equation
// 12), with k_stick dt^2 limited to 1.
PANTA_HD float sticky_speed(const Surface& surface, float d, float d_stick, float dt) {
  if (!(surface.stickiness > 0 && d > 0 && d < d_stick)) return 0;
  return dt * minimum(surface.stickiness, 1 / (dt * dt)) * d * (1 - d / d_stick);
}

// A surface near a particle.
struct WallContact {
  float distance = 0;  // positive in the free space
  float weight = 1;    // less than one if a nearer surface has a similar normal: weigh_contacts()
  Vec3 normal;         // into the free space
  Vec3 velocity;       // m/s, of the surface
  const Surface* surface = nullptr;
  int free_body = -1;   // index of the free body, -1 for other walls
  float curvature = 0;  // 1/m, sum of both principal curvatures, > 0 where convex; if requested

  // Mean curvature of the parallel surface through the particle: 1/(R + distance) outside a ball of
  // radius R, 1/(2 distance) at a straight edge.
  PANTA_HD float mean_curvature_here() const { return curvature / (2 + curvature * distance); }
};

PANTA_HD WallContact plane_contact(const WallPlane& plane, const Vec3& x) {
  return {dot(x - plane.point, plane.normal), 1.0f, plane.normal, plane.surface.velocity,
          &plane.surface};
}

struct ContactSet {
  static constexpr int most = 4;
  int count = 0;
  WallContact item[most];

  // If there are more than `most` contacts, the nearest are kept.
  PANTA_HD void add(const WallContact& c) {
    if (count < most) {
      item[count++] = c;
      return;
    }
    int farthest = 0;
    for (int k = 1; k < most; ++k)
      if (item[k].distance > item[farthest].distance) farthest = k;
    if (c.distance < item[farthest].distance) item[farthest] = c;
  }
};

// The sum of the principal curvatures of the surface at the distance d.value from x, from the
// distances of four points around x. The parallel surface through x has K' = 2/(R + d) if the
// surface is a sphere, K = 2/R.
PANTA_HD float surface_curvature(const ShapeView& shape, const Vec3& x, const Distance& d,
                                 float step) {
  const Vec3 n = d.normal;
  const Vec3 other = n.x * n.x < 0.5f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 s = normalized(cross(n, other)) * step, t = cross(n, s);
  const float rise = distance(shape, x + s).value + distance(shape, x - s).value +
                     distance(shape, x + t).value + distance(shape, x - t).value;
  const float parallel = (rise - 4.0f * d.value) / (step * step);
  return parallel / maximum(1.0f - 0.5f * d.value * parallel, 0.1f);
}

// The walls in device memory.
struct WallsView {
  const WallPlane* planes = nullptr;
  const WallBody* bodies = nullptr;
  const ShapeNode* nodes = nullptr;
  const DistanceGridView* grids = nullptr;
  const Pose* poses = nullptr;  // of the moving bodies, indexed by WallBody::motion
  const std::uint8_t* near_cells = nullptr;
  int plane_count = 0, body_count = 0;
  Vec3 clear_min, clear_max;

  PANTA_HD bool clear_of_planes(const Vec3& x) const { return inside(x, clear_min, clear_max); }

  PANTA_HD bool touches(int b, std::uint32_t material) const {
    return !(bodies[b].surface.ignored_by & material);
  }

  // Whether a surface of the body may be near x, a point in its own frame.
  PANTA_HD bool may_be_near(const WallBody& body, const Vec3& x) const {
    return inside(x, body.box_min, body.box_max) &&
           !(body.clearance.inverse_cell > 0 && body.clearance.clear(near_cells, x));
  }

  // Visits the surfaces of a body nearer than `reach`. `curvature_step`: distance of the sample
  // points for the curvature, m; 0: no curvature is computed.
  template <class F>
  PANTA_HD void near_body(int b, const Vec3& x, float reach, const F& visit,
                          float curvature_step = 0) const {
    const WallBody& body = bodies[b];
    const Pose* pose = body.motion >= 0 ? poses + body.motion : nullptr;
    const Vec3 own = pose ? pose->to_own(x) : x;
    if (!may_be_near(body, own)) return;
    const ShapeView shape{nodes + body.solid.first, body.solid.count, grids};
    const SurfaceSet set = surfaces(shape, own);
    for (int k = 0; k < set.count; ++k) {
      if (!(set.item[k].value < reach)) continue;
      WallContact c{set.item[k].value,     1.0f,          set.item[k].normal,
                    body.surface.velocity, &body.surface, body.free};
      if (curvature_step > 0 && set.count == 1)
        c.curvature = surface_curvature(shape, own, set.item[k], curvature_step);
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

// Two surfaces with similar normals belong to the same solid matter (a plate on the floor, boxes
// side by side). The weight of the farther one is reduced by the cosine of the angle between the
// normals. It depends on the angle only, so that it is continuous in the position of the particle.
PANTA_HD void weigh_contacts(ContactSet& set) {
  for (int i = 0; i < set.count; ++i)
    for (int j = 0; j < set.count; ++j) {
      const WallContact &near = set.item[i], &far = set.item[j];
      const bool nearer = near.distance < far.distance || (near.distance == far.distance && i < j);
      if (i != j && nearer)
        set.item[j].weight *= 1.0f - maximum(dot(near.normal, far.normal), 0.0f);
    }
}

}  // namespace detail

// All surfaces nearer to x than `reach`, with their weights; empty if no surface of a body is among
// them. `material`: the material's bit in Surface::ignored_by; 0: no body is ignored.
PANTA_HD ContactSet find_contacts(const WallsView& walls, const Vec3& x, float reach,
                                  std::uint32_t material = 0, float curvature_step = 0) {
  ContactSet set;
  for (int b = 0; b < walls.body_count; ++b)
    if (walls.touches(b, material))
      walls.near_body(
          b, x, reach, [&](const WallContact& c) { set.add(c); }, curvature_step);
  if (set.count == 0) return set;
  if (!walls.clear_of_planes(x)) {
    for (int k = 0; k < walls.plane_count; ++k) {
      const WallContact c = plane_contact(walls.planes[k], x);
      if (c.distance < reach) set.add(c);
    }
  }
  if (set.count > 1) detail::weigh_contacts(set);
  return set;
}

// The walls in the form for sums over neighbours. Contacts with bodies were found once per step, so
// that the sums need no shape evaluation; planes are evaluated in each sum.
struct NearWalls {
  const WallPlane* planes = nullptr;
  int plane_count = 0;
  Vec3 clear_min, clear_max;
  const std::uint32_t* counts = nullptr;  // contacts of each particle near a body; null: no bodies
  const WallContact* contacts = nullptr;  // ContactSet::most for each particle

  // visit(contact) for every surface near particle i at x. `moved`: displacement of the particle
  // since contacts were found, `elapsed`: time (s) for which the bodies have moved since then.
  template <class F>
  PANTA_HD void each(Index i, const Vec3& x, float reach, const F& visit, const Vec3& moved = {},
                     float elapsed = 0) const {
    each_numbered(
        i, x, reach, [&](Index, const WallContact& c) { visit(c); }, moved, elapsed);
  }
  // The same with visit(number, contact); contacts with bodies have the numbers below `counts[i]`.
  template <class F>
  PANTA_HD void each_numbered(Index i, const Vec3& x, float reach, const F& visit,
                              const Vec3& moved = {}, float elapsed = 0) const {
    const Index found = counts ? static_cast<Index>(counts[i]) : 0;
    const bool clear = x.x >= clear_min.x && x.y >= clear_min.y && x.z >= clear_min.z &&
                       x.x <= clear_max.x && x.y <= clear_max.y && x.z <= clear_max.z;
    const Index end = found > 0 ? found : clear ? 0 : plane_count;
    for (Index k = 0; k < end; ++k) {
      WallContact c = found > 0 ? contacts[i * ContactSet::most + k] : plane_contact(planes[k], x);
      if (found > 0) c.distance += dot(moved - c.velocity * elapsed, c.normal);
      if (c.distance < reach) visit(k, c);
    }
  }
};

}  // namespace panta
