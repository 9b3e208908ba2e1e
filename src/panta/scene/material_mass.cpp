#include "panta/scene/material_mass.h"

#include <cmath>

namespace panta {

double particle_mass(const Scene& scene, std::size_t material) {
  const double volume = std::pow(scene.spacing, scene.dimensions);
  return static_cast<float>(scene.materials[material].density * volume);
}

}  // namespace panta
