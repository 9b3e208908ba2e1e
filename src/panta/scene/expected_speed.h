// Estimated largest speed of the fluids of a scene.
#pragma once

#include "panta/scene/scene.h"

namespace panta {

// The largest expected speed, m/s: of free fall through the fluid's height, of inflow, walls,
// bodies and fields, and the capillary speed at the scale of the spacing (with a slower sound,
// curved surfaces compress their outermost particles until drops burst). If the speed of sound is
// ten times this, densities stay within about one per cent.
double expected_speed(const Scene& scene);

}  // namespace panta
