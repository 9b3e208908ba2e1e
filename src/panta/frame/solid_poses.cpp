#include "panta/frame/solid_poses.h"

#include <cmath>

namespace panta {

namespace {

bool is_finite(const Vec3& x) {
  return std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z);
}

Turn4 turn_of(const Mat3& rotation) {
  return nearest_rotation(
      {to_double(rotation.row[0]), to_double(rotation.row[1]), to_double(rotation.row[2])});
}

// The particles of a body that a frame has.
struct Matched {
  std::vector<Vec3> from, to;
};

}  // namespace

SolidPoses::SolidPoses(const Scene& scene, SolidParticles solids, std::size_t first_id)
    : solids_(std::move(solids)), first_id_(first_id), body_of_(solids_.particles.size()) {
  for (std::size_t body = 0; body < solids_.bodies.size(); ++body) {
    const SolidBody& range = solids_.bodies[body];
    for (std::size_t k = 0; k < range.count; ++k)
      body_of_[range.first + k] = static_cast<std::uint32_t>(body);
    start_.push_back(turn_of(range.pose.rotation));
  }
  const Vec3 size = to_float(scene.domain.max - scene.domain.min);
  for (int axis = 0; axis < 3; ++axis)
    if (scene.has_domain && scene.domain.periodic[static_cast<std::size_t>(axis)])
      period_[axis] = size[axis];
}

SolidPoses SolidPoses::of(const Scene& scene) {
  if (scene.solids.empty()) return {scene, {}, 0};
  SolidParticles solids = sample_solids(scene);
  const std::size_t first_id = sample_scene(scene, solids).size() - solids.particles.size();
  return {scene, std::move(solids), first_id};
}

std::optional<std::size_t> SolidPoses::body_of(std::uint32_t id, std::uint32_t phase) const {
  if (id < first_id_ || id - first_id_ >= body_of_.size()) return {};
  const std::size_t particle = id - first_id_;
  if (solids_.particles.phase[particle] != phase) return {};
  return body_of_[particle];
}

// The image of a particle that is nearest to another one, across the seams of periodic axes.
Vec3 SolidPoses::unwrapped(const Vec3& x, const Vec3& near) const {
  Vec3 out = x;
  for (int axis = 0; axis < 3; ++axis)
    if (period_[axis] > 0)
      out[axis] -= period_[axis] * std::round((x[axis] - near[axis]) / period_[axis]);
  return out;
}

std::vector<std::optional<RigidMotion>> SolidPoses::at(const ParticleFrame& frame) const {
  std::vector<Matched> matched(bodies().size());
  for (std::size_t k = 0; k < frame.size(); ++k) {
    const auto body = body_of(frame.id()[k], frame.phase()[k]);
    if (!body || !is_finite(frame.position()[k])) continue;
    Matched& found = matched[*body];
    const Vec3& near = found.to.empty() ? frame.position()[k] : found.to.front();
    found.from.push_back(solids_.particles.position[frame.id()[k] - first_id_]);
    found.to.push_back(unwrapped(frame.position()[k], near));
  }
  std::vector<std::optional<RigidMotion>> poses(bodies().size());
  for (std::size_t body = 0; body < poses.size(); ++body) {
    if (matched[body].from.empty()) continue;
    const RigidMotion since_start = fit_rigid(matched[body].from, matched[body].to);
    poses[body] = {after(since_start.turn, start_[body]),
                   since_start(to_double(bodies()[body].pose.position))};
  }
  return poses;
}

}  // namespace panta
