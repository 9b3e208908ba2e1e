// Constants of each fluid for the kernels. Particles store the index of their fluid.
#pragma once

#include "panta/methods/sph_mueller2003/params.h"
#include "panta/solver/material_table.h"

namespace panta::sph {

struct Phases : MaterialTable {
  float viscosity[max_materials] = {};  // Pa s, artificial part included
  float tension[max_materials] = {};    // N/m
  float rest_volume = 1;                // m3 (m2 in 2-D), of one particle
  float sound_speed2 = 1;               // k of eq. 12
  float bulk_viscosity = 0;             // m2/s, zeta
  float background = 0;                 // Pa
  bool tait = false;
  bool negative_pressure = false;

  // The state equation: eq. 12, or Tait's with exponent 7, and the damping of sound.
  PANTA_HD float pressure(std::uint32_t phase, float density, float rate) const {
    const float rho0 = rest_density[phase];
    float p = sound_speed2 * (density - rho0);
    if (tait) {
      const float s = density / rho0, s2 = s * s;
      p = rho0 * sound_speed2 * (1.0f / 7.0f) * (s2 * s2 * s2 * s - 1.0f);
    }
    p += bulk_viscosity * rate;
    return (negative_pressure ? p : maximum(p, 0.0f)) + background;
  }
};

}  // namespace panta::sph
