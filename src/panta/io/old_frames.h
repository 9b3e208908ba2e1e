// Reader of results of earlier versions, whose folders contain neither the particles' objects nor
// the poses of solids. Both are computed from the scene by placing its particles again.
//
// The ids of a solid's particles follow from the initial order: the fluids' come first, then the
// solids', body by body. A body's pose is the best rigid fit (geometry/rigid_fit.h) of its
// particles' initial positions to those in the frame.
#pragma once

#include <memory>
#include <mutex>

#include "panta/frame/particle_frame.h"
#include "panta/scene/scene.h"

namespace panta {

class OldFrames {
 public:
  explicit OldFrames(const Scene& scene);
  ~OldFrames();

  // Adds the table of objects, with the poses of solids that have particles left, and the column
  // "object". Thread-safe. Places the scene's particles at the first call; throws Error(usage) if
  // that is not possible.
  void complete(ParticleFrame& frame) const;

 private:
  struct Start;
  const Start& start() const;

  Scene scene_;
  mutable std::once_flag placed_;
  mutable std::unique_ptr<const Start> start_;
};

}  // namespace panta
