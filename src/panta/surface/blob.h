// The contribution of a particle to the field whose iso-surface is the liquid's surface: a bump
// over an ellipsoid around it,
//
//   field(x) = finish(sum over blobs of weight * bump(q2)),   q2 = d' F d,   d = x - center,
//
// where F is symmetric and q2 = 1 on the ellipsoid. All in cells of the lattice.
//
// Along a row of lattice points (y and z fixed) q2 is a parabola in x, so that sixteen points of a
// row take a few operations: q2 = Fxx (x - x0)^2 + rest.
#pragma once

#include <cmath>

#include "panta/core/pack.h"
#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"

namespace panta {

inline constexpr float particle_radius = 0.6204f;  // spacings; a ball of its volume: 4/3 pi r^3 = 1

struct Blob {
  Vec3 center;
  float xx, yy, zz, xy, xz, yz;  // F
  float weight;
  Vec3 half;  // half sizes of the ellipsoid's bounding box

  PANTA_HD float q2(const Vec3& at) const {
    const float dy = at.y - center.y, dz = at.z - center.z;
    const Row row = row_at(dy, dz);
    const float u = at.x - row.x0;
    return xx * (u * u) + row.rest;
  }

  template <class F>
  struct RowT {
    F x0, rest;
  };
  using Row = RowT<float>;
  // For one row, or for sixteen rows side by side in y.
  template <class F>
  PANTA_HD RowT<F> row_at(F dy, float dz) const {
    const F lean = (xy * dy + xz * dz) / xx;
    return {center.x - lean, (yy * dy * dy + zz * dz * dz + 2 * (yz * dy * dz)) - xx * lean * lean};
  }
};

// A ball.
PANTA_HD Blob round_blob(const Vec3& center, float radius, float weight) {
  const float f = 1 / (radius * radius);
  return {center, f, f, f, 0, 0, 0, weight, {radius, radius, radius}};
}

// The kinds of bumps. Each is 1 at the centre and 0 for q2 >= 1.

// (1 - q2)^3, the kernel of Mueller et al. (2003), eq. 20.
struct SmoothBump {
  template <class F>
  PANTA_HD static F bump(F q2) {
    const F t = maximum(1.0f - q2, 0.0f);
    return t * t * t;
  }
  PANTA_HD static float finish(float sum) { return sum; }
};

// (1 - q)^2, with the root of the sum as the field: Clavet et al. (2005), section 7.2.
struct ConeBump {
  template <class F>
  PANTA_HD static F bump(F q2) {
    const F t = maximum(1.0f - square_root(q2), 0.0f);
    return t * t;
  }
  PANTA_HD static float finish(float sum) { return sqrtf(sum); }
};

// The weight of a particle, from the sum of bumps at its position (with its own) and that sum in a
// full lattice; explained in colour_field.h.
PANTA_HD float blob_weight(float sum, float full_sum, float power) {
  return powf(full_sum, power - 1) * powf(sum, -power);
}
inline constexpr float colour_volume_power = 0.85f;  // for round blobs

// The sum of bumps at a particle of a full lattice; `radius` in spacings.
template <class Bump>
float lattice_sum(float radius) {
  const int reach = static_cast<int>(radius) + 1;
  float sum = 0;
  for (int z = -reach; z <= reach; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x)
        sum += Bump::bump(static_cast<float>(x * x + y * y + z * z) / (radius * radius));
  return sum;
}

}  // namespace panta
