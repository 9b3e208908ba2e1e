// Free bodies in methods that solve constraints in substeps.
//
// The walls move along an expected path in a step: it includes the step's forces, the contacts of
// the body with other bodies (support), and the impulses of particles of the last step. The
// deviation of the body from this path is computed in each substep of length dt,
//
//   v' = v + a dt + J/M,   s' = s + v' dt           (likewise angular momentum L' and rotation)
//
// v: velocity relative to the expected one, s: displacement from the expected position, a: the
// acceleration by forces and support. At the start v is minus the velocity gain of the whole step
// that the path assumes, so that the body falls like particles do. J is the reaction to the
// corrections dx_i of particles by the body, particle by particle, so that momentum is conserved:
//
//   J = - sum_i m_i dx_i / dt,   moment: of each -m_i dx_i / dt at the surface point found
//
// (Normals are those at half of the step. With the moment at x_i a frictionless ball would be
// rotated by particles that move along its surface.)
// To first order a surface point x is displaced by s + turn x (x - centre); the distance of a
// particle decreases by the normal component of this.
//
// A constraint of particle i with slope g_i along the normal n_i depends on the body's position,
// too. Jacobi iteration over the particles around a body converges if each correction is divided
// by at least the largest eigenvalue of sum_i g_i^2 q_i q_i^T, where q_i are the six components of
// its unit impulse on the body, times the mass of a particle of mobility 1. An upper bound of it:
//
//   grip = m (|sum_i g_i^2 n_i n_i^T| / M + sum_i g_i^2 (r_i x n_i) . I^-1 (r_i x n_i)),
//
// |.| is the Frobenius norm: for a ball with particles on all sides 0.58 of the sum of g^2. The
// same sum with g = 1 over touching particles gives contact_grip. The particle's fraction of a
// contact's correction is (1/m_i) / (1/m_i + contact_grip); the body gets the rest.
//
// `lift` is the impulse that a body got from particles in the step, as the acceleration of the same
// volume of liquid. With B = sum g n and b = sum g over the particles around the body, |B|/b is 0
// if they are on all sides and 1/2 if they are around half of a ball: `immersed` is 1 and 0 there.
//
#pragma once

#include "panta/bodies/coupling.h"

namespace panta {

// A body in the form for constraints of particles.
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
  // The particle's fraction of a contact's correction.
  PANTA_HD float share(float mass) const { return 1 / (1 + mass * contact_grip); }
};

// A body in the substeps of a step.
struct BodyInStep {
  Vec3d gained, gained_momentum;  // by forces and support in a substep, m/s and kg m2/s
  Vec3d velocity, momentum;       // relative to the expected path: m/s, kg m2/s
  Vec3d shift, turn;
  BodyLoad pushed;  // by particles, since the start of the step
};

// Displacement and rotation of a body in a step, in addition to those by its velocity at the end.
struct BodyOffset {
  Vec3d shift, turn;
};

struct SubsteppedBodies {
  const FreeBodySpec* specs = nullptr;
  const FreeBodyState* states = nullptr;  // at the start of the step
  FreeBodyState* work = nullptr;
  FreeBodyState* ends = nullptr;  // at the end of the expected path
  const BodySupport* support = nullptr;
  BodyInStep* in_step = nullptr;
  BodyDeviation* deviations = nullptr;
  BodyOffset* offsets = nullptr;
  const BodyLoad* expected = nullptr;  // impulses of particles that the expected path includes
  BodyLoad* last_pushes = nullptr;     // impulses of particles, for the next step
  Vec3d* pushes = nullptr;
  BodyLoads* loads = nullptr;
  int count = 0;
};

// The numbers of substeps in a step.
struct BodySubsteps {
  int substeps = 1;          // of constraints of particles
  int contact_substeps = 1;  // of contacts between bodies, as in expected_end()
};

namespace detail {

PANTA_HD void advance_deviation(const FreeBodySpec& spec, const FreeBodyState& start, BodyInStep& b,
                                double dt) {
  b.velocity += b.gained;
  b.momentum += b.gained_momentum;
  b.shift += b.velocity * dt;
  b.turn += inverse_inertia(spec, start.rotation) * b.momentum * dt;
}

// The body's position for which walls were searched.
PANTA_HD Vec3d middle_of_step(const SubsteppedBodies& bodies, Index b) {
  return (bodies.states[b].place + bodies.ends[b].place) * 0.5;
}

// Updates the values that particles read in a substep.
PANTA_HD void publish_deviation(const SubsteppedBodies& bodies, Index b, const BodyInStep& s,
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

  // Count; g^2 n n^T (6) and its rotational part; n n^T (6) and its part, of touching particles; g
  // and g n.
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
    detail::publish_deviation(bodies, b, s, share);
  }
  PANTA_HD static float immersed(double all, const Vec3d& sum) {
    constexpr double none = 0.3, full = 0.1;  // |B|/b
    if (!(all > 0)) return 0;
    return static_cast<float>(clamp((none - length(sum) / all) / (none - full), 0.0, 1.0));
  }
};

