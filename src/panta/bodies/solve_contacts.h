// Contacts of free bodies by sequential impulses, in small substeps.
//
// In each substep of length h one contact after the other gets the impulse that keeps its two
// surfaces from coming nearer than touching, u_n >= -d/h at the distance d > 0, never pulling; and
// against the slip the impulse that stops it, at most mu times the one along the normal (Coulomb).
// Turns go on until little changes. Then
//   - the bodies move on;
//   - what is still inside another body is taken out by shifts that are solved for in the same way
//     but never become velocity, so that they add no energy of motion;
//   - contacts that were hit bounce: u_n = -e u_n before. `Before` leaves out what forces gave in
//     this substep, so that a body at rest, which gravity sets in motion anew every time, stays.
// What forces and particles gave a body in the step is handed out in equal shares, one in each
// substep: all of it in the first would leave the others without weight, and a stack would rock.
//
// One team does it all. Pairs of bodies get colours such that no two of a colour share a free body:
// those of a colour are solved at once, the colours one after the other, in an order that is the
// same on every machine. A rigid-body library would be of no use here: it would take the bodies to
// the host and back in every step, which is otherwise one recorded graph on the device.
#pragma once

#include "panta/bodies/body_contact.h"

namespace panta {

// A body while its contacts are being solved. Behind the free ones there is one for all that is not
// free, which is only read.
struct SolvedBody {
  Vec3d velocity, spin;
  Vec3d gained, gained_spin;  // by forces in this substep
  Vec3d shift, turn;          // out of other bodies
  Vec3d angular_momentum;     // before contacts
  double inverse_mass = 0;
  std::uint64_t colours = 0;  // of its pairs, a bit each
};

struct SolveBodyContacts {
  PairsView view;
  const FreeBodySpec* specs;
  FreeBodyState* states;
  const FreeBodyState *before, *pushed;  // at the step's start, and with what forces gave since
  SolvedBody* bodies;
  int* colours;  // of pairs, and behind them how many there are
  int* touched;  // by body: 1 where it came near another in the step
  StepGate gate;
  int body_count, substeps;
  bool keeps;  // pushes for the next time; else it is an estimate

  static constexpr int most_turns = 60, estimate_turns = 20;
  static constexpr int most_shift_turns = 20, bounce_turns = 8;

  template <class Team>
  PANTA_HD void operator()(Index, const Team& team) const {
    if (gate.closed()) return;
    const double h = gate.state->dt / substeps;
    team.each(body_count + 1, [&](Index b) { open(static_cast<int>(b)); });
    team.wait();
    team.each(1, [&](Index) { colour_pairs(); });
    each_contact(team, [&](BodyContact& c) { c.approach = approach_before(c); });
    team.wait();
    const bool any = colours[view.count] > 0;
    if (any) solve_velocities(team, h);
    if (keeps) team.each(view.count, [&](Index p) { keep(p, h); });
    close(team);
    team.each(body_count, [&](Index b) { advance_pose(specs[b], states[b], h); });
    team.wait();
    if (!any) return;
    solve_shifts(team, h);
    if (bounce(team)) close(team);
  }

 private:
  PANTA_HD void open(int b) const {
    SolvedBody& body = bodies[b];
    body = {};
    if (b == body_count) return;
    const FreeBodyState& s = states[b];
    body.inverse_mass = 1 / specs[b].mass;
    const Mat3d give = inverse_inertia(specs[b], s.rotation);
    const double share = 1.0 / substeps;
    const Vec3d gained = (pushed[b].angular_momentum - before[b].angular_momentum) * share;
    body.gained = (pushed[b].velocity - before[b].velocity) * share;
    body.gained_spin = give * gained;
    body.velocity = s.velocity + body.gained;
    body.angular_momentum = s.angular_momentum + gained;
    body.spin = give * body.angular_momentum;
  }

  // Each pair gets the first colour that none of its bodies has yet.
  PANTA_HD void colour_pairs() const {
    constexpr int bits = 64;
    int& count = colours[view.count];
    count = 0;
    for (Index p = 0; p < view.count; ++p) {
      colours[p] = -1;
      if (view.found[p] == 0) continue;
      const int pair[2] = {view.contacts[p * most_contacts].body,
                           view.contacts[p * most_contacts].other};
      std::uint64_t taken = 0;
      for (const int b : pair)
        if (b < body_count) taken |= bodies[b].colours;
      int colour = 0;
      while (colour < bits && (taken >> colour & 1)) ++colour;
      if (colour == bits) colour = count > bits ? count : bits;  // one of its own
      for (const int b : pair) {
        if (b == body_count) continue;
        touched[b] = 1;
        if (colour < bits) bodies[b].colours |= std::uint64_t{1} << colour;
      }
      colours[p] = colour;
      count = colour < count ? count : colour + 1;
    }
  }

