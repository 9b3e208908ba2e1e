// What the kernels need to know of each material. Particles carry the index of theirs.
#pragma once

#include "panta/core/macros.h"

namespace panta::unified {

inline constexpr int max_substances = 16;

struct Substances {
  float mass[max_substances] = {};          // kg, of one particle
  float rest_density[max_substances] = {};  // kg/m3
  float mobility[max_substances] = {};      // lightest mass over own: w of eq. 4
  bool granular[max_substances] = {};
  float smoothing[max_substances] = {};  // share of the neighbours' velocity taken over per step
};

}  // namespace panta::unified
