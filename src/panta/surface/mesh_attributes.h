// Transfers particle attributes to the vertices of a surface mesh: the mean over the particles
// within a radius R, weighted with (1 - r^2 / R^2)^3; if there are none, the nearest particle's
// value.
#pragma once

#include <span>

#include "panta/geometry/surface_mesh.h"

namespace panta {

// `velocities` and `values` belong to the particles at `positions`; an empty one is skipped. The
// result does not depend on the number of threads (0: all cores). Error(usage) for inconsistent
// sizes and a radius that is not positive.
void interpolate_attributes(SurfaceMesh& mesh, std::span<const Vec3> positions,
                            std::span<const Vec3> velocities, std::span<const float> values,
                            float radius, int threads = 0);

}  // namespace panta
