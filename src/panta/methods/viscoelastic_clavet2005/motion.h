// The end of a step: walls, stickiness, the new velocity (Algorithm 1, lines 23 to 26, Algorithm 6,
// sections 6.1 and 6.2).
//
//   displacement  v = (x_relaxed - x) / dt, x' = x_relaxed: the paper's. Rotation is damped,
//                 since pushes act along lines that have turned in the step:
//                 sum x' x v' = L - sum v x dx.
//   leapfrog      v = v* + dx / dt, x' = x + dt v*: relaxation changes velocities, not positions.
//                 Since sum x* x dx = 0, angular momentum is conserved. No damping.
//
//   collision     u = v - v_wall; if it leads into the wall, its normal part is removed, and of the
//                 tangential part as much as Coulomb friction takes. no_slip holds the layer next
//                 to a wall, whether it collides or not. Eq. 11 as meant: it prints a sum where the
//                 impulse is subtracted. The paper removes a fixed share of the tangential part
//                 per step, which depends on the step.
//   stickiness    v -= sticky_speed n (walls/wall.h)                                     eq. 12
//
// Particles have exchanged impulses with free bodies before, sticky ones too (bodies/coupling.h);
// particles still inside a body afterwards are moved outside (KeepOutside).
#pragma once

#include "panta/core/record.h"
#include "panta/core/removed_mark.h"
#include "panta/methods/viscoelastic_clavet2005/density.h"
#include "panta/walls/walls.h"

namespace panta::viscoelastic {

struct WallRule {
  float distance = 0;                        // m
  float stick_from = 0, stick_distance = 0;  // m
  float touching = 0;                        // m, no_slip holds what is nearer
  float friction_distance = 0;               // m, of friction by images: the first layer

  // The velocity after contact with a wall. `pushed`: the speed given by its images
  // (solver/mirrors.h), with friction as in a collision.
  PANTA_HD Vec3 met(const WallContact& c, const Vec3& v, float pushed) const {
    const Vec3 u = v - c.velocity;
    const float into = dot(u, c.normal);
    const bool collides = c.distance < distance && into < 0;
    const float stopped = collides ? -into * (1 + c.surface->restitution) : 0.0f;
    const Vec3 along = u - c.normal * into;
    const float speed = length(along);
    const bool held = c.surface->no_slip && c.distance < touching;
    const float lost =
        held ? speed : minimum(speed, c.surface->friction_on_liquid() * (stopped + pushed));
    Vec3 after = v + c.normal * stopped;
    if (speed > 0) after -= along * (lost / speed);
    return after;
  }
  PANTA_HD Vec3 stuck(const WallContact& c, const Vec3& v, float dt) const {
    return v - c.normal * sticky_speed(*c.surface, c.distance - stick_from, stick_distance, dt);
  }
};

// Walls that attract, at the end of the step. Other contacts were found half way: there the normal
// of a curved wall points partly against the motion of a particle that follows it, and attraction
// along it would accelerate the particle.
struct StickyWalls {
  WallsView walls;
  detail::TouchedBy touched_by;
  bool any = false;  // some of them pull
  float reach = 0;   // m

  template <class Visit>
  PANTA_HD void each(Index i, const Vec3& x, const Visit& visit) const {
    if (!any) return;
    const ContactSet set = find_contacts(walls, x, reach, touched_by.bit(i));
    for (int k = 0; k < set.count; ++k)
      if (set.item[k].free_body < 0) visit(set.item[k]);
    for (int k = 0; set.count == 0 && k < walls.plane_count; ++k)
      visit(plane_contact(walls.planes[k], x));
  }
};

// Relaxed positions in the form that the coupling with bodies takes, and back.
template <class D>
struct CopyForCoupling {
  RecordsView<D, Record4> places;
  Field4View<D> position, landed;
  PANTA_HD void operator()(Index i) const {
    const Vec3 x = places.get(i).first.xyz();
    landed.set(i, {x.x, x.y, x.z, position.w(i)});
  }
};
template <class D>
struct CopyFromCoupling {
  Field4View<D> landed;
  RecordsView<D, Record4> places;
  PANTA_HD void operator()(Index i) const {
    const Vec3 x = landed.xyz(i);
    places.set(i, {{x.x, x.y, x.z, places.get(i).first.w}});
  }
};

// The velocity after the relaxation, for the implicit viscosity; held particles keep their own.
template <class D>
struct FindRelaxedVelocity {
  const StepState* state;
  Field4View<D> position, began;
  const std::uint32_t* held;
  RecordsView<D, Record4> places;
  Field4View<D> velocity;  // result

