// Marching cubes as in Mueller et al. (2003), section 4.2: start at the cells of surface particles,
// follow the surface from cell to cell, note visited cells in a hash table. The field is evaluated
// where the surface is and nowhere else. One thread; mesh_tiles.h is the quick form, and both give
// the same surface.
#pragma once

#include "panta/geometry/surface_mesh.h"
#include "panta/surface/tile_field.h"

namespace panta {

// Of smooth bumps; `seeds` are places in cells on the surface's inside.
SurfaceMesh follow_surface(const TileGrid& grid, const BlobSet& set, float iso,
                           const std::vector<Vec3>& seeds);

}  // namespace panta
