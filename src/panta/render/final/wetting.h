// Closes the gaps between a liquid and what it touches.
//
// The surface of particles ends a fraction of their spacing away from the wall that holds them.
// Drawn as it is, the layer of air between water and glass would mirror most of what is seen
// through it: a silver film. So each vertex that has a solid or the ground before it, in the
// direction of its normal and nearer than the gap, is moved on to a little behind that surface; the
// overlap is then resolved by the ranks of media (media.h).
#pragma once

#include "panta/render/final/ray_scene.h"

namespace panta {

// `solids` holds what may be touched; `gap` in m. The mesh needs normals, else it is left as it is.
SurfaceMesh wetted(const SurfaceMesh& liquid, const RayScene& solids,
                   const std::optional<Ground>& ground, float gap);

}  // namespace panta
