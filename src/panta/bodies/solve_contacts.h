// Contacts of free bodies by sequential impulses, in small substeps.
//
// In each substep of length h each contact in turn gets the normal impulse that limits the
// approach, u_n >= -d/h for a gap d > 0 and u_n >= 0 in contact, never pulling; and the tangential
// impulse that stops the slip, at most mu times the normal impulse (Coulomb). The iterations end
// when the impulses hardly change. Then
//   - the bodies move;
//   - remaining penetration is corrected by displacements, which are solved in the same way but do
//     not change velocities, so that they add no kinetic energy;
//   - contacts with an impulse bounce: u_n = -e u_n before the substep. The velocity that forces
//     gave in this substep is excluded from u_n before, so that a body at rest stays at rest under
//     gravity.
// The velocity that forces and particles gave a body in the step is applied in equal parts, one in
// each substep: applied completely in the first one, the body would be weightless in the others,
// and a stack would oscillate.
//
// One team solves all contacts. Pairs of bodies get colours such that no two pairs of one colour
// share a free body: pairs of one colour are solved in parallel, the colours in sequence, in an
// order that is the same on every machine. A rigid-body library is not used: it would copy the
// bodies to the host and back in every step, which is otherwise one recorded graph on the device.
#pragma once

#include "panta/bodies/body_contact.h"

namespace panta {

// A body while its contacts are being solved. The last entry of the array represents everything
// that is not free, and is only read.
struct SolvedBody {
  Vec3d velocity, spin;
  Vec3d gained, gained_spin;  // change of velocity and spin by forces in this substep
  Vec3d shift, turn;          // correction of penetration: displacement (m) and rotation (rad)
  Vec3d angular_momentum;     // before the impulses of contacts
  double inverse_mass = 0;
  std::uint64_t colours = 0;  // colours of its pairs as bits
};

struct SolveBodyContacts {
  PairsView view;
  const FreeBodySpec* specs;
  FreeBodyState* states;
  const FreeBodyState *before, *predicted;  // at the start of the step; velocities after forces
  SolvedBody* bodies;
  int* colours;  // of each pair, followed by the number of colours
  int* touched;  // by body: 1 if it had a contact in the step
  StepGate gate;
  int body_count, substeps;
  bool keeps_forces;  // stores forces for warm starts; false: only an estimate

  static constexpr int most_iterations = 60, estimate_iterations = 20;
  static constexpr int most_shift_iterations = 20, bounce_iterations = 8;

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
    if (keeps_forces) team.each(view.count, [&](Index p) { store_forces(p, h); });
    store_velocities(team);
    team.each(body_count, [&](Index b) { advance_pose(specs[b], states[b], h); });
    team.wait();
    if (!any) return;
    solve_shifts(team, h);
    if (bounce(team)) store_velocities(team);
  }

 private:
  PANTA_HD void open(int b) const {
    SolvedBody& body = bodies[b];
    body = {};
    if (b == body_count) return;
    const FreeBodyState& s = states[b];
    body.inverse_mass = 1 / specs[b].mass;
    const Mat3d inertia_inverse = inverse_inertia(specs[b], s.rotation);
    const double share = 1.0 / substeps;
    const Vec3d gained = (predicted[b].angular_momentum - before[b].angular_momentum) * share;
    body.gained = (predicted[b].velocity - before[b].velocity) * share;
    body.gained_spin = inertia_inverse * gained;
    body.velocity = s.velocity + body.gained;
    body.angular_momentum = s.angular_momentum + gained;
    body.spin = inertia_inverse * body.angular_momentum;
  }

  // Each pair gets the first colour that neither of its bodies has.
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
      if (colour == bits) colour = count > bits ? count : bits;  // no free bit: a separate colour
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
  // The same for functions that change bodies: colour by colour.
  template <class Team, class F>
  PANTA_HD void each_contact_by_colour(const Team& team, const F& f) const {
    const int count = colours[view.count];
    for (int colour = 0; colour < count; ++colour) {
      team.each(view.count, [&](Index p) {
        if (colours[p] == colour) each_of_pair(p, f);
      });
      team.wait();
    }
  }

  // The velocities of two bodies in contact.
  struct Motion {
    Vec3d velocity, spin, other_velocity, other_spin;
  };
  PANTA_HD Motion motion_at(const BodyContact& c) const {
    const SolvedBody &a = bodies[c.body], &b = bodies[c.other];
    return {a.velocity, a.spin, b.velocity, b.spin};
  }

  // Relative velocity along an axis at the contact, of the first body against the other.
  PANTA_HD static double speed(const BodyContact& c, int axis, const Motion& m) {
    return dot(c.axis[axis], m.velocity - m.other_velocity + c.prescribed_velocity) +
           (dot(c.lever[axis], m.spin) - dot(c.other_lever[axis], m.other_spin));
  }
  // The same along the normal, without the velocity that forces gave in this substep.
  PANTA_HD double approach_before(const BodyContact& c) const {
    const SolvedBody &a = bodies[c.body], &b = bodies[c.other];
    return speed(c, 0,
                 {a.velocity - a.gained, a.spin - a.gained_spin, b.velocity - b.gained,
                  b.spin - b.gained_spin});
  }

