// Transparent bodies, blended over a finished picture: each crossing of a surface absorbs some of
// the light from behind and adds a reflection, strongest at grazing angles.
#pragma once

#include <vector>

#include "panta/render/color.h"
#include "panta/render/sphere_raster.h"
#include "panta/render/trace.h"

namespace panta {

class Glass {
 public:
  Glass(const std::vector<DrawnBody>& bodies, const View& view, const Vec3& towards_light,
        int threads);

  // The colour through the glass at a pixel with `color` at `depth`.
  LinearColor over(const LinearColor& color, float depth, int x, int y) const;

 private:
  struct Crossing {
    float depth;
    const Shape* shape;
  };
  LinearColor over(const LinearColor& color, const Crossing& crossing, const View::Ray& ray) const;

  const View& view_;
  Vec3 light_;
  std::vector<TracedSolid> bodies_;
};

}  // namespace panta
