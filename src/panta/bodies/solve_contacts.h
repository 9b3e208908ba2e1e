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
// All is done by one thread in a fixed order: it is a handful of bodies, and the result is then the
// same on every machine. A rigid-body library would be of no use here: it would take the bodies to
// the host and back in every step, which is otherwise one recorded graph on the device.
#pragma once

#include "panta/bodies/body_contact.h"

namespace panta {

// A body while its contacts are being solved.
struct SolvedBody {
  Vec3d velocity, spin, angular_momentum;
  Vec3d gained, gained_spin;  // by forces in this substep
  Vec3d shift, turn;          // out of other bodies
  Mat3d inverse_inertia;
  double inverse_mass = 0;
};

struct SolveBodyContacts {
  PairsView view;
  const FreeBodySpec* specs;
  FreeBodyState* states;
  const FreeBodyState *before, *pushed;  // at the step's start, and with what forces gave since
  SolvedBody* bodies;
  int* list;     // contacts in use
  int* touched;  // by body: 1 where it came near another in the step
  StepGate gate;
  int body_count, substeps;
  bool keeps;  // pushes for the next time

  static constexpr int most_turns = 60, most_shift_turns = 20, bounce_turns = 8;

  PANTA_HD void operator()(Index) const {
    if (gate.closed()) return;
    const double h = gate.state->dt / substeps;
    for (int b = 0; b < body_count; ++b) open(b);
    const int count = gather();
    if (count > 0) solve_velocities(count, h);
    if (keeps) keep(h);
    move(h);
    if (count == 0) return;
    solve_shifts(count, h);
    bounce(count);
  }

 private:
  PANTA_HD void open(int b) const {
    SolvedBody& body = bodies[b];
    const FreeBodyState& s = states[b];
    body.inverse_mass = 1 / specs[b].mass;
    body.inverse_inertia = inverse_inertia(specs[b], s.rotation);
    const double share = 1.0 / substeps;
    const Vec3d gained = (pushed[b].angular_momentum - before[b].angular_momentum) * share;
    body.gained = (pushed[b].velocity - before[b].velocity) * share;
    body.gained_spin = body.inverse_inertia * gained;
    body.velocity = s.velocity + body.gained;
    body.angular_momentum = s.angular_momentum + gained;
    body.spin = body.inverse_inertia * body.angular_momentum;
    body.shift = body.turn = {};
  }

  PANTA_HD int gather() const {
    int count = 0;
    for (Index p = 0; p < view.count; ++p)
      for (int k = 0; k < view.found[p]; ++k) {
        const int c = static_cast<int>(p) * most_contacts + k;
        BodyContact& contact = view.contacts[c];
        contact.approach = dot(relative_velocity(contact, 1.0), contact.normal);
        list[count++] = c;
        if (contact.body >= 0) touched[contact.body] = 1;
        if (contact.other >= 0) touched[contact.other] = 1;
      }
    return count;
  }

  // Of the first body's place against the other's, less a share of what forces gave just now.
  PANTA_HD Vec3d relative_velocity(const BodyContact& c, double less = 0) const {
    Vec3d u = c.carried;
    if (c.body >= 0) {
      const SolvedBody& a = bodies[c.body];
      u += a.velocity - a.gained * less + cross(a.spin - a.gained_spin * less, c.arm);
    }
    if (c.other >= 0) {
      const SolvedBody& b = bodies[c.other];
      u -= b.velocity - b.gained * less + cross(b.spin - b.gained_spin * less, c.other_arm);
    }
    return u;
  }

  PANTA_HD static void push(SolvedBody& body, const Vec3d& arm, const Vec3d& impulse) {
    const Vec3d moment = cross(arm, impulse);
    body.velocity += impulse * body.inverse_mass;
    body.angular_momentum += moment;
    body.spin += body.inverse_inertia * moment;
  }
  PANTA_HD void push(const BodyContact& c, const Vec3d& impulse) const {
    if (c.body >= 0) push(bodies[c.body], c.arm, impulse);
    if (c.other >= 0) push(bodies[c.other], c.other_arm, impulse * -1.0);
  }

  // Brings the velocity along the normal to `wanted` at least; returns by how much it changed.
  PANTA_HD double push_apart(BodyContact& c, double wanted) const {
    const double u = dot(relative_velocity(c), c.normal);
    const double old = c.impulse[0], sum = old + (wanted - u) * c.mass[0];
    c.impulse[0] = sum > 0 ? sum : 0;
    const double change = c.impulse[0] - old;
    push(c, c.normal * change);
    return fabs(change) / c.mass[0];
  }

