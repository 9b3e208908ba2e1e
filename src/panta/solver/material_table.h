// Constants of each material for the kernels of all methods. Particles store the index of their
// material.
#pragma once

#include <string>

#include "panta/scene/scene.h"

namespace panta {

inline constexpr int max_materials = 16;

struct MaterialTable {
  float mass[max_materials] = {};          // kg, of one particle
  float rest_density[max_materials] = {};  // kg/m3
};

// Throws Error(usage) if the scene has more materials. `method`: its name, for the message.
void set_materials(MaterialTable& table, const Scene& scene, const std::string& method);

}  // namespace panta