  template <class F>
  PANTA_HD void each_of_pair(Index p, const F& f) const {
    for (int k = 0; k < view.found[p]; ++k) f(view.contacts[p * most_contacts + k]);
  }
  template <class Team, class F>
  PANTA_HD void each_contact(const Team& team, const F& f) const {
    team.each(view.count, [&](Index p) { each_of_pair(p, f); });
  }
  // The same where f changes bodies.
  template <class Team, class F>
  PANTA_HD void in_turn(const Team& team, const F& f) const {
    const int count = colours[view.count];
    for (int colour = 0; colour < count; ++colour) {
      team.each(view.count, [&](Index p) {
        if (colours[p] == colour) each_of_pair(p, f);
      });
      team.wait();
    }
  }

  // The velocities of two bodies that touch.
  struct Motion {
    Vec3d velocity, spin, other_velocity, other_spin;
  };
  PANTA_HD Motion motion_at(const BodyContact& c) const {
    const SolvedBody &a = bodies[c.body], &b = bodies[c.other];
    return {a.velocity, a.spin, b.velocity, b.spin};
  }

  // Of the first body's place against the other's.
  PANTA_HD static double speed(const BodyContact& c, int way, const Motion& m) {
    return dot(c.way[way], m.velocity - m.other_velocity + c.carried) +
           (dot(c.lever[way], m.spin) - dot(c.other_lever[way], m.other_spin));
  }
  // The same along the normal, without what forces gave just now.
  PANTA_HD double approach_before(const BodyContact& c) const {
    const SolvedBody &a = bodies[c.body], &b = bodies[c.other];
    return speed(c, 0,
                 {a.velocity - a.gained, a.spin - a.gained_spin, b.velocity - b.gained,
                  b.spin - b.gained_spin});
  }

  PANTA_HD void push(const BodyContact& c, int way, double impulse, Motion& m) const {
    m.velocity += c.way[way] * (impulse * bodies[c.body].inverse_mass);
    m.spin += c.spin[way] * impulse;
    m.other_velocity -= c.way[way] * (impulse * bodies[c.other].inverse_mass);
    m.other_spin -= c.other_spin[way] * impulse;
  }
  PANTA_HD void set_motion(const BodyContact& c, const Motion& m) const {
    if (c.body < body_count) {
      bodies[c.body].velocity = m.velocity;
      bodies[c.body].spin = m.spin;
    }
    if (c.other < body_count) {
      bodies[c.other].velocity = m.other_velocity;
      bodies[c.other].spin = m.other_spin;
    }
  }

  // Stops the slip, then brings the velocity along the normal to `wanted` at least; returns by how
  // much that changed.
  PANTA_HD double improve(BodyContact& c, double wanted) const {
    Motion m = motion_at(c);
    if (c.friction > 0) rub(c, m);
    const double old = c.impulse[0], sum = old + (wanted - speed(c, 0, m)) * c.mass[0];
    c.impulse[0] = sum > 0 ? sum : 0;
    const double change = c.impulse[0] - old;
    push(c, 0, change, m);
    set_motion(c, m);
    return fabs(change) / c.mass[0];
  }

  PANTA_HD void rub(BodyContact& c, Motion& m) const {
    double sum[2], size = 0;
    for (int k = 0; k < 2; ++k) {
      sum[k] = c.impulse[1 + k] - speed(c, 1 + k, m) * c.mass[1 + k];
      size += sum[k] * sum[k];
    }
    const double most = c.friction * c.impulse[0];
    const double share = size > most * most ? most / sqrt(size) : 1;
    for (int k = 0; k < 2; ++k) {
      push(c, 1 + k, sum[k] * share - c.impulse[1 + k], m);
      c.impulse[1 + k] = sum[k] * share;
    }
  }

  PANTA_HD static double gap(const BodyContact& c) { return c.distance > 0 ? c.distance : 0; }

