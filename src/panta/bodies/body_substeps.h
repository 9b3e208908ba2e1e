// Free bodies as walls of a method that solves constraints in substeps.
//
// The walls expect a path for a step: that of the step's forces, of what holds the body (contacts
// with others) and of what particles gave it in the step before. From that path the body deviates,
//
//   v' = v + a dt + J/M,   s' = s + v' dt           (dt: substep; likewise L' and the turn)
//
// v the velocity beyond the expected one, s the displacement from the expected place, a the forces'
// share of a substep (at the start v = - what the path expects to gain, so that the body falls as
// particles do: half of its way in the first half of the step is not done). J is the opposite of
// what particles got from it, particle by particle, so that momentum is kept:
//
//   J = - sum_i m_i dx_i / dt,   its moment: that of -m_i dx_i / dt where the surface was found
//
// (Normals are those of half way through the step. With the moment at x_i itself a smooth ball
// would be turned by what moves along its surface.)
// A place x of the surface is displaced by s + turn x (x - centre), to first order; a particle is
// nearer by the part of that along the normal.
//
// A constraint of particle i with slope g_i along the normal n_i depends on the body's place, too.
// Jacobi iteration over the particles around a body converges if each divides by at least
// the largest eigenvalue of sum_i g_i^2 q_i q_i^T, q_i the six components of its unit push on the
// body, times the mass of a particle of mobility 1. That is at most
//
//   grip = m (|sum_i g_i^2 n_i n_i^T| / M + sum_i g_i^2 (r_i x n_i) . I^-1 (r_i x n_i)),
//
// |.| the Frobenius norm: for a ball all around which particles press, 0.58 of the sum of g^2. The
// same sum with g = 1 over those that touch says which part of a contact's correction is the
// particle's, (1/m_i) / (1/m_i + contact_grip): the rest is what the body may move.
//
// `lift` is what the body got from particles in the step, as the acceleration of as much liquid as
// it has volume. With B = sum g n and b = sum g over the particles around it, |B|/b is zero where
// they are all around the body, 1/2 around a half of a ball: `immersed` falls from 1 to 0 with it.
//
// Sums go over fixed chunks of particles, then over chunks: no atomics.
#pragma once

#include "panta/bodies/coupling.h"

namespace panta {

// A body as the constraints of particles see it.
struct BodyDeviation {
  Vec3 centre;
  Vec3 shift, turn;            // m, rad
  Vec3 velocity, spin;         // m/s, 1/s
  float grip = 0;              // 1/m2, see above, for a particle of mobility 1
  float contact_grip = 0;      // 1/kg
  Vec3 lift;                   // m/s2
  float lift_per_impulse = 0;  // 1/kg
  float immersed = 0;

