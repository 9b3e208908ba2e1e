// Free bodies without particles; the test calls each part of a step.
#pragma once

#include <cmath>

#include "panta/bodies/free_bodies.h"
#include "support.h"

namespace panta::test {

inline Body free_box(const Vec3& middle, const Vec3& size, double density = 1000) {
  Body body;
  body.shape = Shape::box(middle - size * 0.5f, middle + size * 0.5f);
  body.free = FreeBody{density, {}, {}};
  return body;
}

inline Body free_ball(const Vec3& middle, float radius, double density = 1000) {
  Body body;
  body.shape = Shape::sphere(middle, radius);
  body.free = FreeBody{density, {}, {}};
  return body;
}

inline Body floor_at(float y, float friction = 0.5f) {
  Body body;
  body.shape = Shape::plane({0, y, 0}, {0, 1, 0});
  body.surface.friction = friction;
  return body;
}

class BodyWorld {
 public:
  BodyWorld(const Scene& scene, double step_length, const D& on = executor())
      : exec(on), dt(step_length), gravity_(scene.gravity) {
    const WallList list = make_walls(scene, 0.1f);
    walls.set(list);
    bodies.set(make_free_bodies(scene, list, dt));
    set_time(0);
  }

  void set_time(double t) {
    time = t;
    StepState state;
    state.time = t;
    state.dt = dt;
    clock_.set(state);
  }
  // Simulates a step that lacks room for an array and must not change anything.
  void close_gate() {
    StepState state = clock_.get();
    state.closed = StepState::lacks_room(0);
    clock_.set(state);
  }

  void begin() {
    walls.update_poses(exec, &clock_.data()->time, &clock_.data()->dt);
    bodies.begin_step(exec, gate(), {gravity_}, walls);
  }
  void finish() {
    bodies.resolve(exec, gate(), walls);
    exec.synchronize();
    set_time(time + dt);
  }
  void step() {
    begin();
    finish();
  }
  void run(double seconds) {
    const long steps = std::lround(seconds / dt);
    for (long k = 0; k < steps; ++k) step();
  }
  StepGate gate() { return {clock_.data()}; }

  Vec3d momentum() const {
    Vec3d sum;
    const auto states = bodies.states();
    for (std::size_t b = 0; b < states.size(); ++b)
      sum += states[b].velocity * bodies.specs()[b].mass;
    return sum;
  }
  // About the origin.
  Vec3d angular_momentum() const {
    Vec3d sum;
    const auto states = bodies.states();
    for (std::size_t b = 0; b < states.size(); ++b)
      sum += states[b].angular_momentum +
             cross(states[b].place, states[b].velocity) * bodies.specs()[b].mass;
    return sum;
  }
  double energy() const {
    double sum = 0;
    const auto states = bodies.states();
    for (std::size_t b = 0; b < states.size(); ++b)
      sum += kinetic_energy(bodies.specs()[b], states[b]);
    return sum;
  }

  D exec;
  double dt, time = 0;
  Walls<D> walls;
  FreeBodies<D> bodies;

 private:
  Vec3d gravity_;
  DeviceValue<D, StepState> clock_;
};

}  // namespace panta::test
