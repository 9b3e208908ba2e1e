#include "panta/render/preview.h"

#include <omp.h>

#include "panta/render/glass.h"
#include "panta/render/scene_geometry.h"

namespace panta {

namespace {

constexpr int samples = 2;  // per pixel and axis
constexpr int few_copies = 4;
constexpr float line_pixels = 1.3f * samples;
constexpr float line_opacity = 0.72f;
constexpr LinearColor line_paint = {0.16f, 0.18f, 0.21f};

}  // namespace

Preview::Preview(const Scene& scene, const RunExtent& extent, const PreviewOptions& options)
    : stage_(make_stage(scene, extent.bounds(), extent.bodies())),
      free_(scene),
      options_(options),
      setup_(scene.camera),
      dimensions_(scene.dimensions),
      coloring_(extent, scene),
      threads_(options.threads > 0 ? options.threads : omp_get_max_threads()) {
  domain_ = domain_outline(scene);
  for (std::size_t k = 0; k < scene.solids.size(); ++k) {
    const std::array<int, 3>& copies = scene.solids[k].copies;
    DrawnBody& drawn = stage_.free_solids[k].drawn;
    if (copies[0] * copies[1] * copies[2] > few_copies)
      drawn.shape = prepared_for_tracing(drawn.shape);
  }
}

std::vector<Segment> Preview::outlines(const DrawnBodies& drawn_bodies) const {
  std::vector<Segment> all = domain_;
  for (const DrawnBody& body : drawn_bodies.outlined) {
    const std::vector<Segment> outline = shape_outline(body.shape, stage_.extent);
    all.insert(all.end(), outline.begin(), outline.end());
  }
  return all;
}

DrawnParticles Preview::drawn(const ParticleFrame& frame) const {
  DrawnParticles out{frame.position(), std::vector<float>(frame.size(), stage_.particle_radius),
                     coloring_.particle_colors(frame), std::vector<bool>(frame.size())};
  const FrameMatter matter(free_, frame);
  for (std::size_t k = 0; k < frame.size(); ++k) {
    const ParticleRole role = matter.role(k);
    out.radius[k] *= matter.size(k);
    if (role == ParticleRole::liquid) continue;
    out.matte[k] = true;
    out.radius[k] = role == ParticleRole::unseen ? 0 : free_.radius(role) * matter.size(k);
    if (!options_.color_all) out.color[k] = matter.color(k);
  }
  return out;
}

Camera Preview::camera(double time) const {
  if (options_.camera) return *options_.camera;
  return camera_at(setup_, stage_.extent, dimensions_, options_.width, options_.height, time);
}

Image Preview::render(const ParticleFrame& frame) const {
  const Camera camera = this->camera(frame.time);
  const View view(camera, samples);
  const Vec3 light = light_direction(view);
  DrawnBodies drawn_bodies = drawn_bodies_at(stage_, frame.time, frame.bodies);
  add_free_solids(stage_, free_.solids(frame), drawn_bodies);
  const DrawnParticles particles = drawn(frame);
  SurfaceBuffer buffer = rasterize_spheres(view, particles.position, particles.radius, threads_);
  add_solids(drawn_bodies.solid, view, buffer, threads_);
  add_floor(stage_, view, buffer, threads_);
  const std::vector<float> lines =
      draw_lines(view, outlines(drawn_bodies), buffer, line_pixels, stage_.particle_radius);
  std::optional<ShadowMap> shadows;
  if (dimensions_ == 3) shadows = make_shadow_map(stage_, drawn_bodies, light, particles, threads_);
  const Shader shader(stage_, drawn_bodies, view, buffer, shadows ? &*shadows : nullptr, particles);
  const Glass glass(drawn_bodies.glass, view, light, threads_);

  Image image(camera.width, camera.height);
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
  if (options_.legend) coloring_.draw_legend(image);
  return image;
}

}  // namespace panta