  PANTA_HD Vec3 shift_at(const Vec3& x) const { return shift + cross(turn, x - centre); }
  PANTA_HD Vec3 velocity_at(const Vec3& x) const { return velocity + cross(spin, x - centre); }
  // The part of a contact's correction that is the particle's.
  PANTA_HD float share(float mass) const { return 1 / (1 + mass * contact_grip); }
};

// A body in the substeps of a step.
struct BodyInStep {
  Vec3d gained, gained_momentum;  // by forces and support in a substep
  Vec3d velocity, momentum;       // beyond the expected ones: m/s, kg m2/s
  Vec3d shift, turn;
  BodyLoad pushed;  // by particles, in the step so far
};

// At the end of a step: where the body is besides where its velocity leads.
struct BodyOffset {
  Vec3d shift, turn;
};

struct SubsteppedBodies {
  const FreeBodySpec* specs = nullptr;
  const FreeBodyState* states = nullptr;  // at the start of the step
  FreeBodyState* work = nullptr;
  FreeBodyState* ends = nullptr;  // where the expected path leads
  const BodySupport* support = nullptr;
  BodyInStep* in_step = nullptr;
  BodyDeviation* deviations = nullptr;
  BodyOffset* offsets = nullptr;
  const BodyLoad* expected = nullptr;  // pushes, as the expected path has them
  BodyLoad* last_pushes = nullptr;     // pushes, for the next step
  Vec3d* pushes = nullptr;
  BodyLoads* loads = nullptr;
  int count = 0;
};

// Of a step.
struct BodySubsteps {
  int substeps = 1;          // of particles
  int contact_substeps = 1;  // of bodies in contact, as expected_end() takes them
};

namespace detail {

PANTA_HD void advance_deviation(const FreeBodySpec& spec, const FreeBodyState& start, BodyInStep& b,
                                double dt) {
  b.velocity += b.gained;
  b.momentum += b.gained_momentum;
  b.shift += b.velocity * dt;
  b.turn += inverse_inertia(spec, start.rotation) * b.momentum * dt;
}

// Where walls were looked for.
PANTA_HD Vec3d middle_of_step(const SubsteppedBodies& bodies, Index b) {
  return (bodies.states[b].place + bodies.ends[b].place) * 0.5;
}

// What particles see in a substep.
PANTA_HD void show_deviation(const SubsteppedBodies& bodies, Index b, const BodyInStep& s,
                             double share_of_step) {
  const FreeBodyState& start = bodies.states[b];
  const Vec3d way = bodies.ends[b].place - start.place;
  BodyDeviation& d = bodies.deviations[b];
  d.centre = to_float(start.place + way * share_of_step + s.shift);
  d.shift = to_float(s.shift);
  d.turn = to_float(s.turn);
  d.velocity = to_float(s.velocity);
  d.spin = to_float(inverse_inertia(bodies.specs[b], start.rotation) * s.momentum);
}

}  // namespace detail

struct OpenBodySubsteps {
  SubsteppedBodies bodies;
  StepGate gate;
  BodySubsteps counts;
  float mass, density;        // kg, kg/m3, of a particle of mobility 1
  const double* chunk_grips;  // by chunk and body
  Index chunks;

  // count; g^2 n n^T, its turning; n n^T of what touches, turning; g, g n
  static constexpr int sums = 19;

  template <class Team>
  PANTA_HD void operator()(Index b, const Team& team) const {
    if (gate.closed()) return;
    double total[sums] = {};
    team.each(chunks, [&](Index chunk) {
      const double* const part = chunk_grips + (chunk * bodies.count + b) * sums;
      if (part[0] > 0)
        for (int k = 0; k < sums; ++k) total[k] += part[k];
    });
    team.add_up(total);
    team.each(1, [&](Index) { open(b, total); });
  }

 private:
  PANTA_HD static double norm(const double* m) {
    return sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2] +
                2 * (m[3] * m[3] + m[4] * m[4] + m[5] * m[5]));
  }

  PANTA_HD void open(Index b, const double (&total)[sums]) const {
    const FreeBodySpec& spec = bodies.specs[b];
    const FreeBodyState &start = bodies.states[b], &work = bodies.work[b];
    const double share = 1.0 / counts.substeps, dt = gate.state->dt * share;
    const BodyLoad& expected = bodies.expected[b];
    BodyInStep s;
    s.gained = work.velocity + bodies.support[b].velocity - start.velocity;
    s.gained_momentum =
        work.angular_momentum + bodies.support[b].angular_momentum - start.angular_momentum;
    s.velocity = (s.gained + expected.impulse * (1 / spec.mass)) * -1.0;
    s.momentum = (s.gained_momentum + expected.moment) * -1.0;
    s.gained = s.gained * share;
    s.gained_momentum = s.gained_momentum * share;
    detail::advance_deviation(spec, start, s, dt);
    bodies.in_step[b] = s;
    BodyDeviation& d = bodies.deviations[b];
    d = {};
    d.grip = static_cast<float>(mass * (norm(total + 1) / spec.mass + total[7]));
    d.contact_grip = static_cast<float>(norm(total + 8) / spec.mass + total[14]);
    d.lift_per_impulse = static_cast<float>(1 / (spec.volume * density));
    d.immersed = immersed(total[15], {total[16], total[17], total[18]});
    detail::show_deviation(bodies, b, s, share);
  }
  PANTA_HD static float immersed(double all, const Vec3d& sum) {
    constexpr double none = 0.3, full = 0.1;  // |B|/b
    if (!(all > 0)) return 0;
    return static_cast<float>(clamp((none - length(sum) / all) / (none - full), 0.0, 1.0));
  }
};

