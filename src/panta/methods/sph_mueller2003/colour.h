// The colour field's gradient n (eq. 15 and 16): surface particles, normals, and values for the
// calibrated surface tension.
//
//   n_i = sum_j w_j V0 grad W_poly6(r_ij)   over particles of the same fluid
//
// w_j V0 is the rest volume, w_j = 1 where particles have no masses of their own (forces.h): m/rho
// would overestimate the volume of surface particles, whose density sum misses half its neighbours.
// Walls count as fluid, so that n points away from the free surface only.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/methods/sph_mueller2003/phases.h"
#include "panta/solver/particle_weights.h"
#include "panta/walls/wall.h"

namespace panta::sph {

// 1 for particles of the same fluid, 0 for others.
struct SameFluid {
  bool several = false;
  const std::uint32_t* phase = nullptr;
  const float* same = nullptr;  // max_materials x max_materials identity matrix

  template <class F, class J>
  PANTA_HD F weight(std::uint32_t own, const J& j, F one) const {
    return several ? j.table(same + own * max_materials, phase) : one;
  }
};

template <class D, bool Weighted>
struct ColourGradient {
  KernelConstants kernel;
  NearWalls walls;
  WallTable<WallEntry> wall_table;
  RecordsView<D> records;
  Field4View<D> normal;  // result; w: its length times h
  SameFluid fluid;
  const Phases* phases;
  Weights weights;

  struct Self {
    std::uint32_t phase;
  };
  template <class F>
  struct Sum {
    Vec3T<F> gradient;
  };

  PANTA_HD Self self(Index i) const { return {fluid.phase[i]}; }

  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F s = maximum(kernel.h2 - r2, 0.0f);
    const F weight = s * s * fluid.weight(self.phase, j, s * 0.0f + 1.0f);
    sum.gradient -= d * weights.times_other<Weighted>(weight, j);
  }

  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    Vec3 n = sum.gradient * (kernel.colour_factor * phases->rest_volume);
    const Vec3 x = records.get(i).first.xyz();
    walls.each(i, x, kernel.h,
               [&](const WallContact& c) { n -= c.normal * (c.weight * wall_table.at(c).normal); });
    normal.set(i, {n.x, n.y, n.z, length(n) * kernel.h});
  }
};

}  // namespace panta::sph
