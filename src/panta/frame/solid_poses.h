// Where the free solids of a scene are in a frame.
//
// The ids of a solid's particles are known from where they start: the fluids' come first, then the
// solids', body after body. So a body's pose is the best rigid fit (geometry/rigid_fit.h) of the
// places where its particles start onto those they have in the frame.
#pragma once

#include <optional>
#include <vector>

#include "panta/frame/particle_frame.h"
#include "panta/geometry/rigid_fit.h"
#include "panta/scene/sample_solids.h"

namespace panta {

class SolidPoses {
 public:
  // Bodies and their particles as sample_solids gives them; `first_id` is the first one's.
  SolidPoses(const Scene& scene, SolidParticles solids, std::size_t first_id);

  // Places the scene's particles to know their ids.
  static SolidPoses of(const Scene& scene);

  const std::vector<SolidBody>& bodies() const { return solids_.bodies; }

  // The number of the body that a particle belongs to; none for other particles.
  std::optional<std::size_t> body_of(std::uint32_t id, std::uint32_t phase) const;

  // By body, from the frame of its solid's shape to where it is: from what is left of its
  // particles, and none where nothing is.
  std::vector<std::optional<RigidMotion>> at(const ParticleFrame& frame) const;

 private:
  Vec3 unwrapped(const Vec3& x, const Vec3& near) const;

  SolidParticles solids_;
  std::size_t first_id_ = 0;
  std::vector<std::uint32_t> body_of_;  // by particle of solids_
  std::vector<Turn4> start_;            // by body, its turn where it starts
  Vec3 period_;                         // m, 0 along axes that are not periodic
};

}  // namespace panta