// What particles of a chunk grip, one team per chunk. `Near` is of the method:
//   bool takes_part(Index i)
//   each(i, visit)     visit(body, place, normal, slope, touches) per surface of a free body
template <class Near>
struct FindBodyGrips {
  Near near;
  SubsteppedBodies bodies;
  StepGate gate;
  Index particles;
  double* chunk_hits;
  double* chunk_grips;  // result

  template <class Team>
  PANTA_HD void operator()(Index chunk, const Team& team) const {
    constexpr int sums = OpenBodySubsteps::sums;
    const Index first = chunk * hits_per_chunk, left = particles - first;
    const Index n = left < hits_per_chunk ? left : hits_per_chunk;
    double found[1] = {};
    if (!gate.closed())
      team.each(n, [&](Index k) { found[0] += near.takes_part(first + k) ? 1.0 : 0.0; });
    team.add_up(found);
    team.each(1, [&](Index) { chunk_hits[chunk] = found[0]; });
    for (int b = 0; b < bodies.count; ++b) {
      double total[sums] = {};
      if (found[0] > 0) {
        const FreeBodySpec& spec = bodies.specs[b];
        const FreeBodyState& body = bodies.states[b];
        const Mat3d give = inverse_inertia(spec, body.rotation);
        const Vec3d centre = detail::middle_of_step(bodies, b);
        team.each(n, [&](Index k) {
          if (!near.takes_part(first + k)) return;
          near.each(first + k,
                    [&](int other, const Vec3& x, const Vec3& normal, float slope, bool touches) {
                      if (other == b)
                        add(total, to_double(x) - centre, to_double(normal), give, slope, touches);
                    });
        });
        team.add_up(total);
      }
      team.each(1, [&](Index) {
        for (int k = 0; k < sums; ++k)
          chunk_grips[(chunk * bodies.count + b) * sums + k] = total[k];
      });
    }
  }

 private:
  PANTA_HD static void add(double (&total)[OpenBodySubsteps::sums], const Vec3d& arm,
                           const Vec3d& n, const Mat3d& give, double slope, bool touches) {
    const Vec3d lever = cross(arm, n);
    const double nn[6] = {n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.y * n.z, n.z * n.x};
    const double turning = dot(lever, give * lever);
    total[0] += 1;
    for (int k = 0; k < 6; ++k) total[1 + k] += slope * slope * nn[k];
    total[7] += slope * slope * turning;
    total[15] += slope;
    total[16] += slope * n.x, total[17] += slope * n.y, total[18] += slope * n.z;
    if (!touches) return;
    for (int k = 0; k < 6; ++k) total[8 + k] += nn[k];
    total[14] += turning;
  }
};

// What particles of a chunk got from bodies in a solve, one team per chunk. `Pushed`:
//   bool takes_part(Index i)
//   each(i, visit)     visit(body, place, push) per surface, push: kg m
template <class Pushed>
struct SumBodyPushes {
  Pushed pushed;
  SubsteppedBodies bodies;
  StepGate gate;
  Index particles;
  const double* chunk_hits;
  const double* chunk_grips;
  BodySum* sums;  // result, by chunk and body, where the chunk has hits

  template <class Team>
  PANTA_HD void operator()(Index chunk, const Team& team) const {
    if (gate.closed() || !(chunk_hits[chunk] > 0)) return;
    const Index first = chunk * hits_per_chunk, left = particles - first;
    const Index n = left < hits_per_chunk ? left : hits_per_chunk;
    for (int b = 0; b < bodies.count; ++b) {
      if (!(chunk_grips[(chunk * bodies.count + b) * OpenBodySubsteps::sums] > 0)) continue;
      const Vec3d centre = detail::middle_of_step(bodies, b);
      BodySum sum;
      team.each(n, [&](Index k) {
        if (!pushed.takes_part(first + k)) return;
        pushed.each(first + k, [&](int other, const Vec3& x, const Vec3d& push) {
          if (other != b) return;
          const Vec3d moment = cross(to_double(x) - centre, push);
          for (int axis = 0; axis < 3; ++axis) {
            sum.value[axis] += push[axis];
            sum.value[3 + axis] += moment[axis];
          }
        });
      });
      team.add_up(sum.value);
      team.each(1, [&](Index) { sums[chunk * bodies.count + b] = sum; });
    }
  }
};

