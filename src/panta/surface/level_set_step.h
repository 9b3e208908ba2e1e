// One step of a front on the lattice points of a tile, all lengths in cells.
//
// Near the front phi follows the level set equation. The speed of a point is that of the nearest
// point of the front: F and the curvature are taken at x - phi grad phi / |grad phi|, so that phi
// remains a distance while the front moves. |grad phi| uses Godunov's upwind scheme, curvature
// central differences. Farther away, and where phi is not a distance (yet), it is computed from
// points nearer to the front by the eikonal equation (upwind), as in the layers of a sparse field
// (Whitaker 1998).
//
// All points read the previous step and write the next, so that their order does not matter.
//
// Momentum (Polyak's heavy ball) makes the front come to rest faster. Wide deviations from rest
// decay at the rate `slope`, the narrowest at 8 mu + slope; step and momentum are the optimal ones
// between these two. They may make a drop of a few cells oscillate, which a slow pace without
// momentum brings to rest.
#pragma once

#include <vector>

#include "panta/core/pack.h"
#include "panta/surface/level_set_tiles.h"

namespace panta {

inline constexpr float band_width = 4;  // |phi| at most

struct FrontMotion {
  float threshold, deep;  // F outside the range of all particles, and deep in the liquid
  float slope;            // derivative of F inwards
  float mu;

  // Points outside the range of all particles are outside, points in dense liquid are inside,
  // independently of the front.
  float bounded(float phi, float force) const;
};

struct FrontPace {
  float time_step, momentum;
};
FrontPace fast_pace(const FrontMotion& motion);
FrontPace slow_pace(const FrontMotion& motion);

class FrontStepper {
 public:
  FrontStepper(const FrontTiles& tiles, const FrontMotion& motion);

  // Replaces the block's values before last by the next ones; returns the approximate distance of
  // its front from rest.
  float step(std::size_t block, const FrontPace& pace, const std::vector<float>& force,
             const std::vector<float>& phi, std::vector<float>& before);

 private:
  const float* point(int x, int y, int z) const;
  LaneMask far_points(int x, int y, int z) const;
  float moved(int x, int y, int z, float before);
  float speed_near(const float* at, const Vec3& place, float phi) const;
  float force_near(const Vec3& place) const;

  const FrontTiles& tiles_;
  FrontMotion motion_;
  int phi_row_, force_row_;
  std::vector<float> phi_, force_;  // with points around the tile; phi_ with an extra pack
  FrontPace pace_{};
  float way_ = 0;
};

}  // namespace panta
