#include "panta/render/final/final_painter.h"

#include <omp.h>

#include <chrono>

#include "panta/render/final/path_tracer.h"
#include "panta/render/final/studio.h"
#include "panta/render/final/wetting.h"

namespace panta {

namespace {

constexpr float rod_radius = 8e-4f;  // of the extent's diagonal

class FinalPainter final : public Painter {
 public:
  FinalPainter(const Scene& scene, const RunExtent& extent, const FinalOptions& options)
      : options_(options),
        setup_(scene.camera),
        dimensions_(scene.dimensions),
        gap_(static_cast<float>(scene.spacing)),
        materials_(scene.materials),
        threads_(options.threads > 0 ? options.threads : omp_get_max_threads()),
        geometry_(scene, extent.bounds(), threads_, extent.bodies()),
        coloring_(extent, scene) {}

  Image paint(const ParticleFrame& frame) override {
    const auto start = std::chrono::steady_clock::now();
    const PathTracer tracer(scene_at(frame));
    const TracedPicture picture =
        tracer.render(lens_at(frame.time), {options_.samples, options_.target_error, threads_});
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (options_.report)
      options_.report({time.count(), picture.error, picture.mean_samples, picture.rays});
    return developed(picture);
  }

 private:
  Camera camera_at_time(double time) const {
    if (options_.camera) return *options_.camera;
    return camera_at(setup_, geometry_.stage().extent, dimensions_, options_.width, options_.height,
                     time);
  }

  Lens lens_at(double time) const {
    Lens lens{.camera = camera_at_time(time), .aperture = setup_.aperture};
    if (lens.camera.orthographic_height > 0) lens.aperture = 0;
    lens.focus = setup_.focus.value_or(lens.camera.target);
    return lens;
  }

  // Lights do not move when the camera turns.
  LitScene scene_at(const ParticleFrame& frame) const {
    const std::vector<LinearColor> colors = coloring_.particle_colors(frame);
    SceneGeometry geometry =
        geometry_.at(frame, options_.color_all ? colors : std::vector<LinearColor>{});
    const Stage& stage = geometry_.stage();
    LitScene scene;
    set_up_studio(scene, stage, camera_at_time(0));
    scene.solids = std::move(geometry.solids);
    scene.balls = std::move(geometry.balls);
    if (options_.surfaces)
      add_liquids(scene, frame);
    else
      scene.balls.push_back(liquid_balls(frame, colors));
    if (!geometry.lines.empty())
      scene.solids.push_back(rods(geometry.lines, rod_radius * stage.extent.diagonal()));
    return scene;
  }

  BallSet liquid_balls(const ParticleFrame& frame, const std::vector<LinearColor>& colors) const {
    BallSet balls{{}, geometry_.stage().particle_radius, {}};
    const FrameMatter matter(geometry_.free_matter(), frame);
    for (std::size_t k = 0; k < frame.size(); ++k) {
      if (matter.role(k) != ParticleRole::liquid) continue;
      balls.center.push_back(frame.position()[k]);
      balls.color.push_back(colors[k]);
      balls.size.push_back(matter.size(k));
    }
    return balls;
  }

  void add_liquids(LitScene& scene, const ParticleFrame& frame) const {
    const RayScene solids({.solids = scene.solids});
    for (const auto& [phase, mesh] : options_.surfaces(frame)) {
      if (mesh.empty()) continue;
      const Appearance look =
          liquid_appearance(materials_.at(phase), phase, geometry_.stage().extent);
      scene.liquids.push_back(
          {std::make_shared<const SurfaceMesh>(wetted(mesh, solids, scene.ground, gap_)),
           {},
           {},
           look});
    }
  }

  FinalOptions options_;
  CameraSetup setup_;
  int dimensions_;
  float gap_;  // m, gap between a liquid and a wall that are considered to touch
  std::vector<Material> materials_;
  int threads_;
  SceneGeometryMaker geometry_;
  Coloring coloring_;
};

}  // namespace

std::unique_ptr<Painter> make_final_painter(const Scene& scene, const RunExtent& extent,
                                            const FinalOptions& options) {
  return std::make_unique<FinalPainter>(scene, extent, options);
}

std::string final_painter_engine() { return "Embree " PANTA_EMBREE_VERSION; }

}  // namespace panta
