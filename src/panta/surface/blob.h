// What a particle adds to the field whose iso-surface is the liquid's surface: a bump over an
// ellipsoid around it,
//
//   field(x) = finish(sum over blobs of weight * bump(q2)),   q2 = d' F d,   d = x - center,
//
// where F is symmetric and q2 = 1 on the ellipsoid. All in cells of the lattice.
//
// Along a row of lattice points (y and z fixed) q2 is a parabola in x, so that a row costs a few
// operations for sixteen points at once: q2 = Fxx (x - x0)^2 + rest.
#pragma once

#include <cmath>

#include "panta/core/pack.h"
#include "panta/core/vec.h"

namespace panta {

inline constexpr float particle_radius = 0.6204f;  // spacings; a ball of its volume: 4/3 pi r^3 = 1

struct Blob {
  Vec3 center;
  float xx, yy, zz, xy, xz, yz;  // F
  float weight;
  Vec3 half;  // half sizes of the box around the ellipsoid

  float q2(const Vec3& at) const {
    const float dy = at.y - center.y, dz = at.z - center.z;
    const Row row = row_at(dy, dz);
    const float u = at.x - row.x0;
    return xx * (u * u) + row.rest;
  }

  struct Row {
    float x0, rest;
  };
  Row row_at(float dy, float dz) const {
    const float lean = (xy * dy + xz * dz) / xx;
    return {center.x - lean, (yy * dy * dy + zz * dz * dz + 2 * (yz * dy * dz)) - xx * lean * lean};
  }
};

// A ball.
inline Blob round_blob(const Vec3& center, float radius, float weight) {
  const float f = 1 / (radius * radius);
  return {center, f, f, f, 0, 0, 0, weight, {radius, radius, radius}};
}

// The kinds of bumps. Each is 1 at the centre and vanishes for q2 >= 1.

// (1 - q2)^3, the kernel of Mueller et al. (2003), eq. 20.
struct SmoothBump {
  template <class F>
  static F bump(F q2) {
    const F t = maximum(1.0f - q2, 0.0f);
    return t * t * t;
  }
  static float finish(float sum) { return sum; }
};

// (1 - q)^2 and the root of the sum, Clavet et al. (2005), section 7.2.
struct ConeBump {
  template <class F>
  static F bump(F q2) {
    const F t = maximum(1.0f - square_root(q2), 0.0f);
    return t * t;
  }
  static float finish(float sum) { return std::sqrt(sum); }
};

}  // namespace panta
