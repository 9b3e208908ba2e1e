#include "panta/render/gl/gl_painter.h"

#include <omp.h>

#include <cmath>

#include "panta/core/error.h"
#include "panta/render/gl/gl_canvas.h"
#include "panta/render/gl/gl_context.h"
#include "panta/render/shading.h"

namespace panta {

namespace {

// In particle spacings.
constexpr float liquid_radius = 0.78f;
constexpr float drop_radius = 0.62f;  // of an isolated particle: a sphere of its volume
constexpr float disc_radius = 0.95f;

// Density relative to the rest density: isolated below the first value, inside liquid above the
// second.
constexpr float lone_density = 0.45f, common_density = 0.85f;

bool finite(const Vec3& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

// The drawn radius of a liquid particle, relative to that of a particle inside the liquid.
float liquid_size(float density, float rest) {
  constexpr float lone = drop_radius / liquid_radius;
  const float t =
      std::clamp((density / rest - lone_density) / (common_density - lone_density), 0.0f, 1.0f);
  return density > 0 ? lone + (1 - lone) * t : 1;
}

}  // namespace

class GlPainter::Studio {
 public:
  Studio(const Scene& scene, const RunExtent& extent, const GlOptions& options)
      : canvas_(options.width, options.height, options.samples),
        options_(options),
        geometry_(scene, extent.bounds(), threads(options), extent.bodies()),
        setup_(scene.camera),
        dimensions_(scene.dimensions),
        spacing_(static_cast<float>(scene.spacing)),
        materials_(scene.materials),
        coloring_(extent, scene) {
    if (options.style == GlStyle::mesh && !options.surfaces)
      throw Error(ErrorKind::usage, "the style mesh needs the surfaces of the liquids");
    for (std::uint32_t phase = 0; phase < materials_.size(); ++phase)
      looks_.push_back(liquid_appearance(materials_[phase], phase, geometry_.stage().extent));
  }

  Image paint(const ParticleFrame& frame) {
    GlPicture picture;
    picture.camera = camera(frame.time);
    picture.towards_light = light_direction(View(camera(0)));
    picture.geometry = geometry_.at(
        frame, options_.color_all ? coloring_.particle_colors(frame) : std::vector<LinearColor>{});
    if (options_.style == GlStyle::fluid)
      add_liquids(frame, picture);
    else if (options_.style == GlStyle::mesh)
      add_meshes(frame, picture);
    else
      add_spheres(frame, picture);
    Image image = canvas_.draw(picture, geometry_.stage());
    if (options_.legend) coloring_.draw_legend(image);
    return image;
  }

 private:
  static int threads(const GlOptions& options) {
    return options.threads > 0 ? options.threads : omp_get_max_threads();
  }

  Camera camera(double time) const {
    return camera_at(setup_, geometry_.stage().extent, dimensions_, options_.width, options_.height,
                     time);
  }

  void add_spheres(const ParticleFrame& frame, GlPicture& picture) const {
    const std::vector<LinearColor> colors = coloring_.particle_colors(frame);
    SpherePoints& spheres = picture.spheres;
    spheres.radius = geometry_.stage().particle_radius;
    spheres.disc_radius = disc_radius * spacing_;
    const std::vector<Vec3>& normal = frame.normal();
    const bool splats = options_.style == GlStyle::splats && !normal.empty();
    const FrameMatter matter(geometry_.free_matter(), frame);
    for (std::size_t k = 0; k < frame.size(); ++k) {
      if (matter.role(k) != ParticleRole::liquid || !finite(frame.position()[k])) continue;
      spheres.position.push_back(frame.position()[k]);
      spheres.color.push_back(colors[k]);
      spheres.size.push_back(matter.size(k));
      if (splats) spheres.normal.push_back(finite(normal[k]) ? normal[k] : Vec3{});
    }
  }

  void add_liquids(const ParticleFrame& frame, GlPicture& picture) const {
    std::vector<LiquidPoints> all(materials_.size());
    const std::vector<float>& density = frame.density();
    const FrameMatter matter(geometry_.free_matter(), frame);
    for (std::size_t k = 0; k < frame.size(); ++k) {
      const std::uint32_t phase = frame.phase()[k];
      if (phase >= all.size() || matter.role(k) != ParticleRole::liquid ||
          !finite(frame.position()[k]))
        continue;
      const auto at_rest = static_cast<float>(materials_[phase].density);
      all[phase].position.push_back(frame.position()[k]);
      all[phase].size.push_back(liquid_size(density.empty() ? at_rest : density[k], at_rest));
    }
    for (std::size_t phase = 0; phase < all.size(); ++phase) {
      if (all[phase].position.empty()) continue;
      all[phase].radius = liquid_radius * spacing_;
      all[phase].volume = spacing_ * spacing_ * spacing_;
      all[phase].appearance = looks_[phase];
      picture.liquids.push_back(std::move(all[phase]));
    }
  }

  void add_meshes(const ParticleFrame& frame, GlPicture& picture) const {
    for (auto& [phase, mesh] : options_.surfaces(frame))
      if (phase < looks_.size() && !mesh.empty())
        picture.liquid_meshes.push_back(
            {std::make_shared<const SurfaceMesh>(std::move(mesh)), {}, {}, looks_[phase]});
  }

  GlCanvas canvas_;
  GlOptions options_;
  SceneGeometryMaker geometry_;
  CameraSetup setup_;
  int dimensions_;
  float spacing_;
  std::vector<Material> materials_;
  std::vector<Appearance> looks_;
  Coloring coloring_;
};

bool opengl_available(std::string* problem) {
  try {
    const GlContext context;
    return true;
  } catch (const Error& error) {
    if (problem) *problem = error.what();
    return false;
  }
}

GlPainter::GlPainter(const Scene& scene, const RunExtent& extent, const GlOptions& options)
    : studio_(std::make_unique<Studio>(scene, extent, options)) {}

GlPainter::~GlPainter() = default;

Image GlPainter::paint(const ParticleFrame& frame) { return studio_->paint(frame); }

}  // namespace panta
