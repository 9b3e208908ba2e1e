#include "panta/render/preview.h"

#include <omp.h>

#include "panta/render/glass.h"
#include "panta/render/shading.h"

namespace panta {

namespace {

constexpr int samples = 2;  // per pixel and axis
constexpr float line_pixels = 1.3f * samples;
constexpr float line_opacity = 0.72f;
constexpr LinearColor line_paint = {0.16f, 0.18f, 0.21f};

std::vector<std::string> material_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Material& material : scene.materials) names.push_back(material.name);
  return names;
}

}  // namespace

Preview::Preview(const Scene& scene, const RunExtent& extent, const PreviewOptions& options)
    : stage_(make_stage(scene, extent.bounds())),
      camera_(options.camera ? *options.camera
                             : frame_to_fit(stage_.extent, scene.dimensions, options.width,
                                            options.height, options.angles)),
      coloring_(options.color, extent.values(), material_names(scene)),
      legend_(options.legend),
      shadows_(scene.dimensions == 3),
      threads_(options.threads > 0 ? options.threads : omp_get_max_threads()) {
  if (scene.has_domain)
    domain_ = box_outline({to_float(scene.domain.min), to_float(scene.domain.max)});
}

std::vector<Segment> Preview::outlines(const Props& props) const {
  std::vector<Segment> all = domain_;
  for (const Prop& prop : props.outlined) {
    const std::vector<Segment> outline = shape_outline(prop.shape, stage_.extent);
    all.insert(all.end(), outline.begin(), outline.end());
  }
  return all;
}

Image Preview::render(const ParticleFrame& frame) const {
  const View view(camera_, samples);
  const Vec3 light = light_direction(view);
  const Props props = props_at(stage_, frame.time);
  SurfaceBuffer buffer = rasterize_spheres(view, frame.position, stage_.particle_radius, threads_);
  add_solids(props.solid, view, buffer, threads_);
  add_floor(stage_, view, buffer, threads_);
  const std::vector<float> lines =
      draw_lines(view, outlines(props), buffer, line_pixels, stage_.particle_radius);
  std::optional<ShadowMap> shadows;
  if (shadows_) shadows = make_shadow_map(stage_, props, light, frame.position, threads_);
  const std::vector<LinearColor> colors = coloring_.particle_colors(frame);
  const Shader shader(stage_, props, view, buffer, shadows ? &*shadows : nullptr, frame.position,
                      colors);
  const Glass glass(props.glass, view, light, threads_);

  Image image(camera_.width, camera_.height);
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      LinearColor sum;
      for (int sample = 0; sample < samples * samples; ++sample) {
        const int sx = x * samples + sample % samples, sy = y * samples + sample / samples;
        const std::size_t at = buffer.index(sx, sy);
        const LinearColor seen = glass.over(shader.shade(sx, sy), buffer.depth[at], sx, sy);
        sum += mix(seen, line_paint, line_opacity * lines[at]);
      }
      const Rgb color = to_srgb(sum * (1.0f / (samples * samples)));
      std::copy(color.begin(), color.end(), image.at(x, y));
    }
  }
  if (legend_) coloring_.draw_legend(image);
  return image;
}

}  // namespace panta
