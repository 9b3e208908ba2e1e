// Where free bodies touch each other, walls and the sides of the domain.
//
// A pair is a body whose surface points (bodies/body_points.h) are looked up in the distance
// function of another. Two free bodies make two pairs. A point is looked up a little below its
// surface, `inset` deep, and the distance carried outwards along the other's normal: at a corner
// that lies flush with a side of the other body the other's top is then found, not its side.
// Besides the points, the place of the surface nearest to the other body is searched for by going
// along the other's normal and back to the surface, so that round bodies touch in one point and
// roll.
//
// Of the places found near each other's surfaces a few are kept: for up to three directions of the
// normal the deepest place and the outermost ones around it.
#pragma once

#include "panta/bodies/body_points.h"
#include "panta/bodies/free_body.h"
#include "panta/core/team.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall_crossing.h"

namespace panta {

struct BodyPair {
  int wall = -1, free = -1;  // whose points; its number where it is free
  int first_point = 0, point_count = 0;
  int other_wall = -1, other_plane = -1, other_free = -1;
  Vec3 middle, other_middle;            // of balls around them, in their own frames
  float radius = 0, other_radius = 0;   // m
  float inset = 0;                      // m
  float slop = 0;                       // m, so deep nothing is done about
  float friction = 0, restitution = 0;  // of the two surfaces together
};

// Two bodies push each other along the normal at a place.
struct BodyContact {
  Vec3d way[3];             // the normal, towards the first, and two tangents
  Vec3d lever[3], spin[3];  // of the first: moment of a unit push that way, spin it gives
  Vec3d other_lever[3], other_spin[3];
  Vec3d carried;            // m/s, of the first's surface against the other's by what is not free
  int body = 0, other = 0;  // free bodies; their number where it is none
  double distance = 0;      // m, negative: so deep
  double mass[3] = {};      // kg, against a push that way
  double slop = 0, friction = 0, restitution = 0;
  double approach = 0;     // m/s, along the normal before the step's forces
  double impulse[3] = {};  // kg m/s, in this substep
  double shift = 0;        // kg m, by which it was taken out of the other
  Vec3 own_place;          // in the frame of the first
};

// What a contact needed in a substep, with which the next one begins: bodies at rest push each
// other the same way all the time, and tall stacks stand only if that need not be found anew.
struct KeptPush {
  Vec3 place;  // in the frame of the body whose point it is
  Vec3 force;  // N, in the frame of the world
};

// What of a pair is near the other body.
struct NearPlace {
  Vec3d place;
  Vec3 normal;  // of the other body
  float distance = 0;
};

inline constexpr int most_contacts = 12;   // of a pair
inline constexpr float same_place = 0.1f;  // radii between contacts that are taken for the same
inline constexpr Index most_points = 256;
inline constexpr Index places_per_pair = most_points + 1;

struct PairsView {
  const BodyPair* pairs = nullptr;
  const BodyPoint* points = nullptr;
  NearPlace* places = nullptr;  // scratch
  int* found = nullptr;         // contacts of a pair
  BodyContact* contacts = nullptr;
  int* kept = nullptr;  // pushes of a pair
  KeptPush* pushes = nullptr;
  Index count = 0;
};

namespace detail {

// A body in a substep, free or not.
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
  const FreeBodyState *before, *pushed;  // at the step's start, and with what forces gave since
  MovingWalls walls;
  StepGate gate;
  int body_count, substep, substeps;

  template <class Team>
  PANTA_HD void operator()(Index p, const Team& team) const {
    const BodyPair& pair = view.pairs[p];
    NearPlace* places = view.places + p * places_per_pair;
    const detail::BodyFrame a = frame(pair.wall, pair.free);
    const detail::BodyFrame b = frame(pair.other_wall, pair.other_free);
    const double h = gate.state->dt / substeps;
    const double faster = gained(pair.free) + gained(pair.other_free);
    const float margin =
        static_cast<float>(pair.slop +
                           h * (length(a.velocity - b.velocity) + length(a.spin) * pair.radius +
                                length(b.spin) * pair.other_radius) +
                           0.5 * gate.state->dt * faster);
    double near[1] = {};
    if (!gate.closed() && !apart(pair, a, b, margin)) {
      near[0] = 1;
      team.each(pair.point_count,
                [&](Index k) { places[k] = look(pair, a, b, view.points[pair.first_point + k]); });
    }
    team.add_up(near);  // all have written their places
    team.each(1, [&](Index) { view.found[p] = near[0] > 0 ? choose(p, a, b, margin) : 0; });
  }

