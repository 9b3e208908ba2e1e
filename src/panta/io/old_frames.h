// Reader of old results: result folders of earlier versions say neither which objects particles
// belong to nor where solids are. Both follow from the scene, whose particles are placed again.
//
// The ids of a solid's particles are known from where they start: the fluids' come first, then the
// solids', body after body. A body's pose is the best rigid fit (geometry/rigid_fit.h) of the
// places where its particles start onto those they have in the frame.
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

  // Adds the table of objects, with the poses of solids of which particles are left, and the column
  // "object". May be called by several threads at once. Places the scene's particles when called
  // for the first time; throws Error(usage) where that is not possible.
  void complete(ParticleFrame& frame) const;

 private:
  struct Start;
  const Start& start() const;

  Scene scene_;
  mutable std::once_flag placed_;
  mutable std::unique_ptr<const Start> start_;
};

}  // namespace panta
