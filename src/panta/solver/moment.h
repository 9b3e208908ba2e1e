// Correction of pair forces for the arrangement of the neighbours.
//
//   M_i = -sum_j V_j r (x) grad W_ij + walls,   r = x_i - x_j
//
// is the identity if the sum gives the gradient of a linear function exactly, as on the initial
// lattice. Pair forces -(p_i V_i^2 + p_j V_j^2) grad W cause a stress -p M. Sheared arrangements
// have M != 1: without correction a liquid under pressure p has a shear modulus and a yield stress
// of some per cent of p, and behaves like a packing of soft spheres. With
//   f_i = -sum_j (p_i V_i^2 L_i + p_j V_j^2 L_j) grad W,   L = M^-1
// the stress is -p in any homogeneous arrangement, and pair forces remain opposite.
//
// Only the traceless part E = M - 1 tr(M)/dim is corrected, which makes the stress isotropic. The
// trace depends on the density. If it were corrected too, forces would no longer derive from the
// energy of the state equation, and a column at rest would bounce with growing amplitude.
//
// Methods use E in different ways. At free surfaces, where neighbours are missing and the pressure
// is zero, it fades out. |E| is limited to 1/2.
#pragma once

#include "panta/core/scalar_math.h"
#include "panta/particles/particles.h"

namespace panta {

// A symmetric matrix.
template <class F>
struct SymT {
  F xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
};

// Adds the contribution of a neighbour to M, up to a factor. (x, y, z): d times the radial factor
// of the gradient.
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

// M - 1, from a sum over neighbours that is to be multiplied by `factor`.
PANTA_HD SymT<float> moment_less_one(const SymT<float>& sum, float factor) {
  return {sum.xx * factor - 1, sum.yy * factor - 1, sum.zz * factor - 1,
          sum.xy * factor,     sum.xz * factor,     sum.yz * factor};
}

// Adds the contribution of a wall with normal n: `across` along the normal, `along` tangentially.
PANTA_HD void add_wall_moment(SymT<float>& m, const Vec3& n, float along, float across) {
  const float more = across - along;
  m.xx += along + more * n.x * n.x;
  m.yy += along + more * n.y * n.y;
  m.zz += along + more * n.z * n.z;
  m.xy += more * n.x * n.y;
  m.xz += more * n.x * n.z;
  m.yz += more * n.y * n.z;
}

// E from M - 1. The correction fades out between the values `full` and `none` of tr(M)/dim - 1.
PANTA_HD SymT<float> moment_error_of(SymT<float> e, float dim, float none, float full) {
  if (dim < 3.0f) e.zz = 0;
  const float mean = (e.xx + e.yy + e.zz) / dim;
  e.xx -= mean;
  e.yy -= mean;
  if (dim == 3.0f) e.zz -= mean;
  const float size2 =
      e.xx * e.xx + e.yy * e.yy + e.zz * e.zz + 2.0f * (e.xy * e.xy + e.xz * e.xz + e.yz * e.yz);
  float share = clamp((mean - none) / (full - none), 0.0f, 1.0f);
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

}  // namespace panta
