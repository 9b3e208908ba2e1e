// The surface of a solid as a closed mesh with sharp edges and corners, from a distance function.
//
// Dual contouring (Ju et al. 2002) with a vertex for each piece of surface in a cube of the lattice
// (as in Nielson 2004, Dual marching cubes): the four pieces around a crossed edge of the lattice
// form a quadrilateral, which is cut along the diagonal that lies closer to the surface. Two pieces
// may share one side only: if two cubes would join the same two pieces twice across a face with
// alternating corners, that face is joined the other way (Wenger 2013, Isosurfaces). The mesh is
// therefore a closed manifold. Vertices lie on the surface, on its edges and in its corners
// (geometry/feature_point.h).
//
// Cubes are found by search (geometry/surface_cells.h) and then by following the surface.
#pragma once

#include <cstddef>

#include "panta/geometry/distance_function.h"
#include "panta/geometry/surface_mesh.h"

namespace panta {

struct DualContour {
  SurfaceMesh mesh;        // positions and triangles
  std::size_t cubes = 0;   // crossed by the surface
  std::size_t unseen = 0;  // cubes and lattice edges that contain a thin part that was not resolved
};

// The solid must lie in the box from `min` to `max`. The distance must not grow faster than the
// true one and is called from several threads; the result does not depend on their number.
// Error(usage) if the box contains too many cubes.
DualContour dual_contour(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                         float cube);

}  // namespace panta
