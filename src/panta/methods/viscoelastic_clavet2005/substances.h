// Constants of each material for the kernels. Particles store the index of their material.
#pragma once

#include "panta/methods/viscoelastic_clavet2005/kernels.h"
#include "panta/solver/material_table.h"

namespace panta::viscoelastic {

struct Substances : MaterialTable {
  float mobility[max_materials] = {};   // lightest mass over own
  float linear[max_materials] = {};     // sigma, 1/s
  float quadratic[max_materials] = {};  // beta, 1/m
  float both_ways[max_materials] = {};  // kappa, 1/s
  SpringLaw springs[max_materials] = {};
};

}  // namespace panta::viscoelastic
