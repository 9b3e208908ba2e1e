// The particles of liquids on the GPU, and what is drawn of them for the camera and for the lamp.
#pragma once

#include "panta/render/gl/gl_frame.h"

namespace panta {

class LiquidPointsOnGpu {
 public:
  LiquidPointsOnGpu();

  void prepare(const std::vector<LiquidPoints>& liquids);

  // The nearest depth of a liquid, into a texture cleared to far away.
  void draw_depth(std::size_t k, const GlView& view) const;

  // Its thickness is added to the first texture in use, `share` per metre; the second keeps the
  // nearest depth. `solids` (may be null) hide what is behind them.
  void draw_thickness(std::size_t k, const GlView& view, const Vec4& share,
                      const GlTexture* solids) const;

 private:
  struct Cloud {
    GlVertices seen, whole;  // particles that can be seen; these and the rest, gathered
    float radius, volume;
  };
  GlProgram depth_program_, thickness_program_;
  std::vector<Cloud> clouds_;
};

}  // namespace panta
