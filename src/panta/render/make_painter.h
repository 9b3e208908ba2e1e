// Creates the renderer for the quality that was requested.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "panta/render/gl/gl_painter.h"
#include "panta/render/painter.h"
#include "panta/scene/scene.h"

namespace panta {

struct PictureOptions {
  Quality quality = Quality::preview;
  GlStyle style = GlStyle::fluid;  // of a preview
  int width = 960, height = 540;
  std::string color = ParticleQuantity::speed;  // quantity that colours particles of liquids
  bool color_all = false;  // colours grains too, which else have the colour of their material
  bool legend = false;
  int samples = 64;              // per pixel, final quality only
  int threads = 0;               // 0: all cores
  LiquidSurfaces surfaces = {};  // for the style mesh and final pictures; default: built per frame
};

// `notice` is set if the requested quality is not available and another one is used.
std::unique_ptr<Painter> make_painter(const Scene& scene, const RunExtent& extent,
                                      const PictureOptions& options, std::string& notice);

}  // namespace panta
