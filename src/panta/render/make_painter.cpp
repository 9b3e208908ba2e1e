#include "panta/render/make_painter.h"

#include "panta/render/final/final_painter.h"
#include "panta/render/gl/gl_painter.h"
#include "panta/render/preview.h"
#include "panta/surface/run_surfaces.h"

namespace panta {

namespace {

// Builds the surfaces from the particles of each frame, with the scene's mesh settings.
class FrameSurfaces {
 public:
  FrameSurfaces(const Scene& scene, int threads)
      : scene_(scene), surfaces_(scene_, chosen(scene, threads)) {}

  std::vector<std::pair<std::uint32_t, SurfaceMesh>> make(const ParticleFrame& frame) {
    std::vector<std::pair<std::uint32_t, SurfaceMesh>> meshes;
    for (LiquidSurface& liquid : surfaces_.make(frame))
      meshes.emplace_back(liquid.phase, std::move(liquid.mesh));
    return meshes;
  }

 private:
  static RunSurfaceOptions chosen(const Scene& scene, int threads) {
    RunSurfaceOptions options = wanted_surface(scene);
    options.surface.threads = threads;
    return options;
  }

  Scene scene_;
  RunSurfaces surfaces_;
};

LiquidSurfaces surfaces_for(const Scene& scene, const PictureOptions& options) {
  if (options.surfaces) return options.surfaces;
  const auto made = std::make_shared<FrameSurfaces>(scene, options.threads);
  return [made](const ParticleFrame& frame) { return made->make(frame); };
}

std::unique_ptr<Painter> make_draft(const Scene& scene, const RunExtent& extent,
                                    const PictureOptions& options) {
  PreviewOptions draft;
  draft.width = options.width;
  draft.height = options.height;
  draft.color_all = options.color_all;
  draft.legend = options.legend;
  draft.threads = options.threads;
  return std::make_unique<Preview>(scene, extent, draft);
}

std::unique_ptr<Painter> make_preview(const Scene& scene, const RunExtent& extent,
                                      const PictureOptions& options) {
  GlOptions preview;
  preview.width = options.width;
  preview.height = options.height;
  preview.style = options.style;
  preview.color_all = options.color_all;
  preview.legend = options.legend;
  preview.threads = options.threads;
  if (options.style == GlStyle::mesh) preview.surfaces = surfaces_for(scene, options);
  return std::make_unique<GlPainter>(scene, extent, preview);
}

std::unique_ptr<Painter> make_final(const Scene& scene, const RunExtent& extent,
                                    const PictureOptions& options) {
  FinalOptions final_options;
  final_options.width = options.width;
  final_options.height = options.height;
  final_options.samples = options.samples;
  final_options.threads = options.threads;
  if (scene.dimensions == 3) final_options.surfaces = surfaces_for(scene, options);
  final_options.color_all = options.color_all;
  return make_final_painter(scene, extent, final_options);
}

}  // namespace

std::unique_ptr<Painter> make_painter(const Scene& scene, const RunExtent& extent,
                                      const PictureOptions& options, std::string& notice) {
  if (options.quality == Quality::final) return make_final(scene, extent, options);
  if (options.quality == Quality::draft || scene.dimensions == 2)
    return make_draft(scene, extent, options);
  std::string problem;
  if (opengl_available(&problem)) return make_preview(scene, extent, options);
  notice = problem + "; these pictures are drafts";
  return make_draft(scene, extent, options);
}

}  // namespace panta
