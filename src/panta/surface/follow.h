// Marching cubes as in Mueller et al. (2003), section 4.2: starts at the cells of surface
// particles, follows the surface from cell to cell, and stores visited cells in a hash table. The
// field is evaluated only at the surface. Runs on one thread; mesh_tiles.h is the fast form, and
// both give the same surface.
#pragma once

#include "panta/geometry/surface_mesh.h"
#include "panta/surface/tile_field.h"

namespace panta {

// For smooth bumps; `seeds` are positions in cells on the surface's inside.
SurfaceMesh follow_surface(const TileGrid& grid, const BlobSet& set, float iso,
                           const std::vector<Vec3>& seeds);

}  // namespace panta
