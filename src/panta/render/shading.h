// Light and shade for one picture: a key light with soft shadows, sky light dimmed by what stands
// near, a gloss on the particles and fine lines on the floor.
#pragma once

#include <vector>

#include "panta/render/color.h"
#include "panta/render/stage.h"
#include "panta/sim/simulation.h"

namespace panta {

// The nearest surfaces as the light sees them; glass apart, its shadow is faint.
struct ShadowMap {
  View view;
  SurfaceBuffer buffer, glass;
};

ShadowMap make_shadow_map(const Stage& stage, const Props& props, const Vec3& towards_light,
                          const std::vector<Vec3>& positions, int threads);

// Where the light comes from for a camera: over its left shoulder.
Vec3 light_direction(const View& view);

class Shader {
 public:
  Shader(const Stage& stage, const Props& props, const View& view, const SurfaceBuffer& buffer,
         const ShadowMap* shadows, const std::vector<Vec3>& positions,
         const std::vector<LinearColor>& colors);

  LinearColor shade(int x, int y) const;

 private:
  struct Hit {
    Vec3 point, normal, towards_eye;
    float depth;
    float reach;  // m, how far around it surfaces dim its sky
    int x, y;
  };
  LinearColor background(int y) const;
  struct Surroundings {
    float open;   // 0 to 1
    Vec3 facing;  // unit
  };
  LinearColor shade_matter(Hit hit, const LinearColor& albedo, float gloss) const;
  LinearColor shade_floor(const Hit& hit) const;
  Surroundings look_around(const Hit& hit) const;
  float lift(const Hit& hit) const;
  float lit(const Hit& hit, float lift) const;

  const Stage& stage_;
  const Props& props_;
  const View& view_;
  const SurfaceBuffer& buffer_;
  const ShadowMap* shadows_;  // none in 2-D
  const std::vector<Vec3>& positions_;
  const std::vector<LinearColor>& colors_;
  Vec3 light_;
};

}  // namespace panta