// Where a substep stands.
struct BodySubstepEnd {
  int substep = 0;         // that is being solved
  bool closes = false;     // it ends
  bool ends_step = false;  // and the step with it
};

// One team per body.
struct MoveBodies {
  SubsteppedBodies bodies;
  StepGate gate;
  BodySubsteps counts;
  const double* chunk_grips;
  const BodySum* sums;
  Index chunks;
  BodySubstepEnd now;
  Pose *starts, *ends;

  template <class Team>
  PANTA_HD void operator()(Index b, const Team& team) const {
    if (gate.closed()) return;
    BodySum total;
    team.each(chunks, [&](Index chunk) {
      if (!(chunk_grips[(chunk * bodies.count + b) * OpenBodySubsteps::sums] > 0)) return;
      for (int k = 0; k < 6; ++k) total.value[k] += sums[chunk * bodies.count + b].value[k];
    });
    team.add_up(total.value);
    team.each(1, [&](Index) { move(b, total); });
  }

 private:
  PANTA_HD void move(Index b, const BodySum& total) const {
    const FreeBodySpec& spec = bodies.specs[b];
    BodyInStep& s = bodies.in_step[b];
    const double dt = gate.state->dt / counts.substeps;
    Vec3d j = Vec3d{total.value[0], total.value[1], total.value[2]} * (-1 / dt);
    Vec3d moment = Vec3d{total.value[3], total.value[4], total.value[5]} * (-1 / dt);
    if (spec.flat) j.z = moment.x = moment.y = 0;
    const Mat3d give = inverse_inertia(spec, bodies.states[b].rotation);
    s.pushed.add(j, moment);
    s.velocity += j * (1 / spec.mass);
    s.momentum += moment;
    s.shift += j * (dt / spec.mass);
    s.turn += give * moment * dt;
    int at = now.substep;
    if (now.ends_step) {
      close(b, s);
    } else if (now.closes) {
      ++at;
      detail::advance_deviation(spec, bodies.states[b], s, dt);
    }
    detail::show_deviation(bodies, b, s, (at + 1.0) / counts.substeps);
  }

  // The velocity has all pushes; the place is the one that the substeps have led to.
  PANTA_HD void close(Index b, const BodyInStep& s) const {
    const FreeBodySpec& spec = bodies.specs[b];
    FreeBodyState& work = bodies.work[b];
    const double dt = gate.state->dt;
    const Vec3d way = bodies.ends[b].place - bodies.states[b].place + s.shift;
    work.velocity += s.pushed.impulse * (1 / spec.mass);
    work.angular_momentum += s.pushed.moment;
    bodies.pushes[b] += s.pushed.impulse;
    bodies.loads[b].particles.add(s.pushed.impulse, s.pushed.moment);
    bodies.last_pushes[b] = s.pushed;
    BodyDeviation& d = bodies.deviations[b];
    d.lift = to_float(s.pushed.impulse * (d.lift_per_impulse / dt));
    FreeBodyState end = expected_end(spec, work, bodies.support[b], dt, counts.contact_substeps);
    const Mat3d give = inverse_inertia(spec, work.rotation);
    const Vec3d turned = give * (s.momentum - bodies.support[b].angular_momentum) * dt;
    bodies.offsets[b] = {way - work.velocity * dt, s.turn - turned};
    end.place = work.place + way;
    bodies.ends[b] = end;
    starts[spec.slot] = wall_pose(work, work, end, dt);
    ends[spec.slot] = wall_pose(end, work, end, dt);
  }
};

}  // namespace panta
