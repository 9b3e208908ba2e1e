// Walls on the way of a particle: what a step that is long beside a thin wall would jump over.
//
// A body is looked at in its own frame, in which it stands still: the particle goes there straight
// from where it is at the step's start to where it is at its end, each seen from the body's pose at
// that time. A way that is clear of the solid joins two places on the same side of it, so that
// a chain of clear ways never leads through a wall, however thin it is and however it moves.
#pragma once

#include "panta/walls/wall.h"

namespace panta {

// The way of a particle in a step of length dt; `spacing` says how fine a look is fine enough,
// `material` is the bit of bodies that are not felt.
struct ParticleWay {
  Vec3 from, to;
  float dt = 0, spacing = 0;
  std::uint32_t material = 0;

  PANTA_HD Vec3 at(float share) const { return from + (to - from) * share; }
};

// The same in the frame of a body.
struct OwnWay {
  Vec3 from, to;

  PANTA_HD Vec3 at(float share) const { return from + (to - from) * share; }
  PANTA_HD bool misses(const Vec3& low, const Vec3& high) const {
    return maximum(from.x, to.x) < low.x || minimum(from.x, to.x) > high.x ||
           maximum(from.y, to.y) < low.y || minimum(from.y, to.y) > high.y ||
           maximum(from.z, to.z) < low.z || minimum(from.z, to.z) > high.z;
  }
};

inline constexpr float no_crossing = 2;       // a share beyond the way's end
inline constexpr float long_way = 0.5f;       // spacings; shorter ones cannot pass a wall unseen
inline constexpr float finest_look = 0.2f;    // spacings
inline constexpr float most_looks = 64;       // along a way
inline constexpr float trusted_share = 0.8f;  // of a distance, which may be a rough one

// The last share of the way that is outside the solid before it enters it for the first time, or
// no_crossing. Where the way begins inside it there is nothing to keep apart.
PANTA_HD float first_crossing(const ShapeView& solid, const OwnWay& way, float spacing) {
  const float whole = length(way.to - way.from);
  float d = distance(solid, way.from).value;
  if (!(d > 0) || d * trusted_share > whole) return no_crossing;
  const float least = maximum(finest_look * spacing, whole / most_looks);
  float outside = 0, at = 0;
  while (d > 0) {
    outside = at;
    if (at >= whole) return no_crossing;
    at = minimum(at + maximum(trusted_share * d, least), whole);
    d = distance(solid, way.at(at / whole)).value;
  }
  for (int halving = 0; halving < 8; ++halving) {
    const float middle = 0.5f * (outside + at);
    (distance(solid, way.at(middle / whole)).value > 0 ? outside : at) = middle;
  }
  return outside / whole;
}

// Bodies between their poses at the start (those of `walls`) and at the end of a step.
struct MovingWalls {
  WallsView walls;
  const Pose* end_poses = nullptr;

  PANTA_HD ShapeView solid(int b) const {
    const ShapeList::Range& range = walls.bodies[b].solid;
    return {walls.nodes + range.first, range.count, walls.grids};
  }
  PANTA_HD OwnWay own_way(int b, const ParticleWay& way) const {
    const int motion = walls.bodies[b].motion;
    if (motion < 0) return {way.from, way.to};
    return {walls.poses[motion].to_own(way.from), end_poses[motion].to_own(way.to)};
  }

  // The body's pose so far into a step.
  PANTA_HD Pose pose(int b, float share, float dt) const {
    const int motion = walls.bodies[b].motion;
    Pose p;
    if (motion < 0) return p;
    p = walls.poses[motion];
    p.position += p.velocity * (share * dt);
    const float angle = length(p.spin) * share * dt;
    if (angle > 0) p.rotation = rotation(axis_angle(normalized(p.spin), angle)) * p.rotation;
    return p;
  }

  struct Crossing {
    float share = no_crossing;
    int body = -1;
  };

  PANTA_HD bool stands(int b) const { return walls.bodies[b].motion < 0; }

  // Ways that are no longer than `shortest` do not count.
  PANTA_HD Crossing first(const ParticleWay& way, float shortest, bool only_standing) const {
    Crossing first;
    for (int b = 0; b < walls.body_count; ++b) {
      if (!walls.felt(b, way.material) || (only_standing && !stands(b))) continue;
      const OwnWay own = own_way(b, way);
      if (own.misses(walls.bodies[b].box_min, walls.bodies[b].box_max)) continue;
      const Vec3 step = own.to - own.from;
      if (dot(step, step) <= shortest * shortest) continue;
      const float share = first_crossing(solid(b), own, way.spacing);
      if (share < first.share) first = {share, b};
    }
    return first;
  }

