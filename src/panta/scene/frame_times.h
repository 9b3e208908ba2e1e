// The frames of a run: frame k is at the time k / fps.
#pragma once

#include <algorithm>
#include <cmath>

#include "panta/scene/scene.h"

namespace panta {

// The number of the last frame within the scene's duration, at least 1.
inline int last_frame(const Scene& scene) {
  const double rounding = 1e-6;  // frames
  return std::max(1, static_cast<int>(std::floor(scene.duration * scene.fps + rounding)));
}

// The time of the last frame, s.
inline double end_time(const Scene& scene) { return last_frame(scene) / scene.fps; }

}  // namespace panta
