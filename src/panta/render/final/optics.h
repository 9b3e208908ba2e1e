// Light at surfaces: the laws of Fresnel and Snell for smooth ones, the GGX microfacet distribution
// for rough ones, a matte base under a gloss.
//
// Directions are unit vectors that point away from the surface; `out` is the direction to the eye,
// `in` the direction of the incoming light, n the normal on the side of `out`. A reflectance f
// relates them by L(out) = integral of f(out, in) L(in) (n . in) over the directions `in`.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/render/color.h"

namespace panta {

constexpr float pi_f = std::numbers::pi_v<float>;

inline float brightest(const LinearColor& c) { return std::max({c.x, c.y, c.z}); }
inline float luminance(const LinearColor& c) {  // of sRGB's primaries (Rec. 709)
  return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

// exp(-absorption * path): Beer's law.
inline LinearColor beer(const Vec3& absorption, float path) {
  return {std::exp(-absorption.x * path), std::exp(-absorption.y * path),
          std::exp(-absorption.z * path)};
}

// The fraction of unpolarised light that a smooth boundary reflects, for the cosine on the side of
// index `from`; 1 beyond the critical angle.
inline float fresnel(float cosine, float from, float to) {
  const float eta = from / to;
  const float sine2 = eta * eta * std::max(0.0f, 1 - cosine * cosine);  // on the other side
  if (sine2 >= 1) return 1;
  const float other = std::sqrt(1 - sine2);
  const float parallel = (to * cosine - from * other) / (to * cosine + from * other);
  const float perpendicular = (from * cosine - to * other) / (from * cosine + to * other);
  return 0.5f * (parallel * parallel + perpendicular * perpendicular);
}

inline Vec3 mirrored(const Vec3& direction, const Vec3& n) {
  return direction - n * (2 * dot(direction, n));
}

// Direction of light behind a boundary with normal n; `direction` points against n. Not valid
// beyond the critical angle.
inline Vec3 refracted(const Vec3& direction, const Vec3& n, float from, float to) {
  const float eta = from / to, cosine = -dot(direction, n);
  const float other = std::sqrt(std::max(0.0f, 1 - eta * eta * (1 - cosine * cosine)));
  return normalized(direction * eta + n * (eta * cosine - other));
}

// A right-handed frame around a unit vector z (the branchless one of Duff et al. 2017).
struct Frame {
  Vec3 x, y, z;

  explicit Frame(const Vec3& n) : z(n) {
    const float sign = std::copysign(1.0f, n.z);
    const float a = -1 / (sign + n.z), b = n.x * n.y * a;
    x = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    y = {b, sign + n.y * n.y * a, -n.y};
  }
  Vec3 to_world(const Vec3& v) const { return x * v.x + y * v.y + z * v.z; }
  Vec3 to_local(const Vec3& v) const { return {dot(v, x), dot(v, y), dot(v, z)}; }
};

struct Pair {
  float x, y;  // random numbers are in [0, 1)
};

// Uniform on the unit disc; preserves neighbourhoods (Shirley and Chiu 1997).
inline Pair disc_point(const Pair& u) {
  const float a = 2 * u.x - 1, b = 2 * u.y - 1;
  if (a == 0 && b == 0) return {0, 0};
  const bool wide = std::abs(a) > std::abs(b);
  const float r = wide ? a : b;
  const float angle = wide ? 0.25f * pi_f * b / a : 0.5f * pi_f - 0.25f * pi_f * a / b;
  return {r * std::cos(angle), r * std::sin(angle)};
}

// Around z with density cosine / pi.
inline Vec3 cosine_direction(const Pair& u) {
  const Pair p = disc_point(u);
  return {p.x, p.y, std::sqrt(std::max(0.0f, 1 - p.x * p.x - p.y * p.y))};
}

// GGX (Walter et al. 2007) in the frame of the normal.
class RoughMirror {
 public:
  explicit RoughMirror(float roughness) : a_(std::max(roughness * roughness, 1e-3f)) {}

  // Reflectance without Fresnel's factor, times the cosine of `in`.
  float reflected(const Vec3& out, const Vec3& in, const Vec3& half) const {
    const float both = 1 + lambda(out) + lambda(in);  // shadowing and masking, height-correlated
    return density(half) / (4 * out.z * both);
  }
  // Density per solid angle with which `sample_half` gives `in`.
  float probability(const Vec3& out, const Vec3& half) const {
    return density(half) / (4 * out.z * (1 + lambda(out)));
  }
  // The normal of a random microfacet visible from `out` (Dupuy and Benyoub 2023).
  Vec3 sample_half(const Vec3& out, const Pair& u) const {
    const Vec3 view = normalized(Vec3{a_ * out.x, a_ * out.y, out.z});
    const float angle = 2 * pi_f * u.x, height = (1 - u.y) * (1 + view.z) - view.z;
    const float radius = std::sqrt(std::clamp(1 - height * height, 0.0f, 1.0f));
    const Vec3 half = Vec3{radius * std::cos(angle), radius * std::sin(angle), height} + view;
    return normalized(Vec3{a_ * half.x, a_ * half.y, std::max(half.z, 1e-6f)});
  }

 private:
  float density(const Vec3& half) const {
    const float x = half.x / a_, y = half.y / a_;
    const float s = x * x + y * y + half.z * half.z;
    return 1 / (pi_f * a_ * a_ * s * s);
  }
  float lambda(const Vec3& v) const {
    const float slope2 = a_ * a_ * (v.x * v.x + v.y * v.y) / (v.z * v.z);
    return 0.5f * (std::sqrt(1 + slope2) - 1);
  }
  float a_;
};

}  // namespace panta