  PANTA_HD void push(const BodyContact& c, int axis, double impulse, Motion& m) const {
    m.velocity += c.axis[axis] * (impulse * bodies[c.body].inverse_mass);
    m.spin += c.spin[axis] * impulse;
    m.other_velocity -= c.axis[axis] * (impulse * bodies[c.other].inverse_mass);
    m.other_spin -= c.other_spin[axis] * impulse;
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

  // Solves friction, then raises the normal velocity to at least `wanted`; returns the change of
  // velocity, m/s.
  PANTA_HD double solve_contact(BodyContact& c, double wanted) const {
    Motion m = motion_at(c);
    if (c.friction > 0) solve_friction(c, m);
    const double old = c.impulse[0], sum = old + (wanted - speed(c, 0, m)) * c.mass[0];
    c.impulse[0] = sum > 0 ? sum : 0;
    const double change = c.impulse[0] - old;
    push(c, 0, change, m);
    set_motion(c, m);
    return fabs(change) / c.mass[0];
  }

  PANTA_HD void solve_friction(BodyContact& c, Motion& m) const {
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

  PANTA_HD void apply_warm_start(const BodyContact& c) const {
    Motion m = motion_at(c);
    for (int axis = 0; axis < 3; ++axis) push(c, axis, c.impulse[axis], m);
    set_motion(c, m);
  }
  PANTA_HD static Vec3d sum_of(const Vec3d (&parts)[3], const double (&shares)[3]) {
    return parts[0] * shares[0] + parts[1] * shares[1] + parts[2] * shares[2];
  }
  PANTA_HD void store_forces(Index p, double h) const {
    view.warm_start_counts[p] = view.found[p];
    for (int k = 0; k < view.found[p]; ++k) {
      const BodyContact& c = view.contacts[p * most_contacts + k];
      view.warm_starts[p * most_contacts + k] = {c.local_point,
                                                 to_float(sum_of(c.axis, c.impulse) * (1 / h))};
    }
  }

  template <class Team>
  PANTA_HD void solve_velocities(const Team& team, double h) const {
    each_contact_by_colour(team, [&](const BodyContact& c) { apply_warm_start(c); });
    double enough = 0;
    for (int iteration = 0; iteration < (keeps_forces ? most_iterations : estimate_iterations);
         ++iteration) {
      double largest = 0;
      each_contact_by_colour(team, [&](BodyContact& c) {
        const double change = solve_contact(c, -gap(c) / h);
        largest = change > largest ? change : largest;
      });
      largest = team.largest(largest);
      if (iteration == 0) enough = 1e-4 * largest + 1e-7;
      if (largest < enough) break;
    }
  }

  // Writes the velocities, with the impulses of contacts, to the states of the bodies.
  template <class Team>
  PANTA_HD void store_velocities(const Team& team) const {
    team.each(body_count, [&](Index b) {
      states[b].velocity = bodies[b].velocity;
      states[b].angular_momentum = bodies[b].angular_momentum;
    });
    team.wait();
    each_contact_by_colour(team, [&](const BodyContact& c) {
      if (c.body < body_count) states[c.body].angular_momentum += sum_of(c.lever, c.impulse);
      if (c.other < body_count)
        states[c.other].angular_momentum -= sum_of(c.other_lever, c.impulse);
    });
  }

  // Relative displacement along the normal by the corrections, of the first body against the other.
  PANTA_HD double shifted(const BodyContact& c) const {
    const SolvedBody &a = bodies[c.body], &b = bodies[c.other];
    return dot(c.axis[0], a.shift - b.shift) +
           (dot(c.lever[0], a.turn) - dot(c.other_lever[0], b.turn));
  }
  PANTA_HD void shift(const BodyContact& c, double by) const {
    SolvedBody &a = bodies[c.body], &b = bodies[c.other];
    if (c.body < body_count) {
      a.shift += c.axis[0] * (by * a.inverse_mass);
      a.turn += c.spin[0] * by;
    }
    if (c.other < body_count) {
      b.shift -= c.axis[0] * (by * b.inverse_mass);
      b.turn -= c.other_spin[0] * by;
    }
  }

  template <class Team>
  PANTA_HD void solve_shifts(const Team& team, double h) const {
    constexpr double part = 0.2;  // fraction of the penetration that a substep corrects
    double deepest = 0;
    each_contact(team, [&](BodyContact& c) {
      const double now = c.distance + h * speed(c, 0, motion_at(c));
      c.distance = -part * (now + c.slop);  // the required displacement
      deepest = c.distance > deepest ? c.distance : deepest;
    });
    if (!(team.largest(deepest) > 0)) return;
    for (int iteration = 0; iteration < most_shift_iterations; ++iteration) {
      double largest = 0;
      each_contact_by_colour(team, [&](BodyContact& c) {
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

  // Returns whether any contact bounced.
  template <class Team>
  PANTA_HD bool bounce(const Team& team) const {
    double any = 0;
    const auto bounces = [](const BodyContact& c) {
      return c.restitution > 0 && c.impulse[0] > 0 && c.approach < 0;
    };
    each_contact(team, [&](const BodyContact& c) { any = bounces(c) ? 1 : any; });
    if (!(team.largest(any) > 0)) return false;
    for (int iteration = 0; iteration < bounce_iterations; ++iteration)
      each_contact_by_colour(team, [&](BodyContact& c) {
        if (bounces(c)) solve_contact(c, -c.restitution * c.approach);
      });
    return true;
  }
};

}  // namespace panta
