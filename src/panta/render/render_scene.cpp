#include "panta/render/render_scene.h"

#include <numeric>

#include "panta/scene/sample_solids.h"

namespace panta {

ParticleFrame initial_frame(const Scene& scene) {
  SampledParticles particles = sample_scene(scene);
  const std::size_t count = particles.size();
  ParticleFrame frame;
  frame.resize(count);
  std::iota(frame.id().begin(), frame.id().end(), 0u);
  frame.position() = std::move(particles.position);
  frame.velocity() = std::move(particles.velocity);
  frame.phase() = std::move(particles.phase);
  std::vector<float>& density = frame.density();
  for (std::size_t i = 0; i < count; ++i)
    density[i] = static_cast<float>(scene.materials[frame.phase()[i]].density);
  frame.pressure();
  frame.normal();
  return frame;
}

Image render_scene(const Scene& scene, const PictureOptions& options, std::string& notice) {
  const ParticleFrame frame = initial_frame(scene);
  RunExtent extent(options.color);
  extent.include(frame);
  return make_painter(scene, extent, options, notice)->paint(frame);
}

}  // namespace panta
