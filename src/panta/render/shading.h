// Shading of one picture: a key light with soft shadows, sky light with ambient occlusion, specular
// highlights on liquid particles and fine lines on the floor.
#pragma once

#include <vector>

#include "panta/frame/particle_frame.h"
#include "panta/render/color.h"
#include "panta/render/stage.h"

namespace panta {

// Particles to draw, as spheres.
struct DrawnParticles {
  std::vector<Vec3> position;
  std::vector<float> radius;  // m, 0: not drawn
  std::vector<LinearColor> color;
  std::vector<bool> matte;  // grains are shaded singly, others as one glossy surface
};

// Depth maps seen from the light; glass has its own map, because its shadow is faint.
struct ShadowMap {
  View view;
  SurfaceBuffer buffer, glass;
};

ShadowMap make_shadow_map(const Stage& stage, const DrawnBodies& drawn_bodies,
                          const Vec3& towards_light, const DrawnParticles& particles, int threads);

// Direction towards the light for a camera: above its left shoulder.
Vec3 light_direction(const View& view);

class Shader {
 public:
  Shader(const Stage& stage, const DrawnBodies& drawn_bodies, const View& view,
         const SurfaceBuffer& buffer, const ShadowMap* shadows, const DrawnParticles& particles);

  LinearColor shade(int x, int y) const;

 private:
  struct Hit {
    Vec3 point, normal, towards_eye;
    float depth;
    float reach;  // m, radius of ambient occlusion around it
    int x, y;
  };
  LinearColor background(int y) const;
  struct Surroundings {
    float open;   // 0 to 1
    Vec3 facing;  // unit
  };
  LinearColor shade_matter(const Hit& hit, const LinearColor& albedo) const;
  LinearColor shade_particle(Hit hit, std::size_t particle) const;
  LinearColor lit_matte(const Hit& hit, const LinearColor& albedo, float open, float light) const;
  LinearColor shade_floor(const Hit& hit) const;
  Surroundings sample_surroundings(const Hit& hit) const;
  float lift(const Hit& hit) const;
  float lit(const Hit& hit, float lift) const;

  const Stage& stage_;
  const DrawnBodies& bodies_;
  const View& view_;
  const SurfaceBuffer& buffer_;
  const ShadowMap* shadows_;  // null in 2-D
  const DrawnParticles& particles_;
  Vec3 light_;
};

}  // namespace panta
