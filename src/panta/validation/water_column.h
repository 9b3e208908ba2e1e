// What is measured in liquid at rest.
#pragma once

#include "panta/engine/simulation.h"

namespace panta::validation {

// Where the liquid ends: half a spacing above the height that half of the topmost layer of
// `per_layer` particles reaches.
double surface_level(std::vector<float> heights, double per_layer, double spacing);

// Means over layers one spacing thick, from y = 0 up to `height`.
struct LayerProfile {
  std::vector<double> y, pressure, density;
};
LayerProfile layer_profile(const ParticleFrame& frame, double spacing, double height);

}  // namespace panta::validation
