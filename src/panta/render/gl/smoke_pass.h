// Smoke: sprites drawn from back to front on a coarser picture, each lit by what the smoke before
// it lets through. How much that is, the lamp's view tells at four depths (a deep opacity map,
// after Yuksel and Keyser 2008).
#pragma once

#include "panta/render/gl/gl_frame.h"
#include "panta/render/gl/matter_pass.h"

namespace panta {

class SmokePass {
 public:
  SmokePass(const GlView& view, bool software);

  // Sorts the puffs and finds how much light goes through them.
  void prepare(const SmokePuffs& smoke, const GlView& view, const LampView& lamp);

  // Over the picture.
  void draw(const MatterPass& matter, const GlView& view, const LampView& lamp,
            const LightPicture& light) const;

  // What the smoke takes from the lamp's light in the end: the last channel. Null without smoke.
  const GlTexture* shadow() const { return smoke_.position.empty() ? nullptr : &optical_; }

 private:
  void draw_lamp(const LampView& lamp) const;

  SmokePuffs smoke_;  // the farthest first
  GlVertices puffs_;
  float span_ = 1;  // m, how far it reaches along the light

  GlProgram first_program_, depth_program_, puff_program_;
  GlFullscreen overlay_program_;
  GlTexture first_, optical_, coarse_;
  GlTarget first_target_, optical_target_, coarse_target_;
};

}  // namespace panta