  // All surfaces that the way comes near: where it first meets a body, or else half way, or where a
  // long one is nearest. Their distances are those of flat surfaces to the middle of the way at the
  // start of the step, as NearWalls wants them. Where a way is long, a flat surface that would have
  // a part of it behind itself though nothing was met there is not one the particle can touch.
  PANTA_HD ContactSet contacts(const ParticleWay& way, float reach) const {
    ContactSet set;
    const Crossing met = first(way, long_way * way.spacing, false);
    const float share = met.body >= 0 ? met.share : 0.5f;
    for (int b = 0; b < walls.body_count; ++b)
      if (walls.felt(b, way.material)) add_contacts(b, way, share, met.body, reach, set);
    if (set.count == 0) return set;
    for (int k = 0; k < walls.plane_count; ++k) {
      const WallContact c = plane_contact(walls.planes[k], way.at(0.5f));
      if (c.distance - 0.5f * fabsf(dot(way.to - way.from, c.normal)) < reach) set.add(c);
    }
    if (set.count > 1) detail::weigh(set);
    return set;
  }

 private:
  // Where a long way that meets nothing comes nearest: what leaves a wall may be pushed back to it.
  PANTA_HD float nearest_share(int b, const OwnWay& own) const {
    float nearest = 1e30f, share = 0;
    for (const float s : {0.0f, 0.5f, 1.0f}) {
      const float d = distance(solid(b), own.at(s)).value;
      if (d < nearest) nearest = d, share = s;
    }
    return share;
  }

  PANTA_HD void add_contacts(int b, const ParticleWay& way, float share, int met, float reach,
                             ContactSet& set) const {
    const WallBody& body = walls.bodies[b];
    const OwnWay own = own_way(b, way);
    const Vec3 step = own.to - own.from;
    const bool goes_far = length(step) > long_way * way.spacing;
    if (goes_far && own.misses(body.box_min, body.box_max)) return;
    if (goes_far && met < 0) share = nearest_share(b, own);
    const Vec3 place = own.at(share);
    if (!walls.worth_a_look(body, place)) return;
    const Pose pose = this->pose(b, share, way.dt);
    const Vec3 here = way.at(share), middle = way.at(0.5f);
    const SurfaceSet near = surfaces(solid(b), place);
    for (int k = 0; k < near.count; ++k) {
      const Distance& d = near.item[k];
      const float approach = dot(step, d.normal);
      const bool starts_behind = d.value - share * approach < 0;
      const bool ends_behind = d.value + (1 - share) * approach < 0;
      if (!(d.value < reach) || (goes_far && (starts_behind || (ends_behind && b != met))))
        continue;
      WallContact c{0, 1.0f, pose.rotation * d.normal, {}, &body.surface, body.free};
      c.velocity = pose.rotation * body.surface.velocity + pose.velocity_at(here);
      c.distance =
          d.value + dot(middle - here, c.normal) + dot(c.velocity, c.normal) * (share * way.dt);
      if (body.free >= 0) c.curvature = surface_curvature(solid(b), place, d, 0.1f * reach);
      set.add(c);
    }
  }
};

// Where a particle is to be after a step that has led it through a wall, and its velocity then.
struct KeptOutside {
  Vec3 place, velocity;
  bool changed = false;
};

// Puts what has crossed a wall back in front of it, `clearance` away, and lets it slide on from
// there; its velocity loses what points into the wall. Where there is no room for that, it stays
// where it met the wall.
PANTA_HD KeptOutside keep_outside(const MovingWalls& moving, ParticleWay way, const Vec3& velocity,
                                  float clearance) {
  constexpr int attempts = 12;  // between a wall and a blade it takes several
  KeptOutside kept{way.to, velocity, false};
  const auto meet = [&](const Vec3& normal, const Vec3& wall_velocity) {
    const float into = dot(kept.velocity - wall_velocity, normal);
    if (into < 0) kept.velocity -= normal * into;
    kept.changed = true;
  };
  for (int attempt = 0; attempt < attempts; ++attempt) {
    for (int k = 0; k < moving.walls.plane_count; ++k) {
      const WallContact c = plane_contact(moving.walls.planes[k], way.to);
      if (!(c.distance < 0)) continue;
      way.to += c.normal * (clearance - c.distance);
      meet(c.normal, c.velocity);
    }
    const MovingWalls::Crossing met = moving.first(way, 0, false);
    if (met.body < 0) break;
    const OwnWay own = moving.own_way(met.body, way);
    const Distance d = distance(moving.solid(met.body), own.at(met.share));
    const Vec3 rest = own.to - own.at(met.share);
    Vec3 place = own.at(met.share);
    if (attempt + 1 < attempts) place += d.normal * maximum(clearance - d.value, 0.0f);
    if (2 * attempt < attempts) place += rest - d.normal * dot(rest, d.normal);
    const Pose pose = moving.pose(met.body, 1, way.dt);
    const int motion = moving.walls.bodies[met.body].motion;
    way.to = motion < 0 ? place : moving.end_poses[motion].to_world(place);
    meet(pose.rotation * d.normal, pose.velocity_at(way.to));
  }
  // What lies between two bodies may enter the one that moves for a moment, never the other.
  if (kept.changed) {
    const MovingWalls::Crossing left = moving.first(way, 0, true);
    if (left.body >= 0) way.to = way.at(left.share);
  }
  kept.place = way.to;
  return kept;
}

}  // namespace panta
