// A camera on the z axis that looks at the origin.
#pragma once

#include "panta/render/camera.h"

namespace panta {

inline Camera camera_from_front(float distance, int width, int height) {
  Camera camera;
  camera.eye = {0, 0, distance};
  camera.fov = 40;
  camera.width = width;
  camera.height = height;
  return camera;
}

}  // namespace panta
