// Quick pictures of particles on the CPU: shaded spheres, bodies as solid matter, glass or outline,
// soft shadows, a floor. The same picture for any number of threads.
//
//   RunExtent extent(ColorBy::speed);
//   for (each frame) extent.include(frame);
//   Preview preview(scene, extent, {});
//   Image image = preview.render(frame);
#pragma once

#include <optional>

#include "panta/render/coloring.h"
#include "panta/render/outline.h"
#include "panta/render/stage.h"

namespace panta {

struct PreviewOptions {
  int width = 960, height = 540;
  ColorBy color = ColorBy::speed;
  bool legend = false;
  int threads = 0;  // 0: all cores
  ViewAngles angles = {};
  // Unless set, the whole run is framed from `angles`; its size wins over the above.
  std::optional<Camera> camera = {};
};

class Preview {
 public:
  Preview(const Scene& scene, const RunExtent& extent, const PreviewOptions& options);

  Image render(const ParticleFrame& frame) const;
  const Camera& camera() const { return camera_; }

 private:
  std::vector<Segment> outlines(const Props& props) const;

  Stage stage_;
  Camera camera_;
  std::vector<Segment> domain_;
  Coloring coloring_;
  bool legend_;
  bool shadows_;
  int threads_;
};

}  // namespace panta
