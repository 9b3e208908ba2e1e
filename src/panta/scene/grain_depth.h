// Estimated depth of grains.
#pragma once

#include "panta/scene/scene.h"

namespace panta {

// Depth, m; 0 without gravity. Includes the grains at the start and those that events add, and the
// heap that emitters pour until the end of the scene: a wedge or cone of the slope `steepest_heap`,
// or a layer over the floor of the domain if that is deeper, but no higher than the emitter.
double grain_depth(const Scene& scene);

}  // namespace panta
