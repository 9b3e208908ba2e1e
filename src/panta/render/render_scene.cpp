#include "panta/render/render_scene.h"

#include <numeric>

#include "panta/geometry/rigid_fit.h"
#include "panta/particles/standard_columns.h"
#include "panta/scene/sample_solids.h"
#include "panta/solver/object_table.h"

namespace panta {

namespace {

std::vector<Object> initial_objects(const Scene& scene, const SolidParticles& solids) {
  std::vector<Object> objects = make_objects(scene, solids);
  auto body = solids.bodies.begin();
  for (Object& object : objects)
    if (object.kind == ObjectKind::solid) {
      object.pose = BodyPose{.position = to_double(body->pose.position),
                             .rotation = to_quat(turn_of(body->pose.rotation))};
      ++body;
    }
  return objects;
}

}  // namespace

ParticleFrame initial_frame(const Scene& scene) {
  const SolidParticles solids = sample_solids(scene);
  SampledParticles particles = sample_scene(scene, solids);
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
  frame.objects = initial_objects(scene, solids);
  if (frame.objects.size() > 1)
    frame.words(standard_columns::object().name) = std::move(particles.object);
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
