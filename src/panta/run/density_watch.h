// Watches the mean density error of the frames of a run. A liquid that is far too dense has lost
// its volume, and no later frame is right: such a run warns once, and ends if it goes on.
#pragma once

#include "panta/core/log.h"
#include "panta/frame/frame_stats.h"
#include "panta/scene/scene.h"

namespace panta {

class DensityWatch {
 public:
  explicit DensityWatch(const Scene& scene) : limit_(scene.max_density_error) {}

  // Throws Error(simulation) if this frame is the last of `patience` in a row above the limit.
  void check(int frame, const FrameStats& stats, const Log& log);

 private:
  static constexpr double worth_a_warning = 0.1;
  static constexpr int patience = 10;  // frames: an impact may compress a liquid for a moment

  double limit_;  // share of the rest density
  int above_ = 0;
  bool warned_ = false;
};

}  // namespace panta
