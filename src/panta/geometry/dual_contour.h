// The surface of a solid as a closed mesh with sharp edges and corners, from its distance alone.
//
// Dual contouring (Ju et al. 2002) with a vertex for each piece of surface in a cube of the lattice
// (as in Nielson 2004, Dual marching cubes): the four pieces around a crossed edge of the lattice
// make a quadrilateral, cut along the diagonal that lies closer to the surface. Two pieces meet
// along one side only: where two cubes would join the same two pieces twice across a face with
// alternating corners, that face is joined the other way round (Wenger 2013, Isosurfaces). The mesh
// is therefore a closed manifold. Vertices lie on the surface, on its edges and in its corners
// (geometry/feature_point.h).
//
// Cubes are found by search (geometry/surface_cells.h) and then by following the surface.
#pragma once

#include <cstddef>

#include "panta/geometry/distance.h"
#include "panta/geometry/surface_mesh.h"

namespace panta {

struct DualContour {
  SurfaceMesh mesh;        // positions and triangles
  std::size_t cubes = 0;   // that the surface was seen to pass through
  std::size_t unseen = 0;  // cubes and edges of the lattice that something thin passes between
};

// Of the solid in the box from `min` to `max`, which it must not leave. The distance must not grow
// faster than the true one and is called from several threads; the result does not depend on their
// number. Error(usage) where the box holds too many cubes.
DualContour dual_contour(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                         float cube);

}  // namespace panta
