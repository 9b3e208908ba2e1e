// Constants of each material for the kernels. Particles store the index of their material.
#pragma once

#include "panta/methods/viscoelastic_clavet2005/kernels.h"

namespace panta::viscoelastic {

inline constexpr int max_substances = 16;

struct Substances {
  float mass[max_substances] = {};          // kg, of one particle
  float rest_density[max_substances] = {};  // kg/m3
  float mobility[max_substances] = {};      // lightest mass over own
  float linear[max_substances] = {};        // sigma, 1/s
  float quadratic[max_substances] = {};     // beta, 1/m
  float both_ways[max_substances] = {};     // kappa, 1/s
  SpringLaw springs[max_substances] = {};
};

}  // namespace panta::viscoelastic
