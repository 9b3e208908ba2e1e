// The cubes of a regular grid that a solid's surface may cross, found from its distance by
// subdividing larger cubes that the surface may reach. Used for quadrature over a solid and for
// candidate points on its surface.
#pragma once

#include <vector>

#include "panta/geometry/distance_function.h"

namespace panta {

struct SurfaceCells {
  float size = 0;            // edge of a cell
  double inside_volume = 0;  // volume inside the solid but in none of the cells
  std::vector<Vec3> centre;
  std::vector<float> distance;  // at the centres
};

// The distance must not grow faster than the true one, and is called from several threads; the
// result does not depend on their number. Error(usage) if the box contains too many cells.
SurfaceCells find_surface_cells(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                                float size);

// The solid's volume: a cell cut by the surface at the distance d of its centre counts with the
// fraction 1/2 - d / size, as for a slab.
double solid_volume(const SurfaceCells& cells);

}  // namespace panta
