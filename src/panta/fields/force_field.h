// Body-force fields, usable with every method: each gives an acceleration at a place, velocity and
// time.
//
//   swirl  the rotational field of Mueller et al. 2003, fig. 3: drives fluid around an axis towards
//   the
//          angular speed `rate`, a = strength (rate axis x r - v_tangential), inside `radius`
//   hand   the user's hand of fig. 4: a ball that moves along a path of key frames and attracts
//          (strength > 0) or repels (strength < 0) and drags what is inside it along with itself
// Both fade smoothly to nothing at their radius: w = (1 - (r/radius)^2)^2.
#pragma once

#include "panta/core/vec.h"

namespace panta {

enum class FieldType { swirl, hand };

struct PathKey {
  float time = 0;
  Vec3 position;
};

struct ForceField {
  static constexpr int max_keys = 16;

  FieldType type = FieldType::swirl;
  Vec3 center;            // swirl: a point on the axis
  Vec3 axis = {0, 1, 0};  // swirl: unit axis
  float radius = 1;       // m, reach
  float rate = 0;         // rad/s, swirl: target angular speed
  float strength =
      0;           // swirl: 1/s, how fast the target is approached; hand: m/s2, pull to the centre
  float drag = 0;  // 1/s, hand: how fast its velocity is taken over
  float start = 0, stop = 1e30f;  // s, active between
  int keys = 0;                   // hand: its path, linear between keys, held at the ends
  PathKey path[max_keys];
};

struct PathPoint {
  Vec3 position, velocity;
};

PANTA_HD PathPoint follow_path(const PathKey* path, int keys, float t) {
  if (keys == 0) return {};
  if (t <= path[0].time) return {path[0].position, {}};
  for (int k = 1; k < keys; ++k) {
    if (t < path[k].time) {
      const float span = path[k].time - path[k - 1].time;
      const Vec3 step = path[k].position - path[k - 1].position;
      return {path[k - 1].position + step * ((t - path[k - 1].time) / span), step * (1.0f / span)};
    }
  }
  return {path[keys - 1].position, {}};
}

PANTA_HD float field_falloff(float r2, float radius) {
  const float s = 1.0f - r2 / (radius * radius);
  return s > 0.0f ? s * s : 0.0f;
}

PANTA_HD Vec3 swirl_acceleration(const ForceField& f, const Vec3& x, const Vec3& v) {
  const Vec3 arm = x - f.center;
  const Vec3 radial = arm - f.axis * dot(arm, f.axis);
  const float r2 = dot(radial, radial);
  if (r2 <= 0.0f) return {};
  const Vec3 tangent = cross(f.axis, radial);  // length r
  const float current = dot(v, tangent) / r2;  // rad/s
  return tangent * (f.strength * field_falloff(r2, f.radius) * (f.rate - current));
}

PANTA_HD Vec3 hand_acceleration(const ForceField& f, const Vec3& x, const Vec3& v, float t) {
  const PathPoint hand = follow_path(f.path, f.keys, t);
  const Vec3 to_hand = hand.position - x;
  const float weight = field_falloff(dot(to_hand, to_hand), f.radius);
  return (to_hand * (f.strength / f.radius) + (hand.velocity - v) * f.drag) * weight;
}

PANTA_HD Vec3 field_acceleration(const ForceField& f, const Vec3& x, const Vec3& v, float t) {
  if (t < f.start || t > f.stop) return {};
  return f.type == FieldType::swirl ? swirl_acceleration(f, x, v) : hand_acceleration(f, x, v, t);
}

}  // namespace panta
