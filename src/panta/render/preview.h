// Quick pictures of particles on the CPU: shaded spheres; bodies opaque, as glass or as outline;
// soft shadows; a floor. The picture does not depend on the number of threads.
//
//   RunExtent extent("speed");
//   for (each frame) extent.include(frame);
//   Preview preview(scene, extent, {});
//   Image image = preview.render(frame);
#pragma once

#include <optional>

#include "panta/render/coloring.h"
#include "panta/render/outline.h"
#include "panta/render/painter.h"
#include "panta/render/shading.h"
#include "panta/render/stage.h"

namespace panta {

struct PreviewOptions {
  int width = 960, height = 540;
  bool color_all = false;  // colours grains by their values too, not by their material
  bool legend = false;
  int threads = 0;                    // 0: all cores
  std::optional<Camera> camera = {};  // replaces the scene's; its size has priority over the above
};

class Preview : public Painter {
 public:
  Preview(const Scene& scene, const RunExtent& extent, const PreviewOptions& options);

  Image render(const ParticleFrame& frame) const;
  Image paint(const ParticleFrame& frame) override { return render(frame); }

 private:
  std::vector<Segment> outlines(const DrawnBodies& drawn_bodies) const;
  DrawnParticles drawn(const ParticleFrame& frame) const;
  Camera camera(double time) const;

  Stage stage_;
  FreeMatter free_;
  PreviewOptions options_;
  CameraSetup setup_;
  int dimensions_;
  std::vector<Segment> domain_;
  Coloring coloring_;
  int threads_;
};

}  // namespace panta
