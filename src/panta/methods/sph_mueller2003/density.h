// Density and pressure, eq. 3 and 12, as a sum over neighbours.
//
//   delta_i = sum_j W_poly6(r_ij)   number density, j = i included
//   rho_i   = m_i delta_i / (1 - filled)
//   V_i     = m_i / rho_i
//
// For one fluid m_i delta_i is eq. 3. Between fluids of different density it keeps the sum from smearing
// one's mass into the other (Solenthaler and Pajarola 2008). A wall takes up the share `filled` of the
// kernel (calibration.h); walls that meet at right angles leave the product of what each leaves free.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/geometry/wall.h"
#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/methods/sph_mueller2003/phases.h"

namespace panta::sph {

template <class D>
struct DensitySum {
  KernelConstants kernel;
  WallsView walls;
  WallTable wall_table;
  Field4View<D> position, velocity;
  RecordsView<D> records;  // result: position and pressure, velocity and volume
  const std::uint32_t* phase;
  const Phases* phases;

  struct Self {};
  template <class F>
  struct Sum {
    F weight{};
  };

  PANTA_HD Self self(Index) const { return {}; }

  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self&, const Vec3T<F>&, F r2, const J&) const {
    const F s = maximum(kernel.h2 - r2, 0.0f);
    sum.weight = fused(s * s, s, sum.weight);
  }

  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    const Vec3 x = position.xyz(i);
    float free = 1.0f;
    for (int w = walls.first(x); w < walls.count; ++w)
      free *= 1.0f - wall_table.at(wall_distance(walls.walls[w], x).value).filled;
    const float own = kernel.h2 * kernel.h2 * kernel.h2;
    const float number_density = kernel.poly6 * (sum.weight + own) / free;
    const std::uint32_t k = phase[i];
    const float pressure = phases->pressure(k, phases->mass[k] * number_density);
    const Vec3 v = velocity.xyz(i);
    records.set(i, {{x.x, x.y, x.z, pressure}, {v.x, v.y, v.z, 1.0f / number_density}});
  }
};

}  // namespace panta::sph
