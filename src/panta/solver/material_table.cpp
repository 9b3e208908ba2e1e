#include "panta/solver/material_table.h"

#include "panta/core/error_format.h"
#include "panta/scene/material_mass.h"

namespace panta {

void set_materials(MaterialTable& table, const Scene& scene, const std::string& method) {
  if (scene.materials.size() > static_cast<std::size_t>(max_materials))
    throw Error(ErrorKind::usage, "{}: at most {} materials, the scene has {}", method,
                max_materials, scene.materials.size());
  for (std::size_t k = 0; k < scene.materials.size(); ++k) {
    table.mass[k] = static_cast<float>(particle_mass(scene, k));
    table.rest_density[k] = static_cast<float>(scene.materials[k].density);
  }
}

}  // namespace panta
