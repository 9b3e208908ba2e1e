// Accelerations: pressure, viscosity and surface tension as one sum over neighbours, then walls,
// gravity and force fields.
//
//   pressure   m_i a_i = -sum_j (p_i V_i^2 + C_i + p_j V_j^2 + C_j) grad W_spiky   instead of
//              eq. 10, C_i corrects the stress for the arrangement of neighbours (moment.h)
//   viscosity  m_i a_i = V_i sum_j mu_ij V_j (v_j - v_i) Lap W_viscosity  eq. 14,
//              mu_ij = (mu_i + mu_j)/2
// Both pair forces are antisymmetric: momentum is conserved to rounding.
//
// Eq. 10 as printed is -sum_j V_i V_j (p_i + p_j)/2 grad W. The term with p_i sums to nothing
// inside the fluid, so it gives half the pressure gradient: a column would carry twice its weight.
// The form above gives all of it, and without C is the gradient of the energy that the state
// equation defines, so that away from walls pressure alone neither makes nor destroys energy.
//
// Particles with masses of their own have w_i = m_i / m of the rest volume of one of their material
// (density.h). With e the energy that the state equation gives a unit of rest volume, the energy is
//   E = sum_i w_i e(delta_i),   de/d(delta) = p/delta^2,   d(delta_i)/dx_i = sum_j w_j grad W
// and since delta_i = w_i/V_i, p_i/delta_i^2 = p_i V_i^2 / w_i^2, so that the force on particle i
// is
//   m_i a_i = -sum_j w_i w_j (p_i V_i^2/w_i^2 + p_j V_j^2/w_j^2) grad W
//           = -sum_j (p_i V_i^2 w_j/w_i + p_j V_j^2 w_i/w_j) grad W,
// the form above for equal w. It is antisymmetric again, and so is the viscosity with the real
// volumes. In sums with the rest volume V0, a neighbour counts with w_j V0.
//
// Walls mirror the particle's pressure: f_i += 2 p_i push(d) n, complete the gradient along the
// wall by 1/(1 - along(d)), and at no-slip walls add mu_i drag(d) (v_wall - v_i) along it
// (calibration.h).
//
// Surface tension, two models, where |n| h exceeds `reliable`:
//   mueller2003  f = -sigma Lap c n/|n|                             eq. 19, as printed
//   morris2000   f = k sigma kappa n, after Morris 2000: curvature from unit normals, between
//                particles that have a reliable one only,
//                  kappa_i = -sum_j V0 (m_j - m_i) . grad W / M_i,  m = n/|n|
//                  M_i     = sum_j V0 (r^2 - (d . m_i)^2) |W'|/r / (dim - 1)
//                M_i is what the sum gives for normals that turn by one per unit length along the
//                surface: dividing by it makes the curvature of circles and spheres exact however
//                the sum is cut off. k, about 2, makes up for the missing outer half of the colour
//                field's transition: it is one over the sum of s |n| below a flat surface.
//                Curvatures are limited to that of a drop of radius h/2, the smallest one: that
//                of a few loose particles has no meaning.
#pragma once

#include <type_traits>

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/fields/surroundings.h"
#include "panta/methods/sph_mueller2003/body_forces.h"
#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/methods/sph_mueller2003/colour.h"
#include "panta/methods/sph_mueller2003/moment.h"
#include "panta/methods/sph_mueller2003/phases.h"
#include "panta/walls/wall.h"

namespace panta::sph {

inline constexpr float reliable_normal = 0.15f;  // |n| h; 1.2 at a flat surface

// Several: fluids differ. Weighted: particles have masses of their own.
template <class D, TensionModel Tension, bool Several, bool Weighted>
struct ForceSum {
  StepGate gate;
  KernelConstants kernel;
  NearWalls walls;
  WallTable<WallEntry> wall_table;
  RecordsView<D> records;        // position and p V^2, velocity and volume
  RecordsView<D> stresses;       // p V^2 + C
  SymmetricView correction;      // result: C, for the next step
  Field4View<D> normal;          // morris2000
  Field4View<D> acceleration;    // result
  Field4View<D> pressure_force;  // result: by neighbours, N/m3; null: not needed
  SameFluid fluid;
  const Phases* phases;
  Weights weights;
  Surroundings surroundings;
  const StepState* clock;