 private:
  PANTA_HD double gained(int free) const {
    return free < 0 ? 0.0 : length(pushed[free].velocity - before[free].velocity);
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

  // The other body's distance at x.
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

  PANTA_HD NearPlace look(const BodyPair& pair, const detail::BodyFrame& a,
                          const detail::BodyFrame& b, const BodyPoint& point) const {
    const Vec3d x = a.to_world(point.place), outwards = a.turn * to_double(point.normal);
    const Vec3d below = x - outwards * pair.inset;
    const Distance d = other_distance(pair, b, below);
    const float facing = static_cast<float>(dot(outwards, to_double(d.normal)));
    return {x, d.normal, facing < 0 ? d.value + facing * pair.inset : far_from_all};
  }

  // The place of the surface nearest to the other body, from one that is near it.
  PANTA_HD NearPlace nearest(const BodyPair& pair, const detail::BodyFrame& a,
                             const detail::BodyFrame& b, NearPlace best) const {
    constexpr int turns = 8;
    const ShapeView own = solid(pair.wall);
    for (int turn = 0; turn < turns; ++turn) {
      Vec3 x = a.to_own(best.place - to_double(best.normal) * (4.0 * pair.radius));
      Vec3 outwards;
      for (int back = 0; back < 2; ++back) {
        const Distance d = distance(own, x);
        x -= d.normal * d.value;
        outwards = d.normal;
      }
      const NearPlace next = look(pair, a, b, {x, outwards});
      if (!(next.distance < best.distance)) break;
      best = next;
    }
    return best;
  }

  PANTA_HD int choose(Index p, const detail::BodyFrame& a, const detail::BodyFrame& b,
                      float margin) const {
    const BodyPair& pair = view.pairs[p];
    NearPlace* places = view.places + p * places_per_pair;
    int deepest = 0, kept = 0;
    for (int k = 1; k < pair.point_count; ++k)
      if (places[k].distance < places[deepest].distance) deepest = k;
    if (places[deepest].distance > margin + 0.1f * pair.radius) return 0;
    const NearPlace refined = nearest(pair, a, b, places[deepest]);
    for (int k = 0; k < pair.point_count; ++k)
      if (places[k].distance < margin) places[kept++] = places[k];
    if (refined.distance < margin) places[kept++] = refined;
    int chosen[most_contacts];
    const int count = spread(places, kept, 0.1f * pair.slop, chosen);
    for (int k = 0; k < count; ++k)
      view.contacts[p * most_contacts + k] = contact(pair, a, b, places[chosen[k]]);
    take_up(p, count);
    return count;
  }

  // Each contact goes on with the push of the nearest one before.
  PANTA_HD void take_up(Index p, int count) const {
    const double h = gate.state->dt / substeps;
    const float near = same_place * view.pairs[p].radius;
    bool used[most_contacts] = {};
    for (int k = 0; k < count; ++k) {
      BodyContact& c = view.contacts[p * most_contacts + k];
      int nearest = -1;
      float distance = near;
      for (int old = 0; old < view.kept[p]; ++old) {
        const float apart = length(view.pushes[p * most_contacts + old].place - c.own_place);
        if (!used[old] && apart < distance) distance = apart, nearest = old;
      }
      if (nearest < 0) continue;
      used[nearest] = true;
      const Vec3d push = to_double(view.pushes[p * most_contacts + nearest].force) * h;
      for (int way = 0; way < 3; ++way) c.impulse[way] = dot(push, c.way[way]);
      if (c.impulse[0] < 0) c.impulse[0] = 0;
    }
  }

  PANTA_HD static bool same_side(const Vec3& n, const Vec3& m) { return dot(n, m) > 0.7f; }

  PANTA_HD static int spread(const NearPlace* places, int kept, float slop,
                             int (&chosen)[most_contacts]) {
    constexpr int sides = 3;
    Vec3 taken[sides];
    int count = 0;
    for (int side = 0; side < sides && count < most_contacts; ++side) {
      int deepest = -1;
      for (int k = 0; k < kept; ++k) {
        bool fresh = true;
        for (int s = 0; s < side; ++s) fresh = fresh && !same_side(taken[s], places[k].normal);
        if (fresh && (deepest < 0 || places[k].distance < places[deepest].distance)) deepest = k;
      }
      if (deepest < 0) break;
      taken[side] = places[deepest].normal;
      const int first = count;
      count = add_outermost(places, kept, deepest, chosen, count);
      bool stands_for_it = false;
      for (int k = first; k < count; ++k)
        stands_for_it =
            stands_for_it || places[chosen[k]].distance < places[deepest].distance + slop;
      if (!stands_for_it && count < most_contacts) chosen[count++] = deepest;
    }
    return count;
  }

  // The outermost places in six directions around the deepest; nearer ones are preferred.
  PANTA_HD static int add_outermost(const NearPlace* places, int kept, int deepest,
                                    int (&chosen)[most_contacts], int count) {
    constexpr float cosine[6] = {1, 0.5f, -0.5f, -1, -0.5f, 0.5f};
    constexpr float sine[6] = {0, 0.8660254f, 0.8660254f, 0, -0.8660254f, -0.8660254f};
    constexpr float nearer = 5;
    const NearPlace& from = places[deepest];
    const Vec3 u = to_float(detail::unit_normal_to(to_double(from.normal)));
    const Vec3 v = cross(from.normal, u);
    for (int direction = 0; direction < 6 && count < most_contacts; ++direction) {
      const Vec3 way = u * cosine[direction] + v * sine[direction];
      int outermost = -1;
      float farthest = -1e30f;
      for (int k = 0; k < kept; ++k) {
        if (!same_side(from.normal, places[k].normal)) continue;
        const float out = dot(to_float(places[k].place - from.place), way) -
                          nearer * (places[k].distance - from.distance);
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
                               const detail::BodyFrame& b, const NearPlace& place) const {
    BodyContact c;
    c.way[0] = to_double(place.normal);
    c.way[1] = detail::unit_normal_to(c.way[0]);
    c.way[2] = cross(c.way[0], c.way[1]);
    c.own_place = a.to_own(place.place);
    c.body = pair.free >= 0 ? pair.free : body_count;
    c.other = pair.other_free >= 0 ? pair.other_free : body_count;
    c.distance = place.distance;
    c.slop = pair.slop;
    c.friction = pair.friction;
    c.restitution = pair.restitution;
    c.carried =
        surface_velocity(walls.walls.bodies[pair.wall].surface, a) -
        surface_velocity(pair.other_plane >= 0 ? walls.walls.planes[pair.other_plane].surface
                                               : walls.walls.bodies[pair.other_wall].surface,
                         b);
    if (pair.free < 0) c.carried += a.velocity_at(place.place);
    if (pair.other_free < 0) c.carried -= b.velocity_at(place.place);
    for (int k = 0; k < 3; ++k) {
      c.lever[k] = cross(place.place - a.place, c.way[k]);
      c.other_lever[k] = cross(place.place - b.place, c.way[k]);
      c.spin[k] = a.inverse_inertia * c.lever[k];
      c.other_spin[k] = b.inverse_inertia * c.other_lever[k];
      c.mass[k] = 1 / (a.inverse_mass + dot(c.lever[k], c.spin[k]) + b.inverse_mass +
                       dot(c.other_lever[k], c.other_spin[k]));
    }
    return c;
  }
};

}  // namespace panta
