// The cubes of a regular grid through which a solid's surface may pass, found from its distance by
// halving larger cubes that the surface can reach. What quadrature over a solid and candidates for
// points on its surface start from.
#pragma once

#include <vector>

#include "panta/geometry/distance.h"

namespace panta {

struct SurfaceCells {
  float size = 0;            // edge of a cell
  double inside_volume = 0;  // of what lies inside the solid and in none of the cells
  std::vector<Vec3> centre;
  std::vector<float> distance;  // at the centres
};

// The distance must not grow faster than the true one, and is called from several threads; the
// result does not depend on their number. Error(usage) where the box holds too many cells.
SurfaceCells find_surface_cells(const DistanceFunction& distance, const Vec3& min, const Vec3& max,
                                float size);

// The solid's volume: a cell cut by the surface at the distance d of its centre counts with the
// share 1/2 - d / size, as a slab would.
double solid_volume(const SurfaceCells& cells);

}  // namespace panta
