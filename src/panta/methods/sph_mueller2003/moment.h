// What makes the pressure of SPH isotropic: a stress C = p V^2 e of each particle beside p V^2, of
// the form that solver/moment.h derives.
//
//   f_i = -sum_j (p_i V_i^2 (1 + e_i) + p_j V_j^2 (1 + e_j)) grad W
//   next e_i = (1 - follow) mean of the neighbours' e - follow E_i,   weights V_j (h - r)
//
// E is that of M = -sum V r (x) grad W, walls included, without its trace. The steady e is -E,
// smoothed over some spacings and times: the stress p (M + e) is isotropic on average, which leaves
// no yield stress. Corrected particle by particle, at water's rest each one is driven by a force
// that no energy holds, and a pool keeps shuffling; E of single particles is ten times its mean.
//
// e has no unit, so that C follows sound without a lag. As a stress in Pa that followed p, it fed
// sound in some pools, which then rang.
#pragma once

#include <cstdint>

#include "panta/core/record.h"
#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/solver/moment.h"
#include "panta/walls/wall.h"

namespace panta::sph {

inline constexpr float deficient = -0.2f, slightly_deficient = -0.1f;  // tr(M)/dim - 1
inline constexpr float follow = 0.25f;                                 // each time
inline constexpr float largest_correction = 0.5f;                      // |e|

// M - 1 of particle i at x from the sum over its neighbours and the walls near it.
PANTA_HD SymT<float> moment_less_one_at(const KernelConstants& kernel, const NearWalls& walls,
                                        const WallTable& table, Index i, const Vec3& x,
                                        const SymT<float>& sum) {
  SymT<float> m = moment_less_one(sum, kernel.pressure_factor);
  walls.each(i, x, kernel.h, [&](const WallContact& c) {
    const WallEntry w = table.at(c);
    add_wall_moment(m, c.normal, c.weight * w.along, c.weight * w.across);
  });
  return m;
}

PANTA_HD SymT<float> operator*(const SymT<float>& m, float f) {
  return {m.xx * f, m.yy * f, m.zz * f, m.xy * f, m.xz * f, m.yz * f};
}

// sum += factor m
template <class F>
PANTA_HD void add_scaled(SymT<F>& sum, F factor, const SymT<F>& m) {
  sum.xx = fused(factor, m.xx, sum.xx);
  sum.yy = fused(factor, m.yy, sum.yy);
  sum.zz = fused(factor, m.zz, sum.zz);
  sum.xy = fused(factor, m.xy, sum.xy);
  sum.xz = fused(factor, m.xz, sum.xz);
  sum.yz = fused(factor, m.yz, sum.yz);
}

// u a + v b
template <class U, class F>
PANTA_HD SymT<F> weighted_sum(U u, const SymT<float>& a, F v, const SymT<F>& b) {
  return {v * b.xx + u * a.xx, v * b.yy + u * a.yy, v * b.zz + u * a.zz,
          v * b.xy + u * a.xy, v * b.xz + u * a.xz, v * b.yz + u * a.yz};
}

// A symmetric matrix and the volume in a record: xx, yy, zz, xy, then xz, yz, V.
PANTA_HD Record8 symmetric_record(const SymT<float>& m, float volume) {
  return {{m.xx, m.yy, m.zz, m.xy}, {m.xz, m.yz, volume, 0}};
}
template <class F>
PANTA_HD SymT<F> symmetric_of(const RecordT<F>& r) {
  return {r.first.x, r.first.y, r.first.z, r.first.w, r.second.x, r.second.y};
}

// e from M - 1, `mixed`: sum of V_j (h - r) e_j, and `weight`: of V_j (h - r).
PANTA_HD SymT<float> next_correction(const KernelConstants& kernel, const SymT<float>& moment,
                                     const SymT<float>& mixed, float weight) {
  SymT<float> e =
      panta::moment_error_of(moment, kernel.dim, deficient, slightly_deficient) * -follow;
  if (weight > 0) add_scaled(e, (1.0f - follow) / weight, mixed);
  const float size2 =
      e.xx * e.xx + e.yy * e.yy + e.zz * e.zz + 2.0f * (e.xy * e.xy + e.xz * e.xz + e.yz * e.yz);
  if (size2 > largest_correction * largest_correction) e = e * (largest_correction / sqrtf(size2));
  return e;
}

// e, without trace, as five numbers of twelve bits in two words: particles carry it from step to
// step, and the sort moves it.
struct PackedCorrection {
  std::uint32_t *first, *second;
  float dim;

  static constexpr float steps = 2047.0f / largest_correction;

  PANTA_HD static std::uint32_t pack(float value) {
    const float nearest = value * steps + (value < 0 ? -0.5f : 0.5f);
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(nearest)) & 0xfffu;
  }
  PANTA_HD static float unpack(std::uint32_t bits) {  // the lowest twelve
    return static_cast<float>(static_cast<std::int32_t>(bits << 20) >> 20) * (1.0f / steps);
  }
  PANTA_HD void set(Index i, const SymT<float>& e) const {
    const std::uint32_t last = pack(e.yz);
    first[i] = pack(e.xx) | pack(e.yy) << 12 | last << 24;
    second[i] = pack(e.xy) | pack(e.xz) << 12 | last >> 8 << 24;
  }
  PANTA_HD SymT<float> get(Index i) const {
    const std::uint32_t a = first[i], b = second[i];
    const float xx = unpack(a), yy = unpack(a >> 12);
    return {xx,
            yy,
            dim < 3.0f ? 0.0f : -xx - yy,
            unpack(b),
            unpack(b >> 12),
            unpack(a >> 24 | b >> 24 << 8)};
  }
};

}  // namespace panta::sph
