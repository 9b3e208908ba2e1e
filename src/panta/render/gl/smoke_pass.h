// Smoke: sprites drawn from back to front on a coarser picture, each lit by the light that passes
// the smoke before it. The lamp's view stores this at four depths (a deep opacity map, after Yuksel
// and Keyser 2008).
#pragma once

#include "panta/render/gl/gl_frame.h"
#include "panta/render/gl/matter_pass.h"

namespace panta {

class SmokePass {
 public:
  SmokePass(const GlView& view, bool software);

  // Sorts the puffs and computes how much light passes them.
  void prepare(const SmokePuffs& smoke, const GlView& view, const LampView& lamp);

  // Draws over the picture.
  void draw(const MatterPass& matter, const GlView& view, const LampView& lamp,
            const LightPicture& light) const;

  // Total optical depth of the smoke towards the lamp: the last channel. Null without smoke.
  const GlTexture* shadow() const { return smoke_.position.empty() ? nullptr : &optical_; }

 private:
  void draw_lamp(const LampView& lamp) const;

  SmokePuffs smoke_;  // sorted from far to near
  GlVertices puffs_;
  float span_ = 1;  // m, extent along the light

  GlProgram first_program_, depth_program_, puff_program_;
  GlFullscreen overlay_program_;
  GlTexture first_, optical_, coarse_;
  GlTarget first_target_, optical_target_, coarse_target_;
};

}  // namespace panta
