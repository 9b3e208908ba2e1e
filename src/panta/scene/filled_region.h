// The space that liquid fills when it is poured at a point up to a level: all that can be reached
// from the point, below the level, without crossing bodies or walls of the domain.
//
// The space is searched cell by cell on a grid of half the spacing, so that gaps of less than half
// a spacing are closed. Walls thinner than a cell are found by points between neighbouring cells.
// The result contains the cells that touch the space and is cut at the level; the bodies in it are
// left out when it is sampled (sample.h).
#pragma once

#include "panta/geometry/shape.h"
#include "panta/scene/scene.h"

namespace panta {

// `level` is the height (m) against the direction of gravity; without gravity, along y. Throws
// Error(usage) for a point inside a body or above the level, and where the liquid would run out.
Shape filled_region(const Scene& scene, const Vec3& point, double level);

}  // namespace panta
