// Correction of the pressure gradient for the arrangement of the neighbours.
//
//   M_i = -sum_j V_j r (x) grad W_ij + walls,   r = x_i - x_j
//
// is the identity where the sum gives the gradient of a linear pressure exactly, as on the starting
// lattice. Pair forces -(p_i V_i^2 + p_j V_j^2) grad W make a stress -p M. Sheared arrangements
// have M != 1: without correction a liquid under pressure p has a shear modulus and a yield stress,
// some per cent of p, and behaves like a packing of soft spheres. With
//   f_i = -sum_j (p_i V_i^2 L_i + p_j V_j^2 L_j) grad W,   L = M^-1
// the stress is -p in any even arrangement, and the pair forces are still opposite.
//
// Only the part without trace is corrected, E = M - 1 tr(M)/dim: it makes the stress isotropic. The
// trace grows with the density. Corrected too, it takes the energy out of the state equation, and
// a column at rest bounces more and more.
//
// E is kept from the last steps, when the sums over neighbours were made anyway: a mean that
// follows them by a tenth per step, which lets sound pass and columns settle sooner.
// L = 1 - E + E^2, exact to E^3. At free surfaces, where half of the
// neighbours are missing and the pressure is zero, the correction is faded out, and E is kept below
// 1/2.
#pragma once

#include "panta/core/record.h"
#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/particles/particles.h"
#include "panta/walls/wall.h"

namespace panta::sph {

// A symmetric matrix.
template <class F>
struct SymT {
  F xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
};

// One neighbour's part of M / pressure_factor. (x, y, z): d times the shape of the gradient.
template <class F>
PANTA_HD void add_moment(SymT<F>& m, F volume, const Vec3T<F>& d, F x, F y, F z) {
  const F vx = volume * x, vy = volume * y;
  m.xx = fused(vx, d.x, m.xx);
  m.yy = fused(vy, d.y, m.yy);
  m.zz = fused(volume * z, d.z, m.zz);
  m.xy = fused(vx, d.y, m.xy);
  m.xz = fused(vx, d.z, m.xz);
  m.yz = fused(vy, d.z, m.yz);
}

inline constexpr float deficient = -0.2f, slightly_deficient = -0.1f;  // tr(M)/dim - 1

// E of particle i at x from the sum over its neighbours and the walls near it.
PANTA_HD SymT<float> moment_error_of(const KernelConstants& kernel, const NearWalls& walls,
                                     const WallTable& table, Index i, const Vec3& x,
                                     const SymT<float>& sum) {
  const float k = kernel.pressure_factor;
  SymT<float> e{sum.xx * k - 1, sum.yy * k - 1, sum.zz * k - 1, sum.xy * k, sum.xz * k, sum.yz * k};
  walls.each(i, x, kernel.h, [&](const WallContact& c) {
    const WallEntry w = table.at(c);
    const Vec3 n = c.normal;
    const float along = c.weight * w.along, more = c.weight * (w.across - w.along);
    e.xx += along + more * n.x * n.x;
    e.yy += along + more * n.y * n.y;
    e.zz += along + more * n.z * n.z;
    e.xy += more * n.x * n.y;
    e.xz += more * n.x * n.z;
    e.yz += more * n.y * n.z;
  });
  if (kernel.dim < 3.0f) e.zz = 0;
  const float mean = (e.xx + e.yy + e.zz) / kernel.dim;
  e.xx -= mean;
  e.yy -= mean;
  if (kernel.dim == 3.0f) e.zz -= mean;
  const float size2 =
      e.xx * e.xx + e.yy * e.yy + e.zz * e.zz + 2.0f * (e.xy * e.xy + e.xz * e.xz + e.yz * e.yz);
  float share = clamp((mean - deficient) / (slightly_deficient - deficient), 0.0f, 1.0f);
  if (size2 > 0.25f) share *= 0.5f / sqrtf(size2);
  return {e.xx * share, e.yy * share, e.zz * share, e.xy * share, e.xz * share, e.yz * share};
}

PANTA_HD SymT<float> get_moment(const SymmetricView& m, Index i) {
  return {m.component[0][i], m.component[1][i], m.component[2][i],
          m.component[3][i], m.component[4][i], m.component[5][i]};
}
PANTA_HD void set_moment(const SymmetricView& m, Index i, const SymT<float>& e) {
  m.component[0][i] = e.xx, m.component[1][i] = e.yy, m.component[2][i] = e.zz;
  m.component[3][i] = e.xy, m.component[4][i] = e.xz, m.component[5][i] = e.yz;
}

// The mean over steps, with this step's E.
PANTA_HD void follow_moment(const SymmetricView& m, Index i, const SymT<float>& e) {
  constexpr float share = 0.1f;
  const SymT<float> old = get_moment(m, i);
  set_moment(m, i,
             {old.xx + share * (e.xx - old.xx), old.yy + share * (e.yy - old.yy),
              old.zz + share * (e.zz - old.zz), old.xy + share * (e.xy - old.xy),
              old.xz + share * (e.xz - old.xz), old.yz + share * (e.yz - old.yz)});
}

// L - 1 = -E + E^2
PANTA_HD SymT<float> correction_of(const SymT<float>& e) {
  return {e.xx * e.xx + e.xy * e.xy + e.xz * e.xz - e.xx,
          e.xy * e.xy + e.yy * e.yy + e.yz * e.yz - e.yy,
          e.xz * e.xz + e.yz * e.yz + e.zz * e.zz - e.zz,
          e.xx * e.xy + e.xy * e.yy + e.xz * e.yz - e.xy,
          e.xx * e.xz + e.xy * e.yz + e.xz * e.zz - e.xz,
          e.xy * e.xz + e.yy * e.yz + e.yz * e.zz - e.yz};
}

// p V^2 L: xx, yy, zz, xy, then xz, yz.
PANTA_HD Record8 corrected(float push, const SymT<float>& e) {
  const SymT<float> b = correction_of(e);
  return {{push + push * b.xx, push + push * b.yy, push + push * b.zz, push * b.xy},
          {push * b.xz, push * b.yz, 0, 0}};
}

}  // namespace panta::sph
