// Volume, centre and inertia of a composed solid, from its mesh by the divergence theorem.
#pragma once

#include "panta/geometry/rotation_double.h"
#include "panta/geometry/surface_mesh.h"

namespace panta {

class Shape;

// Of the solid with density 1 kg/m3. In two dimensions: of a layer 1 m thick with the cross-section
// z = 0, which rotates about z only.
struct MassProperties {
  double volume = 0;  // m3
  Vec3d centre;       // of mass
  Mat3d inertia;      // kg m2, about the centre, along the axes of the shape's frame
};

// Error(usage) for solids that are not bounded or have no volume.
MassProperties mass_properties(const Shape& shape, bool flat = false);

// The solid's closed mesh with this number of cells along its longest side; if flat, of a thin
// layer around z = 0.
SurfaceMesh body_mesh(const Shape& shape, int cells_across, bool flat);

}  // namespace panta