  PANTA_HD void operator()(Index i) const {
    const Vec3 v = held && held[i] ? began.xyz(i)
                                   : (places.get(i).first.xyz() - position.xyz(i)) *
                                         static_cast<float>(1 / state->dt);
    velocity.set(i, {v.x, v.y, v.z, 0});
  }
};

// Positions after the velocities of the implicit viscosity.
template <class D>
struct TakeRelaxedVelocity {
  StepGate gate;
  Field4View<D> position, velocity;
  RecordsView<D, Record4> places;
  Field4View<D> drift;

  PANTA_HD void operator()(Index i) const {
    if (gate.closed()) return;
    const Vec3 v = velocity.xyz(i);
    const Vec3 at = position.xyz(i) + v * static_cast<float>(gate.state->dt);
    places.set(i, {{at.x, at.y, at.z, places.get(i).first.w}});
    drift.set(i, {v.x, v.y, v.z, 0});
  }
};

template <class D>
struct FinishVelocities {
  StepGate gate;
  RelaxationWalls<D> walls;
  StickyWalls sticky;
  WallRule rule;
  bool leapfrog;
  float max_speed;
  Field4View<D> position, velocity, drift;
  RecordsView<D, Record4> places;
  StartExcess<D> start;
  std::uint32_t* held;

  struct Motion {
    Vec3 at, v;
  };
  PANTA_HD Motion relaxed(Index i, float dt) const {
    const Vec3 x = position.xyz(i), to = places.get(i).first.xyz();
    const Vec3 v = (to - x) * (1 / dt);
    return {leapfrog ? x + drift.xyz(i) * dt : to, v};
  }
  PANTA_HD Motion among_walls(Index i, Motion m, float dt) const {
    Vec3 v = m.v;
    // Several walls share the push by their distance.
    const auto nearness = [&](const WallContact& c) {
      return c.free_body < 0 ? maximum(rule.friction_distance - c.distance, 0.0f) : 0.0f;
    };
    float all = 0;
    walls.each(i, m.at, [&](const WallContact& c) { all += nearness(c); });
    const float pushed = all > 0 ? places.get(i).first.w / (dt * all) : 0.0f;
    walls.each(i, m.at, [&](const WallContact& c) {
      if (c.free_body < 0) v = rule.met(c, v, pushed * nearness(c));
    });
    m = {m.at + (v - m.v) * dt, v};
    Vec3 out;
    walls.each(i, m.at, [&](const WallContact& c) {
      const float depth = rule.distance - c.distance - dot(out, c.normal);
      if (depth > 0 && c.free_body < 0) out += c.normal * depth;
    });
    m.at += out;
    sticky.each(i, m.at, [&](const WallContact& c) { m.v = rule.stuck(c, m.v, dt); });
    return m;
  }

  PANTA_HD void operator()(Index i) const {
    if (gate.closed() || is_removed(position, i)) return;
    const float dt = static_cast<float>(gate.state->dt);
    Motion m = relaxed(i, dt);
    if (held && held[i]) {
      m = {position.xyz(i) + velocity.xyz(i) * dt, velocity.xyz(i)};
    } else {
      m = among_walls(i, m, dt);
      const float speed = length(m.v);
      if (max_speed > 0 && speed > max_speed) m.v = m.v * (max_speed / speed);
    }
    position.set_xyz(i, m.at);
    velocity.set_xyz(i, m.v);
    start.reduce(i, dt);
  }
};

}  // namespace panta::viscoelastic
