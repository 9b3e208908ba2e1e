// How deep the liquids of a scene are at the start.
#pragma once

#include "panta/scene/scene.h"

namespace panta {

// From their highest to their lowest place along gravity, m; 0 without gravity.
double liquid_depth(const Scene& scene);

}  // namespace panta
