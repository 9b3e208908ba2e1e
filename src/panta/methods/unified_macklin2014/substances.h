// Constants of each material for the kernels. Particles store the index of their material.
#pragma once

#include "panta/scene/scene.h"

namespace panta::unified {

inline constexpr int max_substances = 16;

struct Substances {
  float mass[max_substances] = {};          // kg, of one particle
  float rest_density[max_substances] = {};  // kg/m3
  float mobility[max_substances] = {};      // lightest mass over own: w of eq. 4
  MaterialKind kind[max_substances] = {};
  float fills[max_substances] = {};  // contribution to the density of liquids
  float pull[max_substances] = {}, bend[max_substances] = {};  // of cohesion.h, m/s2
  float weight[max_substances] = {};                           // share of gravity that it feels
  float smoothing[max_substances] = {};  // share of the neighbours' velocity taken over per step
  float meets[max_substances][max_substances] = {};  // 1: they touch, 0: they pass each other
  float rest_distance[max_substances] = {};          // m, see contact_filter.h
  float body_distance[max_substances] = {};          // m, to free bodies after the constraints
};

}  // namespace panta::unified
