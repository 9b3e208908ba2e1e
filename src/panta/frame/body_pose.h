// Pose of a free body at a time, and the forces on it, as stored in frames.
#pragma once

#include "panta/core/vec.h"

namespace panta {

// x in the world = rotation * (x in the frame of the scene's shape) + position.
struct BodyPose {
  Vec3d position;
  Quat rotation;
  Vec3d velocity = {};  // m/s, of its centre of mass
  Vec3d spin = {};      // rad/s
  // Mean over the time since the last frame or, in a program, over the last advance; torques are
  // about the centre of mass.
  Vec3d force_particles = {}, torque_particles = {};  // N, N m, by liquids and grains
  Vec3d force_contacts = {}, torque_contacts = {};    // by other bodies and walls
};

}  // namespace panta
