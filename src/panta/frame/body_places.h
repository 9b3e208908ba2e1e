// Where the bodies of a scene are: free ones where a frame has them, all others where their motion
// puts them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "panta/frame/body_pose.h"
#include "panta/geometry/rigid_fit.h"
#include "panta/scene/scene.h"

namespace panta {

// By body, its number among those that are free; -1: it is not.
std::vector<int> free_numbers(const std::vector<Body>& bodies);

// What the free bodies are called, in the order of ParticleFrame::bodies.
std::vector<std::string> free_body_names(const std::vector<Body>& bodies);

// Their centres of mass, each in the frame of its shape, in the same order.
std::vector<Vec3d> free_body_centres(const Scene& scene);

// The pose that a frame has of a body; null where it has none, which leaves the body where its
// motion, or the scene, puts it. `number`: among the free bodies.
inline const BodyPose* pose_in(std::span<const BodyPose> free, int number) {
  const auto k = static_cast<std::size_t>(number);
  return number >= 0 && k < free.size() ? &free[k] : nullptr;
}

// Where a body is at a time.
inline Placement place_of(const Motion& motion, int number, double time,
                          std::span<const BodyPose> free) {
  const BodyPose* pose = pose_in(free, number);
  return pose ? Placement{pose->position, pose->rotation} : place_at(motion, time);
}

// Where the pose takes a point of the shape's frame.
inline Vec3d point_at(const Placement& place, const Vec3d& own) {
  const Quat& q = place.rotation;
  return turned({q.w, q.x, q.y, q.z}, own) + place.position;
}

}  // namespace panta
