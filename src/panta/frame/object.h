// Objects: the fluid, emitter or solid that a particle belongs to. A column "object" has an index
// into the frame's table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "panta/frame/body_pose.h"

namespace panta {

enum class ObjectKind { fluid, emitter, solid };

struct Object {
  ObjectKind kind = ObjectKind::fluid;
  std::string name = {};  // from the scene, or "fluids.0", "solids.1.2"
  int entry = 0;          // index into Scene::fluids, emitters or solids
  int copy = 0;           // solids: index of the copy
  int material = 0;       // index into Scene::materials
  // Solids: pose of the frame of the solid's shape. Absent for objects without a shape or without
  // particles left.
  std::optional<BodyPose> pose = {};
  // Surfaces and threads made of particles: ids, in an order that never changes.
  std::vector<std::array<std::uint32_t, 2>> edges = {};
  std::vector<std::array<std::uint32_t, 3>> triangles = {};
};

}  // namespace panta
