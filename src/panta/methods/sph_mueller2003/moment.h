// The correction of solver/moment.h for the pressure of SPH: E of a particle, walls included.
#pragma once

#include "panta/methods/sph_mueller2003/calibration.h"
#include "panta/solver/moment.h"
#include "panta/walls/wall.h"

namespace panta::sph {

inline constexpr float deficient = -0.2f, slightly_deficient = -0.1f;  // tr(M)/dim - 1

// E of particle i at x from the sum over its neighbours and the walls near it.
PANTA_HD SymT<float> moment_error_of(const KernelConstants& kernel, const NearWalls& walls,
                                     const WallTable& table, Index i, const Vec3& x,
                                     const SymT<float>& sum) {
  SymT<float> m = moment_less_one(sum, kernel.pressure_factor);
  walls.each(i, x, kernel.h, [&](const WallContact& c) {
    const WallEntry w = table.at(c);
    add_wall_moment(m, c.normal, c.weight * w.along, c.weight * w.across);
  });
  return panta::moment_error_of(m, kernel.dim, deficient, slightly_deficient);
}

}  // namespace panta::sph
