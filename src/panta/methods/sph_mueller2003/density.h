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
// zeta d(rho)/dt, beyond the paper, is a bulk viscosity: it damps sound and nothing else, and since
// it acts through the same gradient as the pressure it can only take energy away. The rate is that
// of the last step.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/methods/sph_mueller2003/columns.h"
#include "panta/methods/sph_mueller2003/motion.h"
#include "panta/methods/sph_mueller2003/phases.h"
#include "panta/walls/wall.h"

namespace panta::sph {

template <class D>
struct DensitySum {
  KernelConstants kernel;
  NearWalls walls;
  WallTable wall_table;
  Field4View<D> position;
  VelocityAndDensity<D> velocity;
  RecordsView<D> records;  // result: position and p V^2, velocity and V
  const std::uint32_t* phase;
  const Phases* phases;
  const StepState* state;
  const std::uint32_t* held;  // null without emitters

  template <class F>
  struct Sum {
    F weight{};
  };

  template <class F>
  PANTA_HD void add(Sum<F>& sum, F r2) const {
    sum.weight = sum.weight + kernel.density_shape(r2);
  }

  PANTA_HD void finish(Index i, const Sum<float>& sum) const {
    const Vec3 x = position.xyz(i);
    float free = 1.0f;
    if (!(held && held[i]))  // walls around an emitter's column are its pipe
      walls.each(i, x, kernel.h, [&](const WallContact& c) {
        free *= 1.0f - c.weight * wall_table.at(c.distance).filled;
      });
    const float own = kernel.density_shape(0.0f);
    const float number_density = kernel.density_factor * (sum.weight + own) / free;
    const std::uint32_t k = phase[i];
    const float density = phases->mass[k] * number_density;
    const Vec3 v = velocity.velocity(i);
    const float before = velocity.density_before(i);
    const float dt = static_cast<float>(state->dt_before);
    const float rate = dt > 0 && before > 0 ? (density - before) / dt : 0.0f;
    const float pressure = phases->pressure(k, density, rate);
    const float volume = 1.0f / number_density;
    records.set(i, {{x.x, x.y, x.z, pressure * volume * volume}, {v.x, v.y, v.z, volume}});
  }
};

}  // namespace panta::sph
