// Contacts of free bodies with each other, with walls and with the sides of the domain.
//
// A pair consists of a body with surface points (bodies/body_points.h) and another body or plane
// whose distance function is evaluated at these points. Two free bodies make two pairs. The
// distance is evaluated at the depth `inset` below a point and corrected along the other body's
// normal: at a corner that is flush with a side of the other body this gives the normal of the
// other's top and not that of its side. In addition, the surface point nearest to the other body is
// searched by alternate steps along the other's normal and projections back onto the surface, so
// that round bodies touch in one point and roll.
//
// Of the points near the other surface a few become contacts: for up to three directions of the
// normal the deepest point and the outermost ones around it.
#pragma once

#include "panta/bodies/body_points.h"
#include "panta/bodies/free_body.h"
#include "panta/core/team.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall_crossing.h"

namespace panta {

struct BodyPair {
  int wall = -1, free = -1;  // of the body with the points; free: -1 if not free
  int first_point = 0, point_count = 0;
  int other_wall = -1, other_plane = -1, other_free = -1;
  Vec3 middle, other_middle;            // of bounding balls, in the bodies' frames
  float radius = 0, other_radius = 0;   // m
  float inset = 0;                      // m
  float slop = 0;                       // m, penetration that is not corrected
  float friction = 0, restitution = 0;  // combined from both surfaces
};

// A contact point of two bodies.
struct BodyContact {
  Vec3d axis[3];            // the normal, towards the first body, and two tangents
  Vec3d lever[3], spin[3];  // of the first body: moment of a unit impulse, and the spin it gives
  Vec3d other_lever[3], other_spin[3];
  // m/s, relative velocity of the surfaces by belts and by bodies that are not free.
  Vec3d prescribed_velocity;
  int body = 0, other = 0;  // indices of free bodies; the number of free bodies if not free
  double distance = 0;      // m, negative: penetration
  double mass[3] = {};      // kg, effective mass along each axis
  double slop = 0, friction = 0, restitution = 0;
  double approach = 0;     // m/s, along the normal, before the forces of the substep
  double impulse[3] = {};  // kg m/s, in this substep
  double shift = 0;        // kg m, position correction along the normal
  Vec3 local_point;        // in the frame of the first body
};

// The force of a contact in the last substep: the first guess in the next one (warm starting).
// Forces between bodies at rest hardly change, and tall stacks are stable only with this guess.
struct WarmStart {
  Vec3 place;  // in the frame of the body with the points
  Vec3 force;  // N, in world axes
};

// A point of a pair's first body near the other body.
struct NearPoint {
  Vec3d place;
  Vec3 normal;  // of the other body
  float distance = 0;
};

inline constexpr int most_contacts = 12;         // per pair
inline constexpr float same_point_radii = 0.1f;  // in body radii: a warm start's largest distance
inline constexpr Index most_points = 256;
inline constexpr Index points_per_pair = most_points + 1;

struct PairsView {
  const BodyPair* pairs = nullptr;
  const BodyPoint* points = nullptr;
  NearPoint* near_points = nullptr;  // work space
  int* found = nullptr;              // number of contacts of each pair
  BodyContact* contacts = nullptr;
  int* warm_start_counts = nullptr;  // number of warm starts of each pair
  WarmStart* warm_starts = nullptr;
  Index count = 0;
};

namespace detail {

// A body in a substep; bodies that are not free have no inverse mass.
struct BodyFrame {
  Mat3d turn = diagonal(1, 1, 1);
  Vec3d place, velocity, spin;
  Mat3d inverse_inertia = {};
  double inverse_mass = 0;

