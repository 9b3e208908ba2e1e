// Prescribed motion of a solid: its pose at a time, relative to the pose in the scene.
//
// Key frames (position and rotation, linear or smooth interpolation, constant beyond the ends), or
// formulas of time for the displacement and for the angle about an axis; if both are given, their
// displacements are added. A solid rotates about its pivot.
//
// Velocities are those of the step, v = (x(t + dt) - x(t)) / dt: the velocity of a particle that
// stays at the surface.
#pragma once

#include <vector>

#include "panta/core/expression.h"
#include "panta/core/vec.h"

namespace panta {

struct MotionKey {
  double time = 0;
  Vec3 position;  // displacement, m
  Quat rotation;
};

// The form for devices; `keys` points to the key frames.
struct MotionProgram {
  Vec3 pivot;
  Expression displacement[3];
  Expression angle;  // rad, about `axis`
  Vec3 axis = {0, 1, 0};
  bool smooth = false;  // between key frames
  int first_key = 0, key_count = 0;
};

struct Motion {
  MotionProgram program;  // its keys are those below
  std::vector<MotionKey> keys;

  // The program if its keys begin at index `first` of an array.
  MotionProgram whole_program(int first = 0) const {
    MotionProgram whole = program;
    whole.first_key = first;
    whole.key_count = static_cast<int>(keys.size());
    return whole;
  }

  bool moves() const {
    for (const Expression& e : program.displacement)
      if (!e.empty()) return true;
    return !program.angle.empty() || !keys.empty();
  }
};

// x in the world = rotation * (x in the solid's own frame) + position.
struct Pose {
  Mat3 rotation;
  Vec3 position;
  Vec3 velocity, spin;  // m/s of the own frame's origin, rad/s

  PANTA_HD Vec3 to_own(const Vec3& x) const { return transpose(rotation) * (x - position); }
  PANTA_HD Vec3 to_world(const Vec3& x) const { return rotation * x + position; }
  PANTA_HD Vec3 velocity_at(const Vec3& x) const { return velocity + cross(spin, x - position); }
};

// The pose of the solid at time t.
struct Placement {
  Vec3d position;
  Quat rotation;
};

// Interpolates the key frames at time t.
PANTA_HD Placement between_keys(const MotionKey* keys, int count, bool smooth, double t) {
  if (count == 0) return {};
  int k = 0;
  while (k < count && keys[k].time <= t) ++k;
  if (k == 0) return {to_double(keys[0].position), keys[0].rotation};
  if (k == count) return {to_double(keys[count - 1].position), keys[count - 1].rotation};
  const MotionKey &a = keys[k - 1], &b = keys[k];
  const double span = b.time - a.time, s = (t - a.time) / span;
  if (!smooth)
    return {to_double(a.position) + to_double(b.position - a.position) * s,
            slerp(a.rotation, b.rotation, static_cast<float>(s))};
  // Cubic Hermite; slopes from the chord of the neighbours, zero at the ends.
  const auto slope = [&](int i) -> Vec3d {
    if (i == 0 || i == count - 1) return {};
    return to_double(keys[i + 1].position - keys[i - 1].position) *
           (1 / (keys[i + 1].time - keys[i - 1].time));
  };
  const double s2 = s * s, s3 = s2 * s, ease = 3 * s2 - 2 * s3;
  return {to_double(a.position) * (1 - ease) + to_double(b.position) * ease +
              slope(k - 1) * ((s3 - 2 * s2 + s) * span) + slope(k) * ((s3 - s2) * span),
          slerp(a.rotation, b.rotation, static_cast<float>(ease))};
}

PANTA_HD Placement place(const MotionProgram& m, const MotionKey* keys, double t) {
  Placement p = between_keys(keys + m.first_key, m.key_count, m.smooth, t);
  p.position +=
      Vec3d{m.displacement[0].value(t), m.displacement[1].value(t), m.displacement[2].value(t)};
  if (m.angle.length > 0)
    p.rotation = axis_angle(m.axis, static_cast<float>(m.angle.value(t))) * p.rotation;
  // Rotation about the pivot moves the origin of the solid's frame.
  const Vec3d pivot = to_double(m.pivot);
  p.position += pivot - to_double(rotation(p.rotation) * m.pivot);
  return p;
}

// The pose at time `at` and the velocities of the step from t to t + dt.
PANTA_HD Pose pose_in_step(const MotionProgram& m, const MotionKey* keys, double at, double t,
                           double dt) {
  const Placement p = place(m, keys, at);
  Pose pose;
  pose.rotation = rotation(p.rotation);
  pose.position = to_float(p.position);
  if (!(dt > 0)) return pose;
  const Placement before = place(m, keys, t), after = place(m, keys, t + dt);
  pose.velocity = to_float((after.position - before.position) * (1 / dt));
  pose.spin =
      rotation_vector(after.rotation * conjugate(before.rotation)) * static_cast<float>(1 / dt);
  return pose;
}

// The same for a whole motion, on the host; without dt the velocity is zero.
inline Placement place_at(const Motion& motion, double t) {
  return place(motion.whole_program(), motion.keys.data(), t);
}
inline Pose pose_at(const Motion& motion, double t, double dt = 0) {
  return pose_in_step(motion.whole_program(), motion.keys.data(), t, t, dt);
}

}  // namespace panta
