// How fast the fluids of a scene will get.
#pragma once

#include "panta/scene/scene.h"

namespace panta {

// The fastest flow to expect, m/s: free fall through the fluid's height, speeds of inflow, walls,
// bodies and fields, capillary speed at the scale of the spacing (a slower sound would let curved
// surfaces squeeze their outermost particles until drops burst). Liquids whose sound is ten times
// as fast keep their density within about one per cent.
double expected_speed(const Scene& scene);

}  // namespace panta