  PANTA_HD Vec3d to_world(const Vec3& x) const { return turn * to_double(x) + place; }
  PANTA_HD Vec3 to_own(const Vec3d& x) const { return to_float(transpose(turn) * (x - place)); }
  PANTA_HD Vec3d velocity_at(const Vec3d& x) const { return velocity + cross(spin, x - place); }
};

PANTA_HD Vec3d unit_normal_to(const Vec3d& n) {
  const Vec3d other = fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  const Vec3d t = cross(n, other);
  return t * (1 / length(t));
}

}  // namespace detail

// One team per pair.
struct FindBodyContacts {
  PairsView view;
  const FreeBodySpec* specs;
  const FreeBodyState* states;
  const FreeBodyState *before, *predicted;  // at the start of the step; velocities after forces
  MovingWalls walls;
  StepGate gate;
  int body_count, substep, substeps;

  template <class Team>
  PANTA_HD void operator()(Index p, const Team& team) const {
    const BodyPair& pair = view.pairs[p];
    NearPoint* near_points = view.near_points + p * points_per_pair;
    const detail::BodyFrame a = frame(pair.wall, pair.free);
    const detail::BodyFrame b = frame(pair.other_wall, pair.other_free);
    const double h = gate.state->dt / substeps;
    const double speed_change = velocity_change(pair.free) + velocity_change(pair.other_free);
    const float margin =
        static_cast<float>(pair.slop +
                           h * (length(a.velocity - b.velocity) + length(a.spin) * pair.radius +
                                length(b.spin) * pair.other_radius) +
                           0.5 * gate.state->dt * speed_change);
    double near[1] = {};
    if (!gate.closed() && !apart(pair, a, b, margin)) {
      near[0] = 1;
      team.each(pair.point_count, [&](Index k) {
        near_points[k] = sample(pair, a, b, view.points[pair.first_point + k]);
      });
    }
    team.add_up(near);  // a barrier: all points are written
    team.each(1,
              [&](Index) { view.found[p] = near[0] > 0 ? choose_contacts(p, a, b, margin) : 0; });
  }

 private:
  PANTA_HD double velocity_change(int free) const {
    return free < 0 ? 0.0 : length(predicted[free].velocity - before[free].velocity);
  }

  PANTA_HD ShapeView solid(int wall) const { return walls.solid(wall); }

  PANTA_HD detail::BodyFrame frame(int wall, int free) const {
    detail::BodyFrame f;
    if (free >= 0) {
      const FreeBodyState& s = states[free];
      f.turn = rotation(s.rotation);
      f.place = s.place;
      f.velocity = s.velocity;
      f.spin = spin_of(specs[free], s);
      f.inverse_inertia = inverse_inertia(specs[free], s.rotation);
      f.inverse_mass = 1 / specs[free].mass;
    } else if (wall >= 0 && walls.walls.bodies[wall].motion >= 0) {
      const Pose pose = walls.pose(wall, static_cast<float>(substep) / static_cast<float>(substeps),
                                   static_cast<float>(gate.state->dt));
      f.turn = to_double(pose.rotation);
      f.place = to_double(pose.position);
      f.velocity = to_double(pose.velocity);
      f.spin = to_double(pose.spin);
    }
    return f;
  }

  PANTA_HD bool apart(const BodyPair& pair, const detail::BodyFrame& a, const detail::BodyFrame& b,
                      float margin) const {
    const Vec3d middle = a.to_world(pair.middle);
    if (pair.other_plane >= 0) {
      const WallPlane& plane = walls.walls.planes[pair.other_plane];
      return dot(middle - to_double(plane.point), to_double(plane.normal)) > pair.radius + margin;
    }
    return length(middle - b.to_world(pair.other_middle)) >
           double{pair.radius} + pair.other_radius + margin;
  }

  // Distance and normal of the other body or plane at x.
  PANTA_HD Distance other_distance(const BodyPair& pair, const detail::BodyFrame& b,
                                   const Vec3d& x) const {
    if (pair.other_plane >= 0) {
      const WallPlane& plane = walls.walls.planes[pair.other_plane];
      const Vec3d n = to_double(plane.normal);
      return {static_cast<float>(dot(x - to_double(plane.point), n)), plane.normal};
    }
    const Distance d = distance(solid(pair.other_wall), b.to_own(x));
    return {d.value, to_float(b.turn * to_double(d.normal))};
  }

