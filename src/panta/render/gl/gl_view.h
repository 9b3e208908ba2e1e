// A camera in the form of shaders/common.glsl.
#pragma once

#include "panta/render/camera.h"
#include "panta/render/gl/gl_objects.h"

namespace panta {

inline constexpr float empty_depth = 1e30f;  // far_away in the shaders

struct PixelBox {
  int x = 0, y = 0, width = 0, height = 0;
};

struct GlView {
  Vec3 eye, right, up, forward;
  float focal_x = 1, focal_y = 1;  // half pictures per unit at depth 1; if parallel, at all depths
  float nearest = 1;
  bool parallel = false;
  int width = 0, height = 0;

  // The camera's picture with `margin` additional pixels on each side, `samples` per pixel and
  // axis.
  GlView(const Camera& camera, int margin, int samples);

  // The same view with another number of pixels.
  GlView sized(int new_width, int new_height) const;

  void set(const GlProgram& program) const;

  // The pixels that may show the box enlarged by `around` metres.
  PixelBox pixels_of(const Bounds& box, float around) const;
};

}  // namespace panta
