// Scenes with water, sand and wooden blocks, and frames of them whose solids have moved.
#pragma once

#include <cmath>

#include "panta/frame/particle_frame.h"
#include "panta/geometry/rigid_fit.h"
#include "panta/scene/scene.h"

namespace panta {

inline constexpr std::uint32_t water = 0, sand = 1, wood = 2;

inline Scene scene_of_materials() {
  Scene scene;
  scene.spacing = 0.1;
  scene.materials.resize(3);
  scene.materials[sand].kind = MaterialKind::granular;
  scene.materials[wood].kind = MaterialKind::solid;
  return scene;
}

inline Fluid block_of(std::uint32_t material, const Vec3& from) {
  return {static_cast<int>(material), Shape::box(from, from + Vec3{0.4f, 0.4f, 0.4f})};
}

inline Solid block(const Vec3& from) {
  Solid solid;
  solid.material = wood;
  solid.shape = Shape::box(from, from + Vec3{0.6f, 0.4f, 0.3f});
  return solid;
}

inline RigidMotion motion_of(const BodyPose& pose) {
  const Quat& q = pose.rotation;
  return {{q.w, q.x, q.y, q.z}, pose.position};
}

// Moves the solids of a frame: their particles and their poses.
inline void move_solids(ParticleFrame& frame, const RigidMotion& by) {
  for (std::size_t k = 0; k < frame.size(); ++k)
    if (frame.phase()[k] == wood)
      frame.position()[k] = to_float(by(to_double(frame.position()[k])));
  for (Object& object : frame.objects)
    if (object.pose)
      object.pose = BodyPose{.position = by(object.pose->position),
                             .rotation = to_quat(after(by.turn, motion_of(*object.pose).turn))};
}

inline RigidMotion quarter_turn_and_move(const Vec3d& by) {
  return {{std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, by};  // about z
}

}  // namespace panta