  struct Self {
    Vec3 x, v, unit_normal;
    Record8 stress;
    float push, volume, viscosity;  // push: p V^2
    float weight;                   // w
    std::uint32_t phase;
    bool reliable;
  };
  template <class F>
  struct PlainSum {
    Vec3T<F> push, drag;         // pressure, viscosity
    SymT<F> arrangement, mixed;  // for C
    F weight{};
  };
  template <class F>
  struct ColourSum : PlainSum<F> {
    Vec3T<F> gradient;  // n
    F laplacian{};
  };
  template <class F>
  struct CurvatureSum : PlainSum<F> {
    F divergence{}, moment{};
  };
  template <class F>
  using Sum = std::conditional_t<
      Tension == TensionModel::mueller2003, ColourSum<F>,
      std::conditional_t<Tension == TensionModel::morris2000, CurvatureSum<F>, PlainSum<F>>>;

  PANTA_HD Self self(Index i) const {
    Self s;
    const Record8 own = records.get(i);
    s.x = own.first.xyz();
    s.v = own.second.xyz();
    s.push = own.first.w;
    s.stress = stresses.get(i);
    s.volume = own.second.w;
    s.phase = fluid.phase[i];
    s.viscosity = phases->viscosity[s.phase];
    s.weight = weights.of<Weighted>(i);
    s.reliable = false;
    if constexpr (Tension == TensionModel::morris2000) {
      const Vec4 n = normal.vec4(i);
      s.reliable = n.w > reliable_normal && phases->tension[s.phase] > 0;
      if (s.reliable) s.unit_normal = n.xyz() * (kernel.h / n.w);
    }
    return s;
  }

  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const Vec4T<F>& vj = j.record.second;
    const F r = square_root(r2);
    const F shape = kernel.pressure_shape(r);
    const SymT<F> q = pushes<F>(self, j);
    const F x = shape * d.x, y = shape * d.y, z = shape * d.z;
    sum.push.x = fused(q.xx, x, fused(q.xy, y, fused(q.xz, z, sum.push.x)));
    sum.push.y = fused(q.xy, x, fused(q.yy, y, fused(q.yz, z, sum.push.y)));
    sum.push.z = fused(q.xz, x, fused(q.yz, y, fused(q.zz, z, sum.push.z)));
    add_moment(sum.arrangement, vj.w, d, x, y, z);
    F drag = vj.w * maximum(kernel.h - r, 0.0f);
    mix<F>(sum, q, drag, j, self);
    if constexpr (Several) drag = drag * (self.viscosity + j.table(phases->viscosity, fluid.phase));
    sum.drag.x = fused(drag, vj.x - self.v.x, sum.drag.x);
    sum.drag.y = fused(drag, vj.y - self.v.y, sum.drag.y);
    sum.drag.z = fused(drag, vj.z - self.v.z, sum.drag.z);
    if constexpr (Tension == TensionModel::mueller2003) colour_pair(sum, self, d, r2, vj.w, j);
    if constexpr (Tension == TensionModel::morris2000)
      if (self.reliable) curvature_pair(sum, self, d, r2, j);
  }

  // For the mean of C over the neighbours. Stresses p V^2 of particles of other weight go to the
  // particle's own.
  template <class F, class J>
  PANTA_HD void mix(Sum<F>& sum, const SymT<F>& q, F share, const J& j, const Self& self) const {
    sum.weight = sum.weight + share;
    if constexpr (Weighted) share = share * self.weight * reciprocal(j.number(weights.values));
    sum.mixed.xx = fused(share, q.xx, sum.mixed.xx);
    sum.mixed.yy = fused(share, q.yy, sum.mixed.yy);
    sum.mixed.zz = fused(share, q.zz, sum.mixed.zz);
    sum.mixed.xy = fused(share, q.xy, sum.mixed.xy);
    sum.mixed.xz = fused(share, q.xz, sum.mixed.xz);
    sum.mixed.yz = fused(share, q.yz, sum.mixed.yz);
  }

  // p_i V_i^2 + C_i + p_j V_j^2 + C_j, each times the other's weight over its own.
  template <class F, class J>
  PANTA_HD SymT<F> pushes(const Self& self, const J& j) const {
    const auto other = j.from(stresses);
    const Vec4T<F>&a = other.first, &b = other.second;
    const Vec4 &c = self.stress.first, &d = self.stress.second;
    if constexpr (Weighted) {
      const F own = j.number(weights.values) * (1.0f / self.weight), his = reciprocal(own);
      return {a.x * his + own * c.x, a.y * his + own * c.y, a.z * his + own * c.z,
              a.w * his + own * c.w, b.x * his + own * d.x, b.y * his + own * d.y};
    } else {
      return {a.x + c.x, a.y + c.y, a.z + c.z, a.w + c.w, b.x + d.x, b.y + d.y};
    }
  }

