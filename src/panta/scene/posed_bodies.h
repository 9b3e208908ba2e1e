// The bodies of a scene at their poses at a time.
#pragma once

#include <vector>

#include "panta/scene/contact_rules.h"
#include "panta/scene/scene.h"

namespace panta {

class PosedBodies {
 public:
  PosedBodies(const Scene& scene, double time) : scene_(scene) {
    for (const Body& body : scene.bodies) {
      solids_.push_back(body.solid());
      poses_.push_back(pose_at(body.motion, time));
    }
  }

  std::size_t size() const { return solids_.size(); }

  // Distance to body k, negative inside it.
  float distance_to(std::size_t k, const Vec3& x) const {
    return distance(solids_[k], poses_[k].to_own(x)).value;
  }
  Distance to_surface(std::size_t k, const Vec3& x) const {
    const Distance d = distance(solids_[k], poses_[k].to_own(x));
    return {d.value, poses_[k].rotation * d.normal};
  }

  bool touched_by(std::size_t k, int material) const {
    return touches(scene_.materials.at(static_cast<std::size_t>(material)), scene_.bodies[k]);
  }

  bool clear_of(const Vec3& x, float clearance, int material) const {
    for (std::size_t k = 0; k < size(); ++k)
      if (touched_by(k, material) && distance_to(k, x) < clearance) return false;
    return true;
  }

 private:
  const Scene& scene_;
  std::vector<Shape> solids_;
  std::vector<Pose> poses_;
};

}  // namespace panta
