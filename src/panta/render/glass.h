// Transparent bodies, laid over a finished picture: each crossing of a surface takes a little of
// the light from behind and adds its own sheen, most where it is seen at a grazing angle.
#pragma once

#include <vector>

#include "panta/render/color.h"
#include "panta/render/sphere_raster.h"
#include "panta/render/trace.h"

namespace panta {

class Glass {
 public:
  Glass(const std::vector<Prop>& bodies, const View& view, const Vec3& towards_light, int threads);

  // What is seen through the glass at a pixel where `color` lies at `depth`.
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
