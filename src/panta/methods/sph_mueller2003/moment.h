// Isotropic pressure of SPH: each particle has a stress C beside p V^2, of the form that
// solver/moment.h derives.
//
//   f_i = -sum_j (p_i V_i^2 + C_i + p_j V_j^2 + C_j) grad W
//   C_i goes towards -p_i V_i^2 E_i by `follow` of the difference in a step, and towards the mean
//   of its neighbours', weights V_j (h - r), by `spread` of the difference.
//
// E is that of M = -sum V r (x) grad W, walls included, without its trace. The steady C is
// -p V^2 E, smoothed over some spacings: the stress p M + C is isotropic on average, which leaves
// no yield stress. With a correction by each particle's own E, forces that derive from no energy
// act on the particles of water at rest, and a pool keeps moving; E of single particles is ten
// times its mean. |C| is kept below p V^2/2.
#pragma once

#include "panta/core/record.h"
#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/solver/moment.h"
#include "panta/walls/wall.h"

namespace panta::sph {

inline constexpr float deficient = -0.2f, slightly_deficient = -0.1f;  // tr(M)/dim - 1
inline constexpr float follow = 0.05f, spread = 0.3f;                  // per step

// M - 1 of particle i at x from the sum over its neighbours and the walls near it.
PANTA_HD SymT<float> moment_less_one_at(const KernelConstants& kernel, const NearWalls& walls,
                                        const WallTable<WallEntry>& table, Index i, const Vec3& x,
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
PANTA_HD SymT<float> operator+(const SymT<float>& a, const SymT<float>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

// The part without trace; in two dimensions zz is no part of it.
PANTA_HD SymT<float> without_trace(SymT<float> m, float dim) {
  if (dim < 3.0f) m.zz = 0;
  const float mean = (m.xx + m.yy + m.zz) / dim;
  m.xx -= mean;
  m.yy -= mean;
  if (dim == 3.0f) m.zz -= mean;
  return m;
}

// p V^2 + C as xx, yy, zz, xy, then xz, yz.
PANTA_HD Record8 stress_record(float push, const SymT<float>& c) {
  const float size2 =
      c.xx * c.xx + c.yy * c.yy + c.zz * c.zz + 2.0f * (c.xy * c.xy + c.xz * c.xz + c.yz * c.yz);
  const float most = 0.5f * maximum(push, 0.0f);
  const float share = size2 > most * most ? most / sqrtf(size2) : 1.0f;
  return {{push + share * c.xx, push + share * c.yy, push + share * c.zz, share * c.xy},
          {share * c.xz, share * c.yz, 0, 0}};
}
PANTA_HD SymT<float> stress_of(const Record8& r) {
  return {r.first.x, r.first.y, r.first.z, r.first.w, r.second.x, r.second.y};
}

// C of the next step. `mixed`: sum of V_j (h - r) times both stresses of a pair, `weight`: of
// V_j (h - r).
PANTA_HD SymT<float> next_correction(const KernelConstants& kernel, float push,
                                     const Record8& stress, const SymT<float>& moment,
                                     const SymT<float>& mixed, float weight) {
  const SymT<float> c = without_trace(stress_of(stress), kernel.dim),
                    e = panta::moment_error_of(moment, kernel.dim, deficient, slightly_deficient);
  const float share = weight > 0 ? spread / weight : 0.0f;
  const float kept = 1.0f - follow - (weight > 0 ? 2.0f * spread : 0.0f);
  return c * kept + e * (-follow * push) + without_trace(mixed, kernel.dim) * share;
}

}  // namespace panta::sph
