// Density and pressure, eq. 3 and 12, as a sum over neighbours' distances.
//
//   delta_i = sum_j W(r_ij)   number density, j = i included
//   rho_i   = m_i delta_i / (1 - filled)
//   V_i     = m_i / rho_i
//   p_i     = k (rho_i - rho0) + zeta d(rho_i)/dt
//
// For one fluid m_i delta_i is eq. 3. Between fluids of different density it keeps the sum from
// smearing one's mass into the other (Solenthaler and Pajarola 2008). A wall takes up the share
// `filled` of the kernel (calibration.h); walls that meet at right angles leave the product of what
// each leaves free.
//
// Particles with masses of their own (WeightedDensity) take up the share w_i = m_i / m of the rest
// volume that a particle of their material, of mass m, has:
//   delta_i = sum_j w_j W(r_ij),   rho_i = m delta_i / (1 - filled),   V_i = m_i / rho_i
//
// zeta d(rho)/dt, beyond the paper, is a bulk viscosity: it damps sound and nothing else, and since
// it acts through the same gradient as the pressure it can only take energy away. The rate is that
// of the last step.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/methods/sph_mueller2003/columns.h"
#include "panta/methods/sph_mueller2003/moment.h"
#include "panta/methods/sph_mueller2003/motion.h"
#include "panta/methods/sph_mueller2003/phases.h"
#include "panta/walls/wall.h"

namespace panta::sph {

// Values that follow from the sum over neighbours.
template <class D>
struct FinishDensity {
  KernelConstants kernel;
  NearWalls walls;
  WallTable<WallEntry> wall_table;
  Field4View<D> position;
  VelocityAndDensity<D> velocity;
  RecordsView<D> records;    // result: position and p V^2, velocity and V
  RecordsView<D> stresses;   // result: p V^2 + C
  SymmetricView correction;  // C
  const std::uint32_t* phase;
  const Phases* phases;
  const StepState* state;
  const std::uint32_t* held;  // null without emitters

  // `neighbors`: the sum of w_j W / density_factor without the particle's own part, `own`: w_i.
  PANTA_HD void operator()(Index i, float neighbors, float own) const {
    const Vec3 x = position.xyz(i);
    float free = 1.0f;
    if (!(held && held[i]))  // walls around an emitter's column are its pipe
      walls.each(i, x, kernel.h,
                 [&](const WallContact& c) { free *= 1.0f - c.weight * wall_table.at(c).filled; });
    const float number_density =
        kernel.density_factor * (neighbors + own * kernel.density_shape(0.0f)) / free;
    const std::uint32_t k = phase[i];
    const float density = phases->mass[k] * number_density;
    const Vec3 v = velocity.velocity(i);
    const float before = velocity.density_before(i);
    const float dt = static_cast<float>(state->dt_before);
    const float rate = dt > 0 && before > 0 ? (density - before) / dt : 0.0f;
    const float pressure = phases->pressure(k, density, rate);
    const float volume = own / number_density;
    const float push = pressure * volume * volume;
    records.set(i, {{x.x, x.y, x.z, push}, {v.x, v.y, v.z, volume}});
    stresses.set(i, stress_record(push, get_moment(correction, i)));
  }
};

// Computed together with the lists.
template <class D>
struct DensitySum {
  FinishDensity<D> density;

  template <class F>
  struct Sum {
    F weight{};
  };
  template <class F>
  PANTA_HD void add(Sum<F>& sum, F r2) const {
    sum.weight = sum.weight + density.kernel.density_shape(r2);
  }
  PANTA_HD void finish(Index i, const Sum<float>& sum) const { density(i, sum.weight, 1.0f); }
};

// A sum over existing lists, because distances alone do not give the weights of neighbours.
template <class D>
struct WeightedDensity {
  FinishDensity<D> density;
  const float* weights;

  struct Self {};
  template <class F>
  struct Sum {
    F weight{};
  };
  PANTA_HD Self self(Index) const { return {}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self&, const Vec3T<F>&, F r2, const J& j) const {
    sum.weight = fused(j.record.first.w, density.kernel.density_shape(r2), sum.weight);
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    density(i, sum.weight, weights[i]);
  }
};

}  // namespace panta::sph
