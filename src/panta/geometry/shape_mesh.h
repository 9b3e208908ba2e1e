// Composed solids as meshes, for pictures and export: vertices on the surface, sharp edges and
// corners preserved (geometry/dual_contour.h), with sharp normals there and smooth ones elsewhere.
#pragma once

#include "panta/geometry/bounds.h"
#include "panta/geometry/distance_function.h"
#include "panta/geometry/surface_mesh.h"

namespace panta {

struct ShapeMeshOptions {
  // Degrees between sides that meet in an edge. Vertices on edges are split, one for each side, and
  // get the normal of their side. 0: a closed mesh with shared vertices and without normals.
  float crease_angle = 35;
  // If the lattice misses walls or gaps thinner than a cell, the mesh is built again with half the
  // cell, at most this many times; parts thinner than the last cell may have holes.
  int most_halvings = 3;
};

// The surface of a solid in cells of this size (m). Two edges nearer to each other than a cell may
// become blunt. The result does not depend on the number of threads. Error(usage) for unbounded
// solids and for cells that are much too small.
SurfaceMesh mesh_shape(const Shape& shape, float cell, const ShapeMeshOptions& options = {});

// The part of the solid in the box, with the faces where the box cuts it.
SurfaceMesh mesh_shape(const Shape& shape, const ShapeBounds& box, float cell,
                       const ShapeMeshOptions& options = {});

// Splits the vertices of a closed mesh of the solid along edges sharper than this (degrees) and
// computes normals.
void split_creases(SurfaceMesh& mesh, const DistanceFunction& distance, float crease_angle);

}  // namespace panta
