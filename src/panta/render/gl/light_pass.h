// Light on opaque matter: shadow maps, ambient occlusion, and shading.
#pragma once

#include "panta/render/gl/liquid_points.h"
#include "panta/render/gl/matter_pass.h"

namespace panta {

class LightPass {
 public:
  LightPass(const GlView& view, bool software);

  // Draws all shadow casters from the lamp.
  void draw_shadows(const GlPicture& picture, const Stage& stage, const MatterPass& matter,
                    const LiquidPointsOnGpu& liquids, MeshStore& store);

  struct Shadows {
    bool cast;               // false: everything is lit
    const GlTexture* smoke;  // optical depth of smoke towards the lamp; null: none
  };
  void draw(const Stage& stage, const MatterPass& matter, const GlView& view,
            const Shadows& shadows, const LightPicture& light) const;

  const LampView& lamp() const { return lamp_; }

 private:
  void draw_clear_matter(const GlPicture& picture, const LiquidPointsOnGpu& liquids,
                         MeshStore& store) const;
  void draw_openness(const Stage& stage, const MatterPass& matter, const GlView& view) const;

  GlFullscreen openness_program_, blur_program_, light_program_;
  GlProgram clear_mesh_program_;
  GlTexture openness_, blurred_;
  GlTarget openness_target_, blurred_target_;
  GlTexture shadow_depth_, clear_matter_, clear_depth_;
  GlTarget shadow_target_, clear_target_;
  LampView lamp_;
};

}  // namespace panta
