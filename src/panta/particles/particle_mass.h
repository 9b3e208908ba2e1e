// The mass of a particle: its own if there is a column "mass", else that of its material.
//
// A value of 0 in the column means that the mass is not set yet: new particles have it until
// FillMasses gives them the mass of their material.
#pragma once

#include <cstdint>

#include "panta/core/exec.h"
#include "panta/core/macros.h"

namespace panta {

struct ParticleMass {
  const float* of_phase = nullptr;  // kg, by material
  const std::uint32_t* phase = nullptr;
  const float* own = nullptr;  // kg, by particle; null: all have the mass of their material

  PANTA_HD float operator()(Index i) const { return own ? own[i] : of_phase[phase[i]]; }
};

struct FillMasses {
  float* mass;
  const std::uint32_t* phase;
  const float* mass_of_phase;
  const std::uint32_t* occupied;

  PANTA_HD void operator()(Index i) const {
    if (static_cast<std::uint32_t>(i) >= *occupied || mass[i] != 0) return;
    mass[i] = mass_of_phase[phase[i]];
  }
};

}  // namespace panta
