// Code shared by pair sums on both devices.
#pragma once

#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"

namespace panta {

inline constexpr float far_away = 1e30f;  // m^2, beyond every support

// Shortest image of a difference on periodic axes.
struct Periodicity {
  Vec3 period, inverse;  // 0 on axes that are not periodic
  template <class F>
  PANTA_HD void shorten(Vec3T<F>& d) const {
    d.x = d.x - round_nearest(d.x * inverse.x) * period.x;
    d.y = d.y - round_nearest(d.y * inverse.y) * period.y;
    d.z = d.z - round_nearest(d.z * inverse.z) * period.z;
  }
  static Periodicity of(const Vec3& period) {
    const auto inverse = [](float p) { return p > 0 ? 1.0f / p : 0.0f; };
    return {period, {inverse(period.x), inverse(period.y), inverse(period.z)}};
  }
};

template <class F>
PANTA_HD F squared_length(const Vec3T<F>& d) {
  return fused(d.x, d.x, fused(d.y, d.y, d.z * d.z));
}

}  // namespace panta
