// Where a free body is at a time, as frames hold it.
#pragma once

#include "panta/core/vec.h"

namespace panta {

// x in the world = rotation * (x in the frame of the scene's shape) + position.
struct BodyPose {
  Vec3d position;
  Quat rotation;
  Vec3d velocity;  // m/s, of its centre of mass
  Vec3d spin;      // rad/s
};

}  // namespace panta
