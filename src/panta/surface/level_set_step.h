// One step of a front through the lattice points of a tile, all lengths in cells.
//
// Near the front phi follows the level set equation. A point's speed is that of the front beside
// it: F is taken at the nearest place of the front, x - phi grad phi / |grad phi|, and so is the
// curvature, so that phi stays a distance while the front moves and is one when it rests. |grad
// phi| is Godunov's upwind choice; curvature is from central differences. Farther away, and where
// phi is no distance (yet), it is rebuilt from points nearer to the front as the distance that fits
// to theirs (the eikonal equation, upwind), as the layers of a sparse field are (Whitaker 1998).
//
// All points read the step before and write the next, so that their order does not matter.
//
// The front comes to rest faster with some of its last motion kept (Polyak's heavy ball).
// Deviations from rest that are wide die at the rate `slope`, the narrowest at 8 mu + slope; step
// and momentum are the best ones between these two. They may keep a drop of a few cells swinging,
// which a careful pace without momentum brings to rest.
#pragma once

#include <vector>

#include "panta/core/pack.h"
#include "panta/surface/level_set_tiles.h"

namespace panta {

inline constexpr float band_width = 4;  // |phi| at most

struct FrontMotion {
  float threshold, deep;  // F where no particle is felt, and deep in the liquid
  float slope;            // growth of F inwards
  float mu;

  // Where no particle is felt is outside, where many are is inside, whatever the front does.
  float bounded(float phi, float force) const;
};

struct FrontPace {
  float time_step, momentum;
};
FrontPace swift_pace(const FrontMotion& motion);
FrontPace careful_pace(const FrontMotion& motion);

class FrontStepper {
 public:
  FrontStepper(const FrontTiles& tiles, const FrontMotion& motion);

  // Replaces the block's values before last by the next ones; returns how far the front in it is
  // from its place, about.
  float step(std::size_t block, const FrontPace& pace, const std::vector<float>& force,
             const std::vector<float>& phi, std::vector<float>& before);

 private:
  const float* point(int x, int y, int z) const;
  LaneMask far_points(int x, int y, int z) const;
  float moved(int x, int y, int z, float before);
  float speed_beside(const float* at, const Vec3& place, float phi) const;
  float force_near(const Vec3& place) const;

  const FrontTiles& tiles_;
  FrontMotion motion_;
  int phi_row_, force_row_;
  std::vector<float> phi_, force_;  // with points around the tile; phi_ with a pack to spare
  FrontPace pace_{};
  float way_ = 0;
};

}  // namespace panta
