// The columns of the SPH method.
#pragma once

#include "panta/core/field.h"
#include "panta/particles/column.h"

namespace panta::sph {

// The density of the step before, beside the velocity: sound is damped by its rate of change.
inline ColumnInfo density_before_column() {
  return {.name = "density_before",
          .unit = "kg/m3",
          .doc = "density in the last step; 0: there was none",
          .packed_in = "velocity"};
}

// Every step computes it after its sort; the half step from v(n-1/2) to v(n) needs it in frames.
inline ColumnInfo acceleration_column() {
  return {.name = "acceleration",
          .type = ColumnType::vector,
          .unit = "m/s2",
          .doc = "of the last step",
          .sorted = false};
}

// The pressure force adds it to p V^2 (moment.h).
inline ColumnInfo correction_column() {
  return {.name = "stress_correction",
          .type = ColumnType::symmetric,
          .unit = "Pa m6",
          .doc = "C, correction that makes the stress of the pressure isotropic",
          .merge = Merge::none};
}

// The velocity v(n-1/2) and, packed beside it, the density of the step before.
template <class D>
struct VelocityAndDensity {
  Field4View<D> field;

  PANTA_HD Vec3 velocity(Index i) const { return field.xyz(i); }
  PANTA_HD float density_before(Index i) const { return field.w(i); }
  PANTA_HD void set(Index i, const Vec3& v, float density) const {
    field.set(i, {v.x, v.y, v.z, density});
  }
};

}  // namespace panta::sph
