// Pictures of a run in final quality by path tracing (path_tracer.h): solids, grains, liquids as
// clear or opaque surfaces, or their particles as balls. Needs a build with Embree.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "panta/render/coloring.h"
#include "panta/render/painter.h"
#include "panta/render/picture_options.h"
#include "panta/scene/scene.h"

namespace panta {

// Statistics of a picture.
struct FinalReport {
  double seconds = 0;
  double error = 0;         // relative, of a pixel's luminance, estimated
  double mean_samples = 0;  // paths per pixel
  std::uint64_t rays = 0;
};

struct FinalOptions {
  int width = 960, height = 540;
  int samples = 64;                   // paths per pixel
  float target_error = 0;             // tiles below this error end early; 0: never
  int threads = 0;                    // 0: all cores
  LiquidSurfaces surfaces = {};       // empty: particles of liquids are drawn as balls
  bool color_all = false;             // colours grains too, not by their material
  std::optional<Camera> camera = {};  // replaces the scene's; its size has priority
  std::function<void(const FinalReport&)> report = {};  // called after every picture
};

// Error(usage) in a build without Embree.
std::unique_ptr<Painter> make_final_painter(const Scene& scene, const RunExtent& extent,
                                            const FinalOptions& options);

// Name and version of the ray tracing library; empty if the build has none.
std::string final_painter_engine();

}  // namespace panta
