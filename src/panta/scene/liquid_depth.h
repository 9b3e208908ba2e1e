// The depth of the liquids and grains of a scene at the start.
#pragma once

#include "panta/scene/scene.h"

namespace panta {

// From their highest to their lowest point along gravity, m; 0 without gravity.
double liquid_depth(const Scene& scene);

// The same for all entries of `fluids`, liquids and grains.
double filled_depth(const Scene& scene);

}  // namespace panta
