// Constants of each material for the kernels. Particles store the index of their material.
#pragma once

#include "panta/solver/material_table.h"

namespace panta::unified {

struct Substances : MaterialTable {
  float mobility[max_materials] = {};  // lightest mass over own: w of eq. 4
  MaterialKind kind[max_materials] = {};
  float fills[max_materials] = {};  // contribution to the density of liquids
  float pull[max_materials] = {}, bend[max_materials] = {};  // of cohesion.h, m/s2
  float weight[max_materials] = {};                          // share of gravity that acts on it
  float smoothing[max_materials] = {};  // share of the neighbours' velocity taken over per step
  float meets[max_materials][max_materials] = {};  // 1: they touch, 0: they pass each other
  float rest_distance[max_materials] = {};         // m, see contact_filter.h
  float body_distance[max_materials] = {};         // m, to free bodies after the constraints
};

}  // namespace panta::unified
