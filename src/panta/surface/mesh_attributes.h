// What particles carry, brought to the vertices of a surface mesh: the mean over the particles
// within a radius R, weighted with (1 - r^2 / R^2)^3; the nearest particle's where none is that
// near.
#pragma once

#include <span>

#include "panta/geometry/surface_mesh.h"

namespace panta {

// `velocities` and `values` are of the particles at `positions`; either may be empty and is then
// not brought over. The result does not depend on the number of threads (0: all cores).
// Error(usage) for numbers that do not fit and a radius that is not positive.
void interpolate_attributes(SurfaceMesh& mesh, std::span<const Vec3> positions,
                            std::span<const Vec3> velocities, std::span<const float> values,
                            float radius, int threads = 0);

}  // namespace panta
