// Closes the gaps between a liquid and the walls that it touches.
//
// The surface of particles ends a fraction of their spacing away from the wall. If drawn unchanged,
// the layer of air between water and glass would reflect most of the light: a silver film. So each
// vertex with a solid or the ground in front of it, in the direction of its normal and nearer than
// the gap, is moved to slightly behind that surface; the overlap is then resolved by the ranks of
// media (media.h).
#pragma once

#include "panta/render/final/ray_scene.h"

namespace panta {

// `solids` are the walls; `gap` in m. A mesh without normals is returned unchanged.
SurfaceMesh wetted(const SurfaceMesh& liquid, const RayScene& solids,
                   const std::optional<Ground>& ground, float gap);

}  // namespace panta
