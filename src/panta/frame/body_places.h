// Poses of the bodies of a scene: free bodies by a frame, others by their prescribed motion.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "panta/frame/body_pose.h"
#include "panta/geometry/rigid_fit.h"
#include "panta/scene/scene.h"

namespace panta {

// For each body its index among the free bodies; -1 if it is not free.
std::vector<int> free_numbers(const std::vector<Body>& bodies);

// The names of the free bodies, in the order of ParticleFrame::bodies.
std::vector<std::string> free_body_names(const std::vector<Body>& bodies);

// Their centres of mass, each in the frame of its shape, in the same order.
std::vector<Vec3d> free_body_centres(const Scene& scene);

// The pose of a body in a frame; null if the frame has none: then its motion, or the scene, defines
// it. `number`: its index among the free bodies.
inline const BodyPose* pose_in(std::span<const BodyPose> free, int number) {
  const auto k = static_cast<std::size_t>(number);
  return number >= 0 && k < free.size() ? &free[k] : nullptr;
}

// The pose of a body at a time.
inline Placement place_of(const Motion& motion, int number, double time,
                          std::span<const BodyPose> free) {
  const BodyPose* pose = pose_in(free, number);
  return pose ? Placement{pose->position, pose->rotation} : place_at(motion, time);
}

// Transforms a point from the shape's frame to the world.
inline Vec3d point_at(const Placement& place, const Vec3d& own) {
  const Quat& q = place.rotation;
  return turned({q.w, q.x, q.y, q.z}, own) + place.position;
}

}  // namespace panta
