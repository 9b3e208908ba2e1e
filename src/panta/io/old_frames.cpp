#include "panta/io/old_frames.h"

#include <cmath>
#include <optional>

#include "panta/geometry/rigid_fit.h"
#include "panta/particles/standard_columns.h"
#include "panta/scene/sample_solids.h"
#include "panta/solver/object_table.h"

namespace panta {

namespace {

bool is_finite(const Vec3& x) {
  return std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z);
}

// The particles of a body that a frame has.
struct Matched {
  std::vector<Vec3> from, to;
};

}  // namespace

// The initial state of the scene.
struct OldFrames::Start {
  SolidParticles solids;
  SampledParticles particles;
  std::vector<Object> objects;
  std::size_t first_solid = 0;  // object number of the first body
  Vec3 period;                  // m, 0 along axes that are not periodic

  explicit Start(const Scene& scene)
      : solids(sample_solids(scene)),
        particles(sample_scene(scene, solids)),
        objects(make_objects(scene, solids)),
        first_solid(objects.size() - solids.bodies.size()) {
    const Vec3 size = to_float(scene.domain.max - scene.domain.min);
    for (int axis = 0; axis < 3; ++axis)
      if (scene.has_domain && scene.domain.periodic[static_cast<std::size_t>(axis)])
        period[axis] = size[axis];
  }

  // The index of a particle's object from the start; none if the particle was added later.
  std::optional<std::uint32_t> object_of(std::uint32_t id, std::uint32_t phase) const {
    if (id >= particles.size() || particles.phase[id] != phase) return {};
    return particles.object[id];
  }

  // The periodic image of a particle that is nearest to another one.
  Vec3 unwrapped(const Vec3& x, const Vec3& near) const {
    Vec3 out = x;
    for (int axis = 0; axis < 3; ++axis)
      if (period[axis] > 0)
        out[axis] -= period[axis] * std::round((x[axis] - near[axis]) / period[axis]);
    return out;
  }

  BodyPose pose(std::size_t body, const Matched& matched) const {
    const Pose& own = solids.bodies[body].pose;
    const RigidMotion since_start = fit_rigid(matched.from, matched.to);
    return {.position = since_start(to_double(own.position)),
            .rotation = to_quat(after(since_start.turn, turn_of(own.rotation)))};
  }
};

namespace {

// Particles that were added later belong to the first object of their material that is not a solid.
std::uint32_t later_object(const Scene& scene, std::uint32_t phase, std::vector<Object>& objects) {
  for (std::size_t k = 0; k < objects.size(); ++k)
    if (objects[k].kind != ObjectKind::solid && objects[k].material == static_cast<int>(phase))
      return static_cast<std::uint32_t>(k);
  objects.push_back(added_object(scene, static_cast<int>(phase), objects.size()));
  return static_cast<std::uint32_t>(objects.size() - 1);
}

}  // namespace

OldFrames::OldFrames(const Scene& scene) : scene_(scene) {}
OldFrames::~OldFrames() = default;

const OldFrames::Start& OldFrames::start() const {
  std::call_once(placed_, [&] { start_ = std::make_unique<const Start>(scene_); });
  return *start_;
}

void OldFrames::complete(ParticleFrame& frame) const {
  const Start& begun = start();
  frame.objects = begun.objects;
  std::vector<std::uint32_t>& numbers = frame.words(standard_columns::object().name);
  std::vector<Matched> matched(begun.solids.bodies.size());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const std::uint32_t id = frame.id()[i], phase = frame.phase()[i];
    const auto known = begun.object_of(id, phase);
    numbers[i] = known ? *known : later_object(scene_, phase, frame.objects);
    const Vec3& x = frame.position()[i];
    if (!known || *known < begun.first_solid || !is_finite(x)) continue;
    Matched& body = matched[*known - begun.first_solid];
    body.from.push_back(begun.particles.position[id]);
    body.to.push_back(begun.unwrapped(x, body.to.empty() ? x : body.to.front()));
  }
  for (std::size_t body = 0; body < matched.size(); ++body)
    if (!matched[body].from.empty())
      frame.objects[begun.first_solid + body].pose = begun.pose(body, matched[body]);
}

}  // namespace panta
