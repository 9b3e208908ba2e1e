// A free rigid body: properties, state, and integration in time.
//
// The state is the position of the centre of mass, the rotation, the velocity and the angular
// momentum L about the centre in world axes, so that L is exactly constant without torques. The
// spin follows, w = R I^-1 R^T L, and changes while the body tumbles.
//
// As for particles, a step updates first the velocity, then the position. The rotation is advanced
// by the midpoint rule on the group of rotations,
//   R' = exp(h/2 w(R)) R,   R(t + h) = exp(h w(R')) R(t),
// of second order; the energy of a tumbling body then oscillates within narrow bounds.
#pragma once

#include "panta/geometry/motion.h"
#include "panta/geometry/rotation_double.h"

namespace panta {

struct FreeBodySpec {
  double mass = 1;         // kg
  double volume = 1;       // m3; m2 in two dimensions
  Mat3d inertia;           // kg m2, about the centre, in the body's own frame
  Mat3d inverse_inertia;   // in two dimensions about z only
  Vec3d centre;            // of mass, in the frame of the scene's shape
  double radius = 0;       // m, of the bounding ball about the centre
  int wall = 0, slot = 0;  // indices of its WallBody and of its poses in the walls
  int flat = 0;            // 1: moves in the plane z = 0 only
};

struct FreeBodyState {
  Vec3d place;  // of the centre of mass, m
  Quatd rotation;
  Vec3d velocity;          // m/s
  Vec3d angular_momentum;  // kg m2/s, about the centre
};

// Sum of impulses on a body (kg m/s) and of their moments about its centre (kg m2/s).
struct BodyLoad {
  Vec3d impulse, moment;

  PANTA_HD void add(const Vec3d& j, const Vec3d& turning) {
    impulse += j;
    moment += turning;
  }
};

// Since the start of the simulation.
struct BodyLoads {
  BodyLoad particles, contacts;
};

PANTA_HD Mat3d inverse_inertia(const FreeBodySpec& body, const Quatd& q) {
  const Mat3d turn = rotation(q);
  return turn * body.inverse_inertia * transpose(turn);
}
PANTA_HD Vec3d spin_of(const FreeBodySpec& body, const Quatd& q, const Vec3d& angular_momentum) {
  const Mat3d turn = rotation(q);
  return turn * (body.inverse_inertia * (transpose(turn) * angular_momentum));
}
PANTA_HD Vec3d spin_of(const FreeBodySpec& body, const FreeBodyState& state) {
  return spin_of(body, state.rotation, state.angular_momentum);
}

// The velocity of the point x of a body.
PANTA_HD Vec3d velocity_at(const FreeBodyState& state, const Vec3d& spin, const Vec3d& x) {
  return state.velocity + cross(spin, x - state.place);
}

// Advances position and rotation by the time h.
PANTA_HD void advance_pose(const FreeBodySpec& body, FreeBodyState& state, double h) {
  state.place += state.velocity * h;
  const Quatd half = turn_by(spin_of(body, state) * (0.5 * h)) * state.rotation;
  const Vec3d spin = spin_of(body, half, state.angular_momentum);
  state.rotation = normalized(turn_by(spin * h) * state.rotation);
}

// The same in several substeps of equal length, as contacts between bodies do it.
PANTA_HD FreeBodyState advanced(const FreeBodySpec& body, FreeBodyState state, double dt,
                                int substeps) {
  for (int k = 0; k < substeps; ++k) advance_pose(body, state, dt / substeps);
  return state;
}

// Change of velocity and angular momentum by contacts with other bodies that is expected in a step;
// used while particles push the body.
struct BodySupport {
  Vec3d velocity, angular_momentum;
};
PANTA_HD FreeBodyState expected_end(const FreeBodySpec& body, FreeBodyState state,
                                    const BodySupport& support, double dt, int substeps) {
  state.velocity += support.velocity;
  state.angular_momentum += support.angular_momentum;
  return advanced(body, state, dt, substeps);
}

// Kinetic energy, J.
PANTA_HD double kinetic_energy(const FreeBodySpec& body, const FreeBodyState& state) {
  return 0.5 * (body.mass * dot(state.velocity, state.velocity) +
                dot(state.angular_momentum, spin_of(body, state)));
}

// The pose of a body for the walls: that of `at`, with the mean velocities of the step from `from`
// to `to`.
PANTA_HD Pose wall_pose(const FreeBodyState& at, const FreeBodyState& from, const FreeBodyState& to,
                        double dt) {
  Pose pose;
  pose.rotation = rounded(rotation(at.rotation));
  pose.position = to_float(at.place);
  if (!(dt > 0)) return pose;
  pose.velocity = to_float((to.place - from.place) * (1 / dt));
  pose.spin = to_float(rotation_vector(to.rotation * conjugate(from.rotation)) * (1 / dt));
  return pose;
}

// The poses of bodies as walls at the start and at the end of a step (Walls::poses_start).
struct BodyWallPoses {
  Pose *starts, *ends;

  // A body moves in the step from `from` to `to`.
  PANTA_HD void set(const FreeBodySpec& spec, const FreeBodyState& from, const FreeBodyState& to,
                    double dt) const {
    starts[spec.slot] = wall_pose(from, from, to, dt);
    ends[spec.slot] = wall_pose(to, from, to, dt);
  }
};

}  // namespace panta
