// Who draws the pictures of a run, by the quality asked for.
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
  std::string color = ParticleQuantity::speed;  // of particles of liquids
  bool color_all = false;  // of grains too, which else have the colour of their material
  bool legend = false;
  int samples = 64;              // of a final picture, per pixel
  int threads = 0;               // 0: all cores
  LiquidSurfaces surfaces = {};  // for the style mesh and final pictures; absent: made
};

// `notice` is set where another quality than the one asked for is all there is.
std::unique_ptr<Painter> make_painter(const Scene& scene, const RunExtent& extent,
                                      const PictureOptions& options, std::string& notice);

}  // namespace panta
