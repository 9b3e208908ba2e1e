// The mass of a particle without a mass of its own.
#pragma once

#include <cstddef>

#include "panta/scene/scene.h"

namespace panta {

// kg, of a particle of this material.
double particle_mass(const Scene& scene, std::size_t material);

}  // namespace panta
