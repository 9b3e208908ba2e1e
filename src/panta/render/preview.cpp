#include "panta/render/preview.h"

#include <omp.h>

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
      camera_(options.camera
                  ? *options.camera
                  : frame_to_fit(stage_.extent, scene.dimensions, options.width, options.height)),
      outlines_(scene_outlines(scene, stage_.extent)),
      coloring_(options.color, extent.values(), material_names(scene)),
      legend_(options.legend),
      shadows_(scene.dimensions == 3),
      threads_(options.threads > 0 ? options.threads : omp_get_max_threads()) {}

Image Preview::render(const ParticleFrame& frame) const {
  const View view(camera_, samples);
  SurfaceBuffer buffer = rasterize_spheres(view, frame.position, stage_.particle_radius, threads_);
  add_solids(stage_, view, buffer, threads_);
  add_floor(stage_, view, buffer, threads_);
  const std::vector<float> lines =
      draw_lines(view, outlines_, buffer, line_pixels, stage_.particle_radius);
  std::optional<ShadowMap> shadows;
  if (shadows_) shadows = make_shadow_map(stage_, light_direction(view), frame.position, threads_);
  const std::vector<LinearColor> colors = coloring_.particle_colors(frame);
  const Shader shader(stage_, view, buffer, shadows ? &*shadows : nullptr, frame.position, colors);

  Image image(camera_.width, camera_.height);
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      LinearColor sum;
      for (int sample = 0; sample < samples * samples; ++sample) {
        const int sx = x * samples + sample % samples, sy = y * samples + sample / samples;
        const float line = line_opacity * lines[buffer.index(sx, sy)];
        sum += mix(shader.shade(sx, sy), line_paint, line);
      }
      const Rgb color = to_srgb(sum * (1.0f / (samples * samples)));
      std::copy(color.begin(), color.end(), image.at(x, y));
    }
  }
  if (legend_) coloring_.draw_legend(image);
  return image;
}

}  // namespace panta
