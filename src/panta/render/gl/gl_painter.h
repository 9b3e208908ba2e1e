// Pictures of particle frames with OpenGL: liquids as a smooth surface, or their particles as
// spheres or discs; free solids and grains as opaque matter.
#pragma once

#include <memory>
#include <string>

#include "panta/render/coloring.h"
#include "panta/render/painter.h"
#include "panta/render/picture_options.h"
#include "panta/scene/scene.h"

namespace panta {

struct GlOptions {
  int width = 960, height = 540;
  GlStyle style = GlStyle::fluid;
  bool color_all = false;  // colours grains too, which else have the colour of their material
  bool legend = false;
  int samples = 0;               // per pixel and axis; 0: automatic
  int threads = 0;               // for the meshes of bodies; 0: all cores
  LiquidSurfaces surfaces = {};  // for the style mesh
};

// Whether OpenGL is available; if not, `problem` gives the reason.
bool opengl_available(std::string* problem = nullptr);

// Uses the scene's camera. Error(device) if there is no OpenGL.
class GlPainter : public Painter {
 public:
  GlPainter(const Scene& scene, const RunExtent& extent, const GlOptions& options);
  ~GlPainter() override;

  Image paint(const ParticleFrame& frame) override;

 private:
  class Studio;
  std::unique_ptr<Studio> studio_;
};

}  // namespace panta