  PANTA_HD NearPoint sample(const BodyPair& pair, const detail::BodyFrame& a,
                            const detail::BodyFrame& b, const BodyPoint& point) const {
    const Vec3d x = a.to_world(point.place), outwards = a.turn * to_double(point.normal);
    const Vec3d below = x - outwards * pair.inset;
    const Distance d = other_distance(pair, b, below);
    const float facing = static_cast<float>(dot(outwards, to_double(d.normal)));
    return {x, d.normal, facing < 0 ? d.value + facing * pair.inset : far_from_all};
  }

  // The surface point nearest to the other body, searched from a nearby one.
  PANTA_HD NearPoint nearest(const BodyPair& pair, const detail::BodyFrame& a,
                             const detail::BodyFrame& b, NearPoint best) const {
    constexpr int iterations = 8;
    const ShapeView own = solid(pair.wall);
    for (int iteration = 0; iteration < iterations; ++iteration) {
      Vec3 x = a.to_own(best.place - to_double(best.normal) * (4.0 * pair.radius));
      Vec3 outwards;
      for (int back = 0; back < 2; ++back) {
        const Distance d = distance(own, x);
        x -= d.normal * d.value;
        outwards = d.normal;
      }
      const NearPoint next = sample(pair, a, b, {x, outwards});
      if (!(next.distance < best.distance)) break;
      best = next;
    }
    return best;
  }

  PANTA_HD int choose_contacts(Index p, const detail::BodyFrame& a, const detail::BodyFrame& b,
                               float margin) const {
    const BodyPair& pair = view.pairs[p];
    NearPoint* near_points = view.near_points + p * points_per_pair;
    int deepest = 0, kept = 0;
    for (int k = 1; k < pair.point_count; ++k)
      if (near_points[k].distance < near_points[deepest].distance) deepest = k;
    if (near_points[deepest].distance > margin + 0.1f * pair.radius) return 0;
    const NearPoint refined = nearest(pair, a, b, near_points[deepest]);
    for (int k = 0; k < pair.point_count; ++k)
      if (near_points[k].distance < margin) near_points[kept++] = near_points[k];
    if (refined.distance < margin) near_points[kept++] = refined;
    int chosen[most_contacts];
    const int count = spread(near_points, kept, 0.1f * pair.slop, chosen);
    for (int k = 0; k < count; ++k)
      view.contacts[p * most_contacts + k] = contact(pair, a, b, near_points[chosen[k]]);
    warm_start(p, count);
    return count;
  }

  // Each contact gets the nearest warm start of the last substep.
  PANTA_HD void warm_start(Index p, int count) const {
    const double h = gate.state->dt / substeps;
    const float near = same_point_radii * view.pairs[p].radius;
    bool used[most_contacts] = {};
    for (int k = 0; k < count; ++k) {
      BodyContact& c = view.contacts[p * most_contacts + k];
      int nearest = -1;
      float distance = near;
      for (int old = 0; old < view.warm_start_counts[p]; ++old) {
        const float apart = length(view.warm_starts[p * most_contacts + old].place - c.local_point);
        if (!used[old] && apart < distance) distance = apart, nearest = old;
      }
      if (nearest < 0) continue;
      used[nearest] = true;
      const Vec3d push = to_double(view.warm_starts[p * most_contacts + nearest].force) * h;
      for (int axis = 0; axis < 3; ++axis) c.impulse[axis] = dot(push, c.axis[axis]);
      if (c.impulse[0] < 0) c.impulse[0] = 0;
    }
  }

  PANTA_HD static bool same_side(const Vec3& n, const Vec3& m) { return dot(n, m) > 0.7f; }

