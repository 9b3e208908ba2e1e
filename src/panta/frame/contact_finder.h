// Finds contacts from positions on the host, independently of the solver, so it serves every method
// and device, and frames read from files.
#pragma once

#include "panta/frame/contacts.h"
#include "panta/frame/particle_objects.h"
#include "panta/scene/scene.h"

namespace panta {

class ContactFinder {
 public:
  // The particles of `scene` are not used.
  explicit ContactFinder(const Scene& scene);

  ContactFrame find(const ParticleFrame& frame) const;

 private:
  struct PlacedBody;
  std::vector<PlacedBody> placed(const ParticleFrame& frame) const;
  void find_sides(const ParticleFrame& frame, std::size_t i, ContactFrame& out) const;
  void find_bodies(const ParticleFrame& frame, std::size_t i, const std::vector<PlacedBody>& placed,
                   ContactFrame& out) const;
  void find_pairs(const ParticleFrame& frame, ContactFrame& out) const;
  bool near_at_start(const ParticleFrame& frame, std::size_t i, std::size_t j) const;
  bool may_touch(const ParticleFrame& frame, const ParticleObjects& objects, std::size_t i,
                 std::size_t j) const;
  std::vector<Vec3> images() const;

  Scene scene_;
  std::vector<Vec3d> centres_;  // of the free bodies, in the frames of their shapes
};

// The number of particles inside a trigger, at the frame's time.
std::size_t count_inside(const Body& trigger, const ParticleFrame& frame);

}  // namespace panta