// Sums the terms of `grip` over a chunk of particles, one team per chunk. `Near` is implemented by
// the method:
//   bool takes_part(Index i)
//   each(i, visit)     visit(body, point, normal, slope, touches) per surface of a free body
template <class Near>
struct SumBodyMobilities {
  Near near;
  SubsteppedBodies bodies;
  StepGate gate;
  Index particles;
  double* chunk_hits;
  double* chunk_grips;  // result

  template <class Team>
  PANTA_HD void operator()(Index chunk, const Team& team) const {
    constexpr int sums = OpenBodySubsteps::sums;
    const ParticleChunk part = ParticleChunk::of(chunk, particles);
    const double found =
        part.count_hits(team, gate, chunk_hits, [&](Index i) { return near.takes_part(i); });
    for (int b = 0; b < bodies.count; ++b) {
      double total[sums] = {};
      if (found > 0) {
        const FreeBodySpec& spec = bodies.specs[b];
        const FreeBodyState& body = bodies.states[b];
        const Mat3d inertia_inverse = inverse_inertia(spec, body.rotation);
        const Vec3d centre = detail::middle_of_step(bodies, b);
        team.each(part.count, [&](Index k) {
          const Index i = part.first + k;
          if (!near.takes_part(i)) return;
          near.each(i, [&](int other, const Vec3& x, const Vec3& normal, float slope,
                           bool touches) {
            if (other == b)
              add(total, to_double(x) - centre, to_double(normal), inertia_inverse, slope, touches);
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
                           const Vec3d& n, const Mat3d& inertia_inverse, double slope,
                           bool touches) {
    const Vec3d lever = cross(arm, n);
    const double nn[6] = {n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.y * n.z, n.z * n.x};
    const double turning = dot(lever, inertia_inverse * lever);
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

// Sums the corrections that particles of a chunk got from bodies in a solve, one team per chunk.
// `Pushed` is implemented by the method:
//   bool takes_part(Index i)
//   each(i, visit)     visit(body, point, push) per surface, push = m dx in kg m
template <class Pushed>
struct SumBodyPushes {
  Pushed pushed;
  SubsteppedBodies bodies;
  StepGate gate;
  Index particles;
  const double* chunk_hits;
  const double* chunk_grips;
  BodySum* sums;  // result, by chunk and body; only of chunks with hits

  template <class Team>
  PANTA_HD void operator()(Index chunk, const Team& team) const {
    if (gate.closed() || !(chunk_hits[chunk] > 0)) return;
    const ParticleChunk part = ParticleChunk::of(chunk, particles);
    for (int b = 0; b < bodies.count; ++b) {
      if (!(chunk_grips[(chunk * bodies.count + b) * OpenBodySubsteps::sums] > 0)) continue;
      const Vec3d centre = detail::middle_of_step(bodies, b);
      part.sum_up(team, bodies.count, b, sums, [&](BodySum& sum, Index i) {
        if (!pushed.takes_part(i)) return;
        pushed.each(i, [&](int other, const Vec3& x, const Vec3d& push) {
          if (other != b) return;
          const Vec3d moment = cross(to_double(x) - centre, push);
          for (int axis = 0; axis < 3; ++axis) {
            sum.value[axis] += push[axis];
            sum.value[3 + axis] += moment[axis];
          }
        });
      });
    }
  }
};

// The position of a solve within the step.
struct BodySubstepEnd {
  int substep = 0;         // number of the substep
  bool closes = false;     // last solve of the substep
  bool ends_step = false;  // last solve of the step
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
  BodyWallPoses poses;

  template <class Team>
  PANTA_HD void operator()(Index b, const Team& team) const {
    if (gate.closed()) return;
    const BodySum total = sum_of_chunks(team, chunks, bodies.count, b, sums, [&](Index chunk) {
      return chunk_grips[(chunk * bodies.count + b) * OpenBodySubsteps::sums] > 0;
    });
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
    const Mat3d inertia_inverse = inverse_inertia(spec, bodies.states[b].rotation);
    s.pushed.add(j, moment);
    s.velocity += j * (1 / spec.mass);
    s.momentum += moment;
    s.shift += j * (dt / spec.mass);
    s.turn += inertia_inverse * moment * dt;
    int at = now.substep;
    if (now.ends_step) {
      close(b, s);
    } else if (now.closes) {
      ++at;
      detail::advance_deviation(spec, bodies.states[b], s, dt);
    }
    detail::publish_deviation(bodies, b, s, (at + 1.0) / counts.substeps);
  }

  // The velocity includes all impulses; the position is the one that the substeps have reached.
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
    const Mat3d inertia_inverse = inverse_inertia(spec, work.rotation);
    const Vec3d turned = inertia_inverse * (s.momentum - bodies.support[b].angular_momentum) * dt;
    bodies.offsets[b] = {way - work.velocity * dt, s.turn - turned};
    end.place = work.place + way;
    bodies.ends[b] = end;
    poses.set(spec, work, end, dt);
  }
};

}  // namespace panta
