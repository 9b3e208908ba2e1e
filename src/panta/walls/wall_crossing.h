// Detects walls that a particle crosses in a step longer than the wall is thick.
//
// The test is done in the frame of each body, in which the body is at rest. The particle's path
// there is the segment from its position at the start of the step to that at the end, each
// transformed with the body's pose at that time. A segment outside the solid connects two points
// on the same side of it. So a chain of such segments never passes through a wall, for any
// thickness and any motion of the wall.
#pragma once

#include "panta/walls/wall.h"

namespace panta {

// The path of a particle in a step of length dt. `spacing` sets the distance of samples on the
// path, `material` is the bit of its material in Surface::ignored_by.
struct ParticlePath {
  Vec3 from, to;
  float dt = 0, spacing = 0;
  std::uint32_t material = 0;

  PANTA_HD Vec3 at(float fraction) const { return from + (to - from) * fraction; }
};

// The same path in the frame of a body.
struct LocalPath {
  Vec3 from, to;

  PANTA_HD Vec3 at(float fraction) const { return from + (to - from) * fraction; }
  PANTA_HD bool misses(const Vec3& low, const Vec3& high) const {
    return maximum(from.x, to.x) < low.x || minimum(from.x, to.x) > high.x ||
           maximum(from.y, to.y) < low.y || minimum(from.y, to.y) > high.y ||
           maximum(from.z, to.z) < low.z || minimum(from.z, to.z) > high.z;
  }
};

inline constexpr float no_crossing = 2;   // a fraction of the path beyond its end
inline constexpr float long_path = 0.5f;  // spacings; a shorter path cannot cross a wall undetected
inline constexpr float sample_spacing = 0.2f;  // spacings
inline constexpr float most_samples = 64;      // along a path
inline constexpr float distance_safety =
    0.8f;  // safety factor, because a shape's distance may be inexact

// The last fraction of the path at which the point is outside the solid, before it enters it for
// the first time; no_crossing if it does not enter the solid or starts inside it. Marches along the
// path by the distance to the solid, then bisects.
PANTA_HD float first_crossing(const ShapeView& solid, const LocalPath& path, float spacing) {
  const float whole = length(path.to - path.from);
  float d = distance(solid, path.from).value;
  if (!(d > 0) || d * distance_safety > whole) return no_crossing;
  const float least = maximum(sample_spacing * spacing, whole / most_samples);
  float outside = 0, at = 0;
  while (d > 0) {
    outside = at;
    if (at >= whole) return no_crossing;
    at = minimum(at + maximum(distance_safety * d, least), whole);
    d = distance(solid, path.at(at / whole)).value;
  }
  for (int halving = 0; halving < 8; ++halving) {
    const float middle = 0.5f * (outside + at);
    (distance(solid, path.at(middle / whole)).value > 0 ? outside : at) = middle;
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
  PANTA_HD LocalPath local_path(int b, const ParticlePath& path) const {
    const int motion = walls.bodies[b].motion;
    if (motion < 0) return {path.from, path.to};
    return {walls.poses[motion].to_own(path.from), end_poses[motion].to_own(path.to)};
  }

  // The body's pose at a fraction of the step.
  PANTA_HD Pose pose(int b, float fraction, float dt) const {
    const int motion = walls.bodies[b].motion;
    Pose p;
    if (motion < 0) return p;
    p = walls.poses[motion];
    p.position += p.velocity * (fraction * dt);
    const float angle = length(p.spin) * fraction * dt;
    if (angle > 0) p.rotation = rotation(axis_angle(normalized(p.spin), angle)) * p.rotation;
    return p;
  }

  struct Crossing {
    float fraction = no_crossing;
    int body = -1;
  };

  PANTA_HD bool is_static(int b) const { return walls.bodies[b].motion < 0; }

  // The first body that the path enters. Paths not longer than `shortest` (in the body's frame) are
  // skipped.
  PANTA_HD Crossing first(const ParticlePath& path, float shortest, bool only_static) const {
    Crossing first;
    for (int b = 0; b < walls.body_count; ++b) {
      if (!walls.touches(b, path.material) || (only_static && !is_static(b))) continue;
      const LocalPath own = local_path(b, path);
      if (own.misses(walls.bodies[b].box_min, walls.bodies[b].box_max)) continue;
      const Vec3 step = own.to - own.from;
      if (dot(step, step) <= shortest * shortest) continue;
      const float fraction = first_crossing(solid(b), own, path.spacing);
      if (fraction < first.fraction) first = {fraction, b};
    }
    return first;
  }

  // All surfaces near the path. They are evaluated at the point where the path first meets a body,
  // else at the middle or, for a long path, at its start, middle or end, whichever is nearest to
  // the body. Distances are those of flat surfaces from the middle of the path at the start of the
  // step, as NearWalls requires. On a long path without a crossing, flat surfaces with a part of
  // the path behind them are ignored: the particle cannot touch them.
  PANTA_HD ContactSet contacts(const ParticlePath& path, float reach) const {
    ContactSet set;
    const Crossing met = first(path, long_path * path.spacing, false);
    const float fraction = met.body >= 0 ? met.fraction : 0.5f;
    for (int b = 0; b < walls.body_count; ++b)
      if (walls.touches(b, path.material)) add_contacts(b, path, fraction, met.body, reach, set);
    if (set.count == 0) return set;
    for (int k = 0; k < walls.plane_count; ++k) {
      const WallContact c = plane_contact(walls.planes[k], path.at(0.5f));
      if (c.distance - 0.5f * fabsf(dot(path.to - path.from, c.normal)) < reach) set.add(c);
    }
    if (set.count > 1) detail::weigh_contacts(set);
    return set;
  }

 private:
  // The fraction (0, 0.5 or 1) at which a long path without a crossing is nearest to the body. The
  // start and the end are tested too, because other corrections may push a particle back to a wall
  // that it leaves.
  PANTA_HD float nearest_fraction(int b, const LocalPath& own) const {
    float nearest = 1e30f, fraction = 0;
    for (const float s : {0.0f, 0.5f, 1.0f}) {
      const float d = distance(solid(b), own.at(s)).value;
      if (d < nearest) nearest = d, fraction = s;
    }
    return fraction;
  }

  PANTA_HD void add_contacts(int b, const ParticlePath& path, float fraction, int met, float reach,
                             ContactSet& set) const {
    const WallBody& body = walls.bodies[b];
    const LocalPath own = local_path(b, path);
    const Vec3 step = own.to - own.from;
    const bool is_long = length(step) > long_path * path.spacing;
    if (is_long && own.misses(body.box_min, body.box_max)) return;
    if (is_long && met < 0) fraction = nearest_fraction(b, own);
    const Vec3 place = own.at(fraction);
    if (!walls.may_be_near(body, place)) return;
    const Pose pose = this->pose(b, fraction, path.dt);
    const Vec3 here = path.at(fraction), middle = path.at(0.5f);
    const SurfaceSet near = surfaces(solid(b), place);
    for (int k = 0; k < near.count; ++k) {
      const Distance& d = near.item[k];
      const float approach = dot(step, d.normal);
      const bool starts_behind = d.value - fraction * approach < 0;
      const bool ends_behind = d.value + (1 - fraction) * approach < 0;
      if (!(d.value < reach) || (is_long && (starts_behind || (ends_behind && b != met)))) continue;
      WallContact c{0, 1.0f, pose.rotation * d.normal, {}, &body.surface, body.free};
      c.velocity = pose.rotation * body.surface.velocity + pose.velocity_at(here);
      c.distance =
          d.value + dot(middle - here, c.normal) + dot(c.velocity, c.normal) * (fraction * path.dt);
      if (body.free >= 0) c.curvature = surface_curvature(solid(b), place, d, 0.1f * reach);
      set.add(c);
    }
  }
};

// Corrected position and velocity of a particle that crossed a wall in a step.
struct KeptOutside {
  Vec3 place, velocity;
  bool changed = false;
};

// Moves a particle that crossed a wall back in front of it, at the distance `clearance`, and keeps
// the tangential rest of its motion; the velocity component into the wall is removed. If this fails
// repeatedly (narrow gaps), the particle stays where it met the wall.
PANTA_HD KeptOutside keep_outside(const MovingWalls& moving, ParticlePath path,
                                  const Vec3& velocity, float clearance) {
  constexpr int attempts = 12;  // gaps between two walls need several
  KeptOutside kept{path.to, velocity, false};
  const auto meet = [&](const Vec3& normal, const Vec3& wall_velocity) {
    const float into = dot(kept.velocity - wall_velocity, normal);
    if (into < 0) kept.velocity -= normal * into;
    kept.changed = true;
  };
  for (int attempt = 0; attempt < attempts; ++attempt) {
    for (int k = 0; k < moving.walls.plane_count; ++k) {
      const WallContact c = plane_contact(moving.walls.planes[k], path.to);
      if (!(c.distance < 0)) continue;
      path.to += c.normal * (clearance - c.distance);
      meet(c.normal, c.velocity);
    }
    const MovingWalls::Crossing met = moving.first(path, 0, false);
    if (met.body < 0) break;
    const LocalPath own = moving.local_path(met.body, path);
    const Distance d = distance(moving.solid(met.body), own.at(met.fraction));
    const Vec3 rest = own.to - own.at(met.fraction);
    Vec3 place = own.at(met.fraction);
    if (attempt + 1 < attempts) place += d.normal * maximum(clearance - d.value, 0.0f);
    if (2 * attempt < attempts) place += rest - d.normal * dot(rest, d.normal);
    const Pose pose = moving.pose(met.body, 1, path.dt);
    const int motion = moving.walls.bodies[met.body].motion;
    path.to = motion < 0 ? place : moving.end_poses[motion].to_world(place);
    meet(pose.rotation * d.normal, pose.velocity_at(path.to));
  }
  // A particle enclosed between two bodies may overlap the moving one temporarily, but never the
  // static one.
  if (kept.changed) {
    const MovingWalls::Crossing left = moving.first(path, 0, true);
    if (left.body >= 0) path.to = path.at(left.fraction);
  }
  kept.place = path.to;
  return kept;
}

}  // namespace panta
