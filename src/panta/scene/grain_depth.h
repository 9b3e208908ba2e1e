// How deep grains may come to lie.
#pragma once

#include "panta/scene/scene.h"

namespace panta {

// m; 0 without gravity. What fills the scene at the start and in events, and the heap that emitters
// pour until the end of the scene: a wedge or cone of the slope `steepest_heap`, or a layer over
// the floor of the domain where that is deeper, but no higher than the emitter.
double grain_depth(const Scene& scene);

}  // namespace panta
