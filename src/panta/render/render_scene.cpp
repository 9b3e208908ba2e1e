#include "panta/render/render_scene.h"

#include <numeric>

#include "panta/scene/sample_solids.h"

namespace panta {

ParticleFrame initial_frame(const Scene& scene) {
  ParticleSet particles = sample_scene(scene);
  const std::size_t count = particles.size();
  ParticleFrame frame;
  frame.id.resize(count);
  std::iota(frame.id.begin(), frame.id.end(), 0u);
  frame.position = std::move(particles.position);
  frame.velocity = std::move(particles.velocity);
  frame.phase = std::move(particles.phase);
  for (const std::uint32_t phase : frame.phase)
    frame.density.push_back(static_cast<float>(scene.materials[phase].density));
  frame.pressure.assign(count, 0);
  frame.normal.assign(count, {});
  return frame;
}

Image render_scene(const Scene& scene, const PictureOptions& options, std::string& notice) {
  const ParticleFrame frame = initial_frame(scene);
  RunExtent extent(options.color);
  extent.include(frame);
  return make_painter(scene, extent, options, notice)->paint(frame);
}

}  // namespace panta