  template <class F, class J>
  PANTA_HD void colour_pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, F volume,
                            const J& j) const {
    const F s = maximum(kernel.h2 - r2, 0.0f);
    const F weight = volume * s * fluid.weight(self.phase, j, s * 0.0f + 1.0f);
    sum.gradient -= d * (weight * s);
    sum.laplacian = sum.laplacian - weight * (s * kernel.dim - r2 * 4.0f);
  }

  template <class F, class J>
  PANTA_HD void curvature_pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2,
                               const J& j) const {
    const Vec4T<F> nj = j.vec4(normal);
    const F s = maximum(kernel.h2 - r2, 0.0f);
    // One where the neighbour's normal is reliable and its fluid the same, else zero; a steep ramp
    // replaces the comparison, so that packs need no branch.
    const F sure = minimum(maximum((nj.w - reliable_normal) * 1e20f, 0.0f), s * 0.0f + 1.0f);
    const F weight = weights.times_other<Weighted>(
        s * s * sure * fluid.weight(self.phase, j, s * 0.0f + 1.0f), j);
    const F scale = kernel.h * reciprocal(maximum(nj.w, 1e-20f));
    const Vec3T<F> turn{nj.x * scale - self.unit_normal.x, nj.y * scale - self.unit_normal.y,
                        nj.z * scale - self.unit_normal.z};
    const F along = d.x * self.unit_normal.x + d.y * self.unit_normal.y + d.z * self.unit_normal.z;
    sum.divergence = fused(weight, -dot(turn, d), sum.divergence);
    sum.moment = fused(weight, maximum(r2 - along * along, 0.0f), sum.moment);
  }

  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    const float viscosity_factor = (Several ? 0.5f : self.viscosity) * kernel.viscosity;
    // A repeated step starts from the same values.
    if (!gate.closed())
      set_moment(
          correction, i,
          next_correction(kernel, self.push, self.stress,
                          moment_less_one_at(kernel, walls, wall_table, i, self.x, sum.arrangement),
                          sum.mixed, sum.weight));
    Vec3 f = at_walls(i, self, sum.push * (kernel.pressure_factor / self.volume));
    f += sum.drag * viscosity_factor + tension_force(i, self, sum);
    float volume_over_mass = self.volume / phases->mass[self.phase];
    if constexpr (Weighted) volume_over_mass = volume_over_mass / self.weight;
    acceleration.set_xyz(i, f * volume_over_mass + by_surroundings(self));
  }

  // Over the interval of the kick that follows (body_forces.h).
  PANTA_HD Vec3 by_surroundings(const Self& self) const {
    return surroundings.acceleration(self.x, self.v, static_cast<float>(clock->time),
                                     static_cast<float>(kick_length(*clock)));
  }

  PANTA_HD Vec3 at_walls(Index i, const Self& self, const Vec3& by_neighbors) const {
    const float pressure = self.push / (self.volume * self.volume);
    const float density = phases->mass[self.phase] / self.volume;
    if (pressure_force.p) pressure_force.set_xyz(i, by_neighbors);
    return with_walls(walls, wall_table, kernel.h, i, self.x, self.v, pressure, self.viscosity,
                      by_neighbors, surroundings.gravity * density,
                      [](const WallContact&, const Vec3&, const Vec3&) {});
  }

  PANTA_HD Vec3 tension_force(Index i, const Self& self, const Sum<float>& sum) const {
    const float sigma = phases->tension[self.phase];
    if constexpr (Tension == TensionModel::mueller2003) {
      const Vec3 n = sum.gradient * kernel.colour_factor;
      const float own = self.volume * kernel.h2 * kernel.h2 * kernel.dim;
      const float laplacian = kernel.colour_factor * (sum.laplacian - own);
      const float l = length(n);
      if (l * kernel.h > reliable_normal) return n * (-sigma * laplacian / l);
    }
    if constexpr (Tension == TensionModel::morris2000) {
      if (self.reliable && sum.moment > 0.0f) {
        const float sharpest = 2.0f / kernel.h;
        const float curvature = clamp(-sum.divergence / sum.moment, -sharpest, sharpest);
        return normal.xyz(i) * (kernel.surface_factor * sigma * curvature * (kernel.dim - 1.0f));
      }
    }
    return {};
  }
};

}  // namespace panta::sph