  PANTA_HD void rub(BodyContact& c) const {
    if (!(c.friction > 0)) return;
    const Vec3d u = relative_velocity(c);
    double sum[2], size = 0;
    for (int k = 0; k < 2; ++k) {
      sum[k] = c.impulse[1 + k] - dot(u, c.tangent[k]) * c.mass[1 + k];
      size += sum[k] * sum[k];
    }
    size = sqrt(size);
    const double most = c.friction * c.impulse[0];
    const double share = size > most ? most / size : 1;
    Vec3d change;
    for (int k = 0; k < 2; ++k) {
      change += c.tangent[k] * (sum[k] * share - c.impulse[1 + k]);
      c.impulse[1 + k] = sum[k] * share;
    }
    push(c, change);
  }

  PANTA_HD static double gap(const BodyContact& c) { return c.distance > 0 ? c.distance : 0; }

  PANTA_HD void begin_as_before(int count) const {
    for (int k = 0; k < count; ++k) {
      const BodyContact& c = view.contacts[list[k]];
      push(c, impulse_of(c));
    }
  }
  PANTA_HD static Vec3d impulse_of(const BodyContact& c) {
    return c.normal * c.impulse[0] + c.tangent[0] * c.impulse[1] + c.tangent[1] * c.impulse[2];
  }
  PANTA_HD void keep(double h) const {
    for (Index p = 0; p < view.count; ++p) {
      view.kept[p] = view.found[p];
      for (int k = 0; k < view.found[p]; ++k) {
        const BodyContact& c = view.contacts[p * most_contacts + k];
        view.pushes[p * most_contacts + k] = {c.own_place, to_float(impulse_of(c) * (1 / h))};
      }
    }
  }

  PANTA_HD void solve_velocities(int count, double h) const {
    begin_as_before(count);
    double enough = 0;
    for (int turn = 0; turn < most_turns; ++turn) {
      double largest = 0;
      for (int k = 0; k < count; ++k) {
        BodyContact& c = view.contacts[list[k]];
        rub(c);
        const double change = push_apart(c, -gap(c) / h);
        largest = change > largest ? change : largest;
      }
      if (turn == 0) enough = 1e-4 * largest + 1e-7;
      if (largest < enough) break;
    }
  }

  PANTA_HD void move(double h) const {
    for (int b = 0; b < body_count; ++b) {
      close(b);
      advance_pose(specs[b], states[b], h);
    }
  }
  PANTA_HD void close(int b) const {
    states[b].velocity = bodies[b].velocity;
    states[b].angular_momentum = bodies[b].angular_momentum;
  }

  // How far the first body's place has been shifted away from the other's.
  PANTA_HD double shifted(const BodyContact& c) const {
    Vec3d x;
    if (c.body >= 0) x += bodies[c.body].shift + cross(bodies[c.body].turn, c.arm);
    if (c.other >= 0) x -= bodies[c.other].shift + cross(bodies[c.other].turn, c.other_arm);
    return dot(x, c.normal);
  }
  PANTA_HD static void shift(SolvedBody& body, const Vec3d& arm, const Vec3d& by) {
    body.shift += by * body.inverse_mass;
    body.turn += body.inverse_inertia * cross(arm, by);
  }

  PANTA_HD void solve_shifts(int count, double h) const {
    constexpr double part = 0.2;  // of what is too deep, in a substep
    bool any = false;
    for (int k = 0; k < count; ++k) {
      BodyContact& c = view.contacts[list[k]];
      const double now = c.distance + h * dot(relative_velocity(c), c.normal);
      c.distance = -part * (now + c.slop);  // what it is to be shifted by
      any = any || c.distance > 0;
    }
    for (int turn = 0; any && turn < most_shift_turns; ++turn) {
      double largest = 0;
      for (int k = 0; k < count; ++k) {
        BodyContact& c = view.contacts[list[k]];
        const double old = c.shift, sum = old + (c.distance - shifted(c)) * c.mass[0];
        c.shift = sum > 0 ? sum : 0;
        const Vec3d by = c.normal * (c.shift - old);
        if (c.body >= 0) shift(bodies[c.body], c.arm, by);
        if (c.other >= 0) shift(bodies[c.other], c.other_arm, by * -1.0);
        const double change = fabs(c.shift - old) / c.mass[0];
        largest = change > largest ? change : largest;
      }
      if (largest < 1e-8) break;
    }
    for (int b = 0; any && b < body_count; ++b) {
      states[b].place += bodies[b].shift;
      states[b].rotation = normalized(turn_by(bodies[b].turn) * states[b].rotation);
    }
  }

  PANTA_HD void bounce(int count) const {
    bool any = false;
    for (int turn = 0; turn < bounce_turns; ++turn)
      for (int k = 0; k < count; ++k) {
        BodyContact& c = view.contacts[list[k]];
        if (!(c.restitution > 0 && c.impulse[0] > 0 && c.approach < 0)) continue;
        any = true;
        rub(c);
        push_apart(c, -c.restitution * c.approach);
      }
    for (int b = 0; any && b < body_count; ++b) close(b);
  }
};

}  // namespace panta