  PANTA_HD static int spread(const NearPoint* near_points, int kept, float slop,
                             int (&chosen)[most_contacts]) {
    constexpr int sides = 3;
    Vec3 taken[sides];
    int count = 0;
    for (int side = 0; side < sides && count < most_contacts; ++side) {
      int deepest = -1;
      for (int k = 0; k < kept; ++k) {
        bool fresh = true;
        for (int s = 0; s < side; ++s) fresh = fresh && !same_side(taken[s], near_points[k].normal);
        if (fresh && (deepest < 0 || near_points[k].distance < near_points[deepest].distance))
          deepest = k;
      }
      if (deepest < 0) break;
      taken[side] = near_points[deepest].normal;
      const int first = count;
      count = add_outermost(near_points, kept, deepest, chosen, count);
      bool represented = false;
      for (int k = first; k < count; ++k)
        represented =
            represented || near_points[chosen[k]].distance < near_points[deepest].distance + slop;
      if (!represented && count < most_contacts) chosen[count++] = deepest;
    }
    return count;
  }

  // The outermost points in six directions around the deepest one; the distance counts `nearer`
  // times.
  PANTA_HD static int add_outermost(const NearPoint* near_points, int kept, int deepest,
                                    int (&chosen)[most_contacts], int count) {
    constexpr float cosine[6] = {1, 0.5f, -0.5f, -1, -0.5f, 0.5f};
    constexpr float sine[6] = {0, 0.8660254f, 0.8660254f, 0, -0.8660254f, -0.8660254f};
    constexpr float nearer = 5;
    const NearPoint& from = near_points[deepest];
    const Vec3 u = to_float(detail::unit_normal_to(to_double(from.normal)));
    const Vec3 v = cross(from.normal, u);
    for (int direction = 0; direction < 6 && count < most_contacts; ++direction) {
      const Vec3 outwards = u * cosine[direction] + v * sine[direction];
      int outermost = -1;
      float farthest = -1e30f;
      for (int k = 0; k < kept; ++k) {
        if (!same_side(from.normal, near_points[k].normal)) continue;
        const float out = dot(to_float(near_points[k].place - from.place), outwards) -
                          nearer * (near_points[k].distance - from.distance);
        if (out > farthest) farthest = out, outermost = k;
      }
      bool known = false;
      for (int k = 0; k < count; ++k) known = known || chosen[k] == outermost;
      if (!known) chosen[count++] = outermost;
    }
    return count;
  }

  PANTA_HD Vec3d surface_velocity(const Surface& surface, const detail::BodyFrame& f) const {
    return f.turn * to_double(surface.velocity);
  }

  PANTA_HD BodyContact contact(const BodyPair& pair, const detail::BodyFrame& a,
                               const detail::BodyFrame& b, const NearPoint& place) const {
    BodyContact c;
    c.axis[0] = to_double(place.normal);
    c.axis[1] = detail::unit_normal_to(c.axis[0]);
    c.axis[2] = cross(c.axis[0], c.axis[1]);
    c.local_point = a.to_own(place.place);
    c.body = pair.free >= 0 ? pair.free : body_count;
    c.other = pair.other_free >= 0 ? pair.other_free : body_count;
    c.distance = place.distance;
    c.slop = pair.slop;
    c.friction = pair.friction;
    c.restitution = pair.restitution;
    c.prescribed_velocity =
        surface_velocity(walls.walls.bodies[pair.wall].surface, a) -
        surface_velocity(pair.other_plane >= 0 ? walls.walls.planes[pair.other_plane].surface
                                               : walls.walls.bodies[pair.other_wall].surface,
                         b);
    if (pair.free < 0) c.prescribed_velocity += a.velocity_at(place.place);
    if (pair.other_free < 0) c.prescribed_velocity -= b.velocity_at(place.place);
    for (int k = 0; k < 3; ++k) {
      c.lever[k] = cross(place.place - a.place, c.axis[k]);
      c.other_lever[k] = cross(place.place - b.place, c.axis[k]);
      c.spin[k] = a.inverse_inertia * c.lever[k];
      c.other_spin[k] = b.inverse_inertia * c.other_lever[k];
      c.mass[k] = 1 / (a.inverse_mass + dot(c.lever[k], c.spin[k]) + b.inverse_mass +
                       dot(c.other_lever[k], c.other_spin[k]));
    }
    return c;
  }
};

}  // namespace panta
