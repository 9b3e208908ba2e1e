#include "panta/bodies/free_body_list.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/geometry/bounds.h"

namespace panta {

namespace {

constexpr double longest_substep = 1.0 / 240;  // s
constexpr float inset_share = 0.05f;           // fraction of a body's smallest side
constexpr float slop_share = 1e-3f;            // the same
constexpr float unbounded = 1e30f;

// A wall in the form for contacts.
struct ContactShape {
  const WallBody* wall = nullptr;
  int number = 0;
  int first_point = 0, point_count = 0;
  Vec3 middle;
  float radius = unbounded, smallest_side = unbounded;
};

void check(const Scene& scene, const Body& body) {
  for (int axis = 0; axis < 3; ++axis)
    if (scene.has_domain && scene.domain.periodic[static_cast<std::size_t>(axis)])
      throw Error(
          ErrorKind::usage,
          "body '{}' moves freely, which is not possible where the domain is periodic: give "
          "the domain walls, or the body a motion",
          body.name);
}

FreeBodySpec make_spec(const FreeWall& free, const WallBody& wall, const FreeBody& body,
                       bool flat) {
  FreeBodySpec s;
  const double density = body.mass ? *body.mass / free.mass.volume : body.density;
  s.mass = density * free.mass.volume;
  s.volume = free.mass.volume;
  s.inertia = free.mass.inertia * density;
  if (body.inertia) s.inertia = diagonal(body.inertia->x, body.inertia->y, body.inertia->z);
  s.flat = flat ? 1 : 0;
  s.inverse_inertia = flat ? diagonal(0, 0, 1 / s.inertia.row[2].z) : inverse(s.inertia);
  s.centre = free.mass.centre;
  s.wall = free.wall;
  s.slot = wall.motion;
  return s;
}

ContactShape make_contact_shape(const WallBody& wall, int number, const Shape& shape) {
  ContactShape t;
  t.wall = &wall;
  t.number = number;
  const ShapeBounds bounds = shape_bounds(shape);
  if (!bounds.finite()) return t;
  const Vec3d size = bounds.max - bounds.min;
  t.middle = to_float((bounds.min + bounds.max) * 0.5);
  t.radius = static_cast<float>(0.5 * length(size));
  t.smallest_side = static_cast<float>(std::min({size.x, size.y, size.z}));
  return t;
}

void add_points(ContactShape& t, const BodyPointsKey& key, FreeBodyList& list,
                const FreeBodyList* before) {
  const std::vector<BodyPoint>& points =
      list.kept_points.get(key, before ? &before->kept_points : nullptr,
                           [&] { return body_points(key.shape, key.flat, most_points); });
  t.first_point = static_cast<int>(list.points.size());
  t.point_count = static_cast<int>(points.size());
  list.points.insert(list.points.end(), points.begin(), points.end());
}

// Combines the properties of both surfaces.
void set_surfaces(BodyPair& pair, const Surface& a, const Surface& b) {
  pair.friction = std::sqrt(a.friction_on_solid() * b.friction_on_solid());
  pair.restitution = std::max(a.restitution, b.restitution);
}

BodyPair points_of(const ContactShape& a) {
  BodyPair pair;
  pair.wall = a.number;
  pair.free = a.wall->free;
  pair.first_point = a.first_point;
  pair.point_count = a.point_count;
  pair.middle = a.middle;
  pair.radius = a.radius;
  pair.inset = inset_share * a.smallest_side;
  pair.slop = slop_share * a.smallest_side;
  return pair;
}

void add_pair(const ContactShape& a, const ContactShape& b, FreeBodyList& list) {
  if (a.point_count == 0 || (a.wall->free < 0 && b.wall->free < 0)) return;
  BodyPair pair = points_of(a);
  pair.other_wall = b.number;
  pair.other_free = b.wall->free;
  pair.other_middle = b.middle;
  pair.other_radius = b.radius;
  pair.inset = std::min(pair.inset, inset_share * b.smallest_side);
  pair.slop = std::min(pair.slop, slop_share * b.smallest_side);
  set_surfaces(pair, a.wall->surface, b.wall->surface);
  list.pairs.push_back(pair);
}

void add_pair(const ContactShape& a, const WallPlane& plane, int number, FreeBodyList& list) {
  BodyPair pair = points_of(a);
  pair.other_plane = number;
  set_surfaces(pair, a.wall->surface, plane.surface);
  list.pairs.push_back(pair);
}

// Every wall with its shape in the frame of the wall. Hollow walls have no points: bodies inside
// touch them with their own points.
std::vector<ContactShape> make_contact_shapes(const Scene& scene, const WallList& walls,
                                              FreeBodyList& list, const FreeBodyList* before) {
  std::vector<ContactShape> all;
  const bool flat = scene.dimensions == 2;
  for (const Body& body : scene.bodies) {
    if (body.trigger) continue;
    const int number = static_cast<int>(all.size());
    const WallBody& wall = walls.bodies[static_cast<std::size_t>(number)];
    Shape shape = body.solid();
    if (wall.free >= 0) {
      const Vec3d centre = walls.free[static_cast<std::size_t>(wall.free)].mass.centre;
      shape = shape.moved(to_float(centre * -1.0));
    }
    ContactShape t = make_contact_shape(wall, number, shape);
    if (t.radius < unbounded) add_points(t, {shape, flat}, list, before);
    all.push_back(t);
  }
  return all;
}

FreeBodyState start_state(const FreeBodySpec& spec, const FreeBody& free) {
  return {spec.centre, {}, to_double(free.velocity), spec.inertia * to_double(free.spin)};
}

}  // namespace

FreeBodyList make_free_bodies(const Scene& scene, const WallList& walls, double longest_step,
                              const FreeBodyList* before) {
  FreeBodyList list;
  if (walls.free.empty()) return list;
  list.substeps = std::max(1, static_cast<int>(std::ceil(longest_step / longest_substep - 1e-6)));
  const std::vector<ContactShape> contact_shapes = make_contact_shapes(scene, walls, list, before);
  for (const FreeWall& free : walls.free) {
    const Body& body = scene.bodies[static_cast<std::size_t>(free.body)];
    check(scene, body);
    list.sticky = list.sticky || body.surface.stickiness > 0;
    const ContactShape& contact_shape = contact_shapes[static_cast<std::size_t>(free.wall)];
    FreeBodySpec spec = make_spec(free, *contact_shape.wall, *body.free, scene.dimensions == 2);
    spec.radius = length(to_double(contact_shape.middle)) + contact_shape.radius;
    list.states.push_back(start_state(spec, *body.free));
    list.specs.push_back(spec);
  }
  for (const ContactShape& a : contact_shapes) {
    for (const ContactShape& b : contact_shapes)
      if (a.number != b.number) add_pair(a, b, list);
    for (std::size_t k = 0; k < walls.planes.size() && a.wall->free >= 0; ++k)
      add_pair(a, walls.planes[k], static_cast<int>(k), list);
  }
  return list;
}

}  // namespace panta
