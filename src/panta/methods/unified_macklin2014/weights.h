// Particles with masses of their own. With weight_i = m_i / m, m the mass of a particle of the same
// material:
//
//   liquids            stand for V_i = weight_i particles of their material, in every sum
//   grains and solids  have the size of their lattice, V_i = 1, and are denser
//
// Inertia follows the mass. At V = 4 few particles are left within the support, and with more a
// liquid does not come to rest, so V_i is at most 4: heavier particles are denser. Particles of
// rigid bodies have the mass of their material (solver/particle_access_impl.h), as rigid.h assumes.
#pragma once

#include "panta/core/exec.h"
#include "panta/core/scalar_math.h"
#include "panta/methods/unified_macklin2014/substances.h"

namespace panta::unified {

inline constexpr float most_volume = 4;

struct FindVolumes {
  const float* weights;
  const std::uint32_t* phase;
  const Substances* substances;
  float* volumes;  // result: V

  PANTA_HD void operator()(Index i) const {
    const bool wet = substances->kind[phase[i]] == MaterialKind::liquid;
    volumes[i] = wet ? minimum(weights[i], most_volume) : 1.0f;
  }
};

}  // namespace panta::unified
