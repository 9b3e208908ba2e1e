// The particles of liquids on the GPU, drawn for the camera and for the lamp.
#pragma once

#include "panta/render/gl/gl_frame.h"

namespace panta {

class LiquidPointsOnGpu {
 public:
  LiquidPointsOnGpu();

  void prepare(const std::vector<LiquidPoints>& liquids);

  // Draws the nearest depth of a liquid into a texture cleared to far_away.
  void draw_depth(std::size_t k, const GlView& view) const;

  // Adds its thickness to the first texture of the target, `share` per metre; the second texture
  // gets the nearest depth. `solids` (may be null) hide the liquid behind them.
  void draw_thickness(std::size_t k, const GlView& view, const Vec4& share,
                      const GlTexture* solids) const;

 private:
  struct Cloud {
    GlVertices seen, whole;  // visible particles; visible ones plus the gathered rest
    float radius, volume;
  };
  GlProgram depth_program_, thickness_program_;
  std::vector<Cloud> clouds_;
};

}  // namespace panta
