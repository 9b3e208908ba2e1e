// The iso-surface of a field that is evaluated tile by tile, by marching cubes. Each tile owns the
// vertices on the lattice edges that start in it; triangles may use vertices of the tiles behind
// it. The mesh is closed and manifold, and the same for any number of threads.
#pragma once

#include <functional>

#include "panta/geometry/surface_mesh.h"
#include "panta/surface/tile_field.h"

namespace panta {

// Computes the field of one tile.
using EvaluateTile = std::function<void(std::size_t tile, TileField& field)>;

// The surface where the field is `iso`, in the marked tiles.
SurfaceMesh mesh_tiles(const TileGrid& grid, const std::vector<std::uint8_t>& marked, float iso,
                       const EvaluateTile& evaluate);

}  // namespace panta
