// The mean pressure on a patch of a wall: a sensor with an area.
//
// The patch is covered with sample points s at most half a spacing apart. At each of them the
// pressure of the particles is extrapolated to the surface by moving least squares:
//   p(x) = a + b . (x - s),   sum_j V_j W(r_j) (p(x_j) - p_j)^2 + ridge |spacing b|^2 = least,
//   W = (1 - (r/R)^2)^3,   R = 2.5 spacings,
// over the particles in front of the wall; p(s) = a. Linear pressures are reproduced exactly except
// for the ridge, which makes the slope unique if all particles lie in one layer and reduces the
// pressure by less than 1 %. The pressure at a point is multiplied by the wet fraction of the
// patch,
//   min(1, 8 sum V W / integral W),
// which is one in a filled corner of three walls, so that the mean over a patch, times its area, is
// the force on it.

#include <vector>

#include "panta/core/vec.h"

namespace panta {

struct WallPatch {
  Vec3d center, normal;  // normal: unit, into the fluid
  double radius = 0;     // of a disc; 0: the part of the plane inside a box
  Vec3d size;            // of that box, its centre is the patch's
  double spacing = 1;
  int dimensions = 3;
};

struct PressurePoint {
  Vec3d x;
  double pressure = 0, volume = 0;  // volume at rest
};

// Particles that are too far away or behind the wall are ignored.
double mean_pressure(const WallPatch& patch, const std::vector<PressurePoint>& particles);

}  // namespace panta
