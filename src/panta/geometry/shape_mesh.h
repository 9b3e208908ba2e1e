// Composed solids as meshes, for pictures and export: vertices on the surface, sharp edges and
// corners kept (geometry/dual_contour.h), normals that are sharp there and smooth elsewhere.
#pragma once

#include "panta/geometry/bounds.h"
#include "panta/geometry/surface_mesh.h"

namespace panta {

struct ShapeMeshOptions {
  // Degrees between sides that meet in an edge. Vertices on edges are split, one for each side, so
  // that each has its side's normal. 0: a closed mesh with shared vertices and without normals.
  float crease_angle = 35;
  // Where walls or gaps are thinner than a cell, so that the lattice misses them, all is done again
  // with half the cell, so many times at most; what is thinner than the last may have holes.
  int most_halvings = 3;
};

// The surface of a solid in cells of this size (m). Two edges nearer to each other than a cell may
// be blunted between them. The result does not depend on the number of threads. Error(usage) for
// solids that are not bounded and for cells that are much too small.
SurfaceMesh mesh_shape(const Shape& shape, float cell, const ShapeMeshOptions& options = {});

// Of what lies in the box, with the faces in which the box cuts it.
SurfaceMesh mesh_shape(const Shape& shape, const ShapeBounds& box, float cell,
                       const ShapeMeshOptions& options = {});

// Splits the vertices of a closed mesh of the solid along edges sharper than this (degrees) and
// gives it normals.
void split_creases(SurfaceMesh& mesh, const DistanceFunction& distance, float crease_angle);

}  // namespace panta
