// Pictures of a run in final quality: solids, grains, liquids as clear or opaque surfaces, or their
// particles as balls, by following light (path_tracer.h). Needs a build with Embree.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "panta/render/coloring.h"
#include "panta/render/painter.h"
#include "panta/scene/scene.h"

namespace panta {

// How a picture went.
struct FinalReport {
  double seconds = 0;
  double error = 0;         // relative, of a pixel's luminance, estimated
  double mean_samples = 0;  // paths per pixel
  std::uint64_t rays = 0;
};

struct FinalOptions {
  int width = 960, height = 540;
  int samples = 64;        // paths per pixel
  float target_error = 0;  // parts of the picture that are this accurate end early; 0: none does
  int threads = 0;         // 0: all cores
  LiquidSurfaces surfaces = {};       // none: particles of liquids are drawn as balls
  bool color_all = false;             // grains too, not by their material
  std::optional<Camera> camera = {};  // instead of the scene's; its size wins
  std::function<void(const FinalReport&)> report = {};  // called after every picture
};

// Error(usage) in a build without Embree.
std::unique_ptr<Painter> make_final_painter(const Scene& scene, const RunExtent& extent,
                                            const FinalOptions& options);

// What follows the light, with its version; empty if this build cannot.
std::string final_painter_engine();

}  // namespace panta
