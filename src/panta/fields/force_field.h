// Body-force fields, for every method: each gives an acceleration at a position, velocity and time.
//
//   swirl    the rotational field of Mueller et al. 2003, fig. 3: accelerates fluid around an axis
//            towards the angular speed `rate`, a = strength (rate axis x r - v_tangential), inside
//            `radius`
//   hand     the user's hand of fig. 4: a ball that moves along a path of key frames, attracts
//            (strength > 0) or repels (strength < 0) and drags the particles inside it along
//   uniform  a = vector
//   drag     a = -rate v
//   wind     a = rate (u(x, t) - v): accelerates towards the air's velocity u = vector + turbulence
// All fields fade smoothly to zero at their radius: w = (1 - (r/radius)^2)^2; the last three may
// have an infinite radius.
//
// Where a field approaches a velocity u at a rate k, a = k (u - v), a step uses the exact solution
// v(dt) = u + (v - u) exp(-k dt), for u at its start: explicit steps would add energy for k dt > 2.
// Fields without direction (drag, wind, drag of a hand) act as one with the sum of their rates and
// the mean of their velocities, weighted by rate; swirls follow one after the other.
//
// Turbulence is a sum of N random Fourier modes (Kraichnan 1970),
//   u(x, t) = U sqrt(2/N) sum_n a_n cos(k_n . x + w_n t + phase_n),
// with unit vectors a_n normal to the wave vectors k_n, so that every mode and the sum are free of
// divergence; the sum has the root mean square U. Wavelengths lie between half and twice the scale;
// frequencies are U |k|: eddies change in the time that fluid of speed U needs to cross them. In
// two dimensions wave vectors and velocities lie in the plane.
#pragma once

#include <cstdint>

#include "panta/core/random.h"
#include "panta/core/vec.h"
#include "panta/scene/force_field.h"

namespace panta {

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

// What a field does to a particle at a place and time.
struct FieldAction {
  Vec3 push;       // m/s2
  float rate = 0;  // 1/s, of the approach
  Vec3 velocity;   // to this velocity
  Vec3 along;      // unit vector: only the component along it approaches; zero: all do
};

PANTA_HD FieldAction swirl_action(const ForceField& f, const Vec3& x) {
  const Vec3 arm = x - f.center;
  const Vec3 radial = arm - f.axis * dot(arm, f.axis);
  const float r2 = dot(radial, radial);
  if (r2 <= 0.0f) return {};
  const Vec3 tangent = cross(f.axis, radial);  // length r
  return {{}, f.strength * field_falloff(r2, f.radius), tangent * f.rate, normalized(tangent)};
}

PANTA_HD FieldAction hand_action(const ForceField& f, const Vec3& x, float t) {
  const PathPoint hand = follow_path(f.path, f.keys, t);
  const Vec3 to_hand = hand.position - x;
  const float weight = field_falloff(dot(to_hand, to_hand), f.radius);
  return {to_hand * (f.strength / f.radius * weight), f.drag * weight, hand.velocity, {}};
}

// Random Fourier modes: unit vector, wave vector and phase of one mode.
struct WindMode {
  Vec3 velocity, wave;
  float phase = 0;
};

inline constexpr int wind_modes = 12;

PANTA_HD WindMode wind_mode(int number, float scale, bool flat) {
  constexpr float two_pi = 6.28318531f;
  constexpr std::uint64_t seed = 2005;
  const auto random = [&](std::uint64_t counter) {
    return random_uniform(seed, static_cast<std::uint64_t>(number), counter);
  };
  // Between half and twice the scale, uniform in the logarithm.
  const float wavelength = 0.5f * scale * powf(4.0f, (number + random(0)) / wind_modes);
  const float z = flat ? 0.0f : 2 * random(1) - 1, angle = two_pi * random(2);
  const float ring = sqrtf(1 - z * z);
  const Vec3 direction{ring * cosf(angle), ring * sinf(angle), z};
  // A normal to the wave vector, with a random angle.
  const Vec3 side =
      flat ? Vec3{-direction.y, direction.x, 0}
           : normalized(cross(direction, fabsf(z) < 0.9f ? Vec3{0, 0, 1} : Vec3{1, 0, 0}));
  const float turn = flat ? 0.0f : two_pi * random(3);
  const Vec3 velocity = side * cosf(turn) + cross(direction, side) * sinf(turn);
  return {velocity, direction * (two_pi / wavelength), two_pi * random(4)};
}

PANTA_HD Vec3 wind_velocity(const ForceField& f, const Vec3& x, float t) {
  Vec3 u = f.vector;
  if (!(f.turbulence > 0.0f)) return u;
  const float amplitude = f.turbulence * sqrtf(2.0f / wind_modes);
  for (int n = 0; n < wind_modes; ++n) {
    const WindMode mode = wind_mode(n, f.scale, f.flat);
    const float frequency = f.turbulence * length(mode.wave);
    u += mode.velocity * (amplitude * cosf(dot(mode.wave, x) + frequency * t + mode.phase));
  }
  return u;
}

PANTA_HD FieldAction field_action(const ForceField& f, const Vec3& x, float t) {
  if (!f.active || t < f.start || t > f.stop) return {};
  if (f.type == FieldType::swirl) return swirl_action(f, x);
  if (f.type == FieldType::hand) return hand_action(f, x, t);
  const Vec3 arm = x - f.center;
  const float weight = field_falloff(dot(arm, arm), f.radius);
  if (!(weight > 0.0f)) return {};
  if (f.type == FieldType::uniform) return {f.vector * weight, 0, {}, {}};
  const Vec3 carrier = f.type == FieldType::wind ? wind_velocity(f, x, t) : Vec3{};
  return {{}, f.rate * weight, carrier, {}};
}

// The largest rate of its approach, 1/s.
PANTA_HD float largest_rate(const ForceField& f) {
  if (f.type == FieldType::swirl) return f.strength;
  if (f.type == FieldType::hand) return f.drag;
  return f.type == FieldType::uniform ? 0.0f : f.rate;
}

// The mean of an approach's rate over dt: (1 - exp(-rate dt)) / dt; dt = 0: the rate itself. In
// double, so that different mathematical libraries round to the same float.
PANTA_HD float approach_in(float rate, float dt) {
  const double z = static_cast<double>(rate) * dt;
  return z > 0 ? static_cast<float>(-expm1(-z) / dt) : rate;
}

// The mean acceleration of a particle by all fields over a step of length dt from time t; 0: the
// acceleration at t.
PANTA_HD Vec3 fields_acceleration(const ForceField* fields, int count, const Vec3& x, const Vec3& v,
                                  float t, float dt) {
  Vec3 a, towards;
  float rate = 0;
  bool swirls = false;
  for (int k = 0; k < count; ++k) {
    const FieldAction action = field_action(fields[k], x, t);
    a += action.push;
    if (dot(action.along, action.along) > 0.0f) {
      swirls = true;
    } else {
      rate += action.rate;
      towards += action.velocity * action.rate;
    }
  }
  Vec3 approach;
  if (rate > 0.0f) approach = (towards * (1 / rate) - v) * approach_in(rate, dt);
  for (int k = 0; swirls && k < count; ++k) {
    const FieldAction action = field_action(fields[k], x, t);
    const float missing = dot(action.along, action.velocity - v - approach * dt);
    if (dot(action.along, action.along) > 0.0f)
      approach += action.along * (missing * approach_in(action.rate, dt));
  }
  return a + approach;
}

}  // namespace panta
