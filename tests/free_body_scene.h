// A scene with a body of each kind, and a pose of a free one.
#pragma once

#include <numbers>
#include <string>

#include "panta/frame/body_places.h"
#include "panta/scene/scene.h"

namespace panta {

inline Body crate(const std::string& name = "") {
  Body body{Shape::box({-0.1f, -0.2f, -0.3f}, {0.1f, 0.2f, 0.3f})};
  body.name = name;
  body.free = FreeBody{};
  return body;
}

// Bodies of each kind: at rest, free, moving as prescribed, free without a name.
inline Scene scene_of_bodies() {
  Scene scene;
  scene.spacing = 0.1;
  Body slider{Shape::sphere({0, 0, 0}, 0.1f)};
  slider.motion.keys = {{0, {}, {}}, {1, {1, 0, 0}, {}}};
  scene.bodies = {{Shape::sphere({3, 0, 0}, 0.1f)}, crate("crate"), slider, crate()};
  return scene;
}

inline const BodyPose quarter_turn{
    {1, 2, 3}, axis_angle({0, 0, 1}, std::numbers::pi_v<float> / 2), {0.1, 0.2, 0.3}, {4, 5, 6}};

}  // namespace panta