  PANTA_HD void begin_as_before(const BodyContact& c) const {
    Motion m = motion_at(c);
    for (int way = 0; way < 3; ++way) push(c, way, c.impulse[way], m);
    set_motion(c, m);
  }
  PANTA_HD static Vec3d sum_of(const Vec3d (&parts)[3], const double (&shares)[3]) {
    return parts[0] * shares[0] + parts[1] * shares[1] + parts[2] * shares[2];
  }
  PANTA_HD void keep(Index p, double h) const {
    view.kept[p] = view.found[p];
    for (int k = 0; k < view.found[p]; ++k) {
      const BodyContact& c = view.contacts[p * most_contacts + k];
      view.pushes[p * most_contacts + k] = {c.own_place,
                                            to_float(sum_of(c.way, c.impulse) * (1 / h))};
    }
  }

  template <class Team>
  PANTA_HD void solve_velocities(const Team& team, double h) const {
    in_turn(team, [&](const BodyContact& c) { begin_as_before(c); });
    double enough = 0;
    for (int turn = 0; turn < (keeps ? most_turns : estimate_turns); ++turn) {
      double largest = 0;
      in_turn(team, [&](BodyContact& c) {
        const double change = improve(c, -gap(c) / h);
        largest = change > largest ? change : largest;
      });
      largest = team.largest(largest);
      if (turn == 0) enough = 1e-4 * largest + 1e-7;
      if (largest < enough) break;
    }
  }

  // What contacts have made of velocities so far becomes the bodies'.
  template <class Team>
  PANTA_HD void close(const Team& team) const {
    team.each(body_count, [&](Index b) {
      states[b].velocity = bodies[b].velocity;
      states[b].angular_momentum = bodies[b].angular_momentum;
    });
    team.wait();
    in_turn(team, [&](const BodyContact& c) {
      if (c.body < body_count) states[c.body].angular_momentum += sum_of(c.lever, c.impulse);
      if (c.other < body_count)
        states[c.other].angular_momentum -= sum_of(c.other_lever, c.impulse);
    });
  }

  // How far the first body's place has been shifted away from the other's.
  PANTA_HD double shifted(const BodyContact& c) const {
    const SolvedBody &a = bodies[c.body], &b = bodies[c.other];
    return dot(c.way[0], a.shift - b.shift) +
           (dot(c.lever[0], a.turn) - dot(c.other_lever[0], b.turn));
  }
  PANTA_HD void shift(const BodyContact& c, double by) const {
    SolvedBody &a = bodies[c.body], &b = bodies[c.other];
    if (c.body < body_count) {
      a.shift += c.way[0] * (by * a.inverse_mass);
      a.turn += c.spin[0] * by;
    }
    if (c.other < body_count) {
      b.shift -= c.way[0] * (by * b.inverse_mass);
      b.turn -= c.other_spin[0] * by;
    }
  }

  template <class Team>
  PANTA_HD void solve_shifts(const Team& team, double h) const {
    constexpr double part = 0.2;  // of what is too deep, in a substep
    double deepest = 0;
    each_contact(team, [&](BodyContact& c) {
      const double now = c.distance + h * speed(c, 0, motion_at(c));
      c.distance = -part * (now + c.slop);  // what it is to be shifted by
      deepest = c.distance > deepest ? c.distance : deepest;
    });
    if (!(team.largest(deepest) > 0)) return;
    for (int turn = 0; turn < most_shift_turns; ++turn) {
      double largest = 0;
      in_turn(team, [&](BodyContact& c) {
        const double old = c.shift, sum = old + (c.distance - shifted(c)) * c.mass[0];
        c.shift = sum > 0 ? sum : 0;
        shift(c, c.shift - old);
        const double change = fabs(c.shift - old) / c.mass[0];
        largest = change > largest ? change : largest;
      });
      if (team.largest(largest) < 1e-8) break;
    }
    team.each(body_count, [&](Index b) {
      states[b].place += bodies[b].shift;
      states[b].rotation = normalized(turn_by(bodies[b].turn) * states[b].rotation);
    });
  }

  // Whether any did.
  template <class Team>
  PANTA_HD bool bounce(const Team& team) const {
    double any = 0;
    const auto bounces = [](const BodyContact& c) {
      return c.restitution > 0 && c.impulse[0] > 0 && c.approach < 0;
    };
    each_contact(team, [&](const BodyContact& c) { any = bounces(c) ? 1 : any; });
    if (!(team.largest(any) > 0)) return false;
    for (int turn = 0; turn < bounce_turns; ++turn)
      in_turn(team, [&](BodyContact& c) {
        if (bounces(c)) improve(c, -c.restitution * c.approach);
      });
    return true;
  }
};

}  // namespace panta
