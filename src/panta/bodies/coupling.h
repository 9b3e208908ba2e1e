// Exchange of impulses between particles and free bodies (Clavet et al. 2005, section 6, the first
// two stages of algorithm 6).
//
// A particle nearer to a body than the collision radius, at x* at the end of the step, has the
// relative velocity
//   u = (x* - x_prev)/dt - V(x*),   u_n = (u . n) n,   u_t = u - u_n.
// If it approaches, u_n is removed, and u_t as far as Coulomb friction allows: completely,
// by J = -K^-1 u, if this impulse is inside the cone |J_t| <= mu J_n or the surface is no-slip,
// else by
//   J = j (n - mu u_t/|u_t|),   j = -u . n / (n . K (n - mu u_t/|u_t|)).
// Deviations: the paper's equation (11) removes a fixed fraction mu of u_t in each step, which
// depends on the number of steps, and gives particle and body different impulses. Here both get the
// same impulse, with
//   K = 1/m + P (1/M - [r] I^-1 [r]),
// where r points from the body's centre to x* and [r] is the matrix of r x. Each of the P touching
// particles has the fraction 1/P of the body's mass and inertia (mass splitting). So any number of
// particles, even if much heavier than the body, never reverses the body's relative motion,
// and repeated passes stop all of them relative to it. P counts all touching particles, not only
// approaching ones, so that it hardly changes between passes.
//
// A sticky body attracts particles near it (equation 12) and gets the opposite impulse: for the
// relative velocity w of sticky_speed, J = -w n / (n . K n), where P counts attracted particles.
//
// The impulse on a particle is computed from its stored positions, so that the total momentum is
// conserved to the last bits. Sums run over fixed chunks of particles, then over chunks: no
// atomics, the same bits in every run.
#pragma once

#include "panta/bodies/chunk_sums.h"
#include "panta/bodies/free_body.h"
#include "panta/core/removed_mark.h"
#include "panta/particles/particle_mass.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta {

// The particles of a step.
template <class D>
struct CoupledParticles {
  Field4View<D> began;     // x_prev, at the start of the step
  Field4View<D> position;  // x*, corrected by the coupling; w != 0: removed
  const std::uint32_t* phase = nullptr;
  ParticleMass mass;
  const std::uint32_t* living = nullptr;  // number of slots with particles; null: all
  const std::uint32_t* held = nullptr;    // not 0: the motion is prescribed; null: of none
  float radius = 0;                       // m, collision radius
  Index count = 0;                        // slots
  float stick_distance = 0;               // m beyond the radius: range of sticky bodies
  const float* radii = nullptr;  // m, by material, at most `radius`; null: all have `radius`

  PANTA_HD float touching(Index i) const { return radii ? radii[phase[i]] : radius; }

  PANTA_HD bool takes_part(Index i) const {
    return !(living && static_cast<std::uint32_t>(i) >= *living) && !(held && held[i]) &&
           !is_removed(position, i);
  }
};

// The effect of a particle on a body in a pass.
struct BodyHit {
  static constexpr int nobody = -1, far = -2;
  Vec3 from;          // position of the particle before its correction
  int body = nobody;  // far: skipped in the following passes
};

// Sums over all hits of a body.
struct BodySum {
  static constexpr int count = 7;
  double value[count] = {};  // impulse, its moment about the centre, number of hits
};

struct CoupledBodies {
  const FreeBodySpec* specs = nullptr;
  FreeBodyState* work = nullptr;  // pose at the start of the step, current velocity
  FreeBodyState* ends = nullptr;  // the resulting pose at the end of the step
  const BodySupport* support = nullptr;
  double* parts = nullptr;  // P, the number of touching particles
  Vec3d* pushes = nullptr;  // kg m/s, total impulse by particles in this step
  BodyLoads* loads = nullptr;
  int count = 0;
};

namespace detail {

struct Approach {
  int body = -1;
  float distance = 1e30f;
  Vec3d normal, velocity;  // outwards; velocity of the surface
  float friction = 0;      // mu
  bool no_slip = false;
  float pull = 0;  // m/s
};

PANTA_HD Mat3d cross_matrix(const Vec3d& r) {
  return {{{0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0}}};
}

}  // namespace detail

// A pass attracts or pushes particles. The first of each kind only counts them (P).
struct CouplingPass {
  bool pulls = false, counts = false;
};

template <class D>
struct PushParticles {
  CoupledBodies bodies;
  WallsView walls;  // at the end of the step
  CoupledParticles<D> particles;
  StepGate gate;
  BodyHit* hits;
  CouplingPass pass;

  PANTA_HD void operator()(Index i) const {
    BodyHit& hit = hits[i];
    if (!pass.counts && hit.body == BodyHit::far) return;
    hit.body = BodyHit::far;
    if (gate.closed() || !particles.takes_part(i)) return;
    const Vec3 x = particles.position.xyz(i), before = particles.began.xyz(i);
    const double dt = gate.state->dt;
    const Vec3d motion = (to_double(x) - to_double(before)) * (1 / dt);
    bool near = false;
    const detail::Approach met = find(i, x, motion, near);
    if (near) hit.body = met.body >= 0 ? met.body : BodyHit::nobody;
    if (pass.counts || met.body < 0) return;
    const double mass = particles.mass(i);
    const Mat3d response = contact_response(met, to_double(x), mass);
    const Vec3d j = pass.pulls ? met.normal * (-met.pull / dot(met.normal, response * met.normal))
                               : impulse(met, response, motion - met.velocity);
    particles.position.set_xyz(i, to_float(to_double(x) + j * (dt / mass)));
    hit.from = x;
  }

 private:
  PANTA_HD float pull_at(const Surface& surface, float distance) const {
    return sticky_speed(surface, distance - particles.radius, particles.stick_distance,
                        static_cast<float>(gate.state->dt));
  }

  // The nearest body that attracts the particle, or that it touches and (unless counting)
  // approaches.
  PANTA_HD detail::Approach find(Index i, const Vec3& x, const Vec3d& motion, bool& near) const {
    detail::Approach best;
    const std::uint32_t material = 1u << particles.phase[i];
    const float touching = particles.touching(i);
    for (int b = 0; b < bodies.count; ++b) {
      const FreeBodySpec& spec = bodies.specs[b];
      const FreeBodyState& end = bodies.ends[b];
      const Vec3d arm = to_double(x) - end.place;
      const double reach =
          spec.radius + particles.radius + maximum(particles.radius, particles.stick_distance);
      if (!(dot(arm, arm) < reach * reach) || !walls.touches(spec.wall, material)) continue;
      near = true;
      const WallBody& wall = walls.bodies[spec.wall];
      const Mat3d turned = rotation(end.rotation);
      const Vec3 own = to_float(transpose(turned) * arm);
      if (!walls.may_be_near(wall, own)) continue;
      const Distance d =
          distance(ShapeView{walls.nodes + wall.solid.first, wall.solid.count, walls.grids}, own);
      const float pull = pull_at(wall.surface, d.value);
      if (!(pass.pulls ? pull > 0 : d.value < touching) || !(d.value < best.distance)) continue;
      const Vec3d normal = turned * to_double(d.normal);
      const Vec3d velocity = velocity_at(end, spin_of(spec, end), to_double(x)) +
                             turned * to_double(wall.surface.velocity);
      if (!pass.pulls && !pass.counts && !(dot(motion - velocity, normal) < 0)) continue;
      best = {
          b,   d.value, normal, velocity, wall.surface.friction_on_liquid(), wall.surface.no_slip,
          pull};
    }
    return best;
  }

  // K: the change of relative velocity per impulse between the particle and its part of the body.
  PANTA_HD Mat3d contact_response(const detail::Approach& met, const Vec3d& x, double mass) const {
    const FreeBodySpec& spec = bodies.specs[met.body];
    const FreeBodyState& end = bodies.ends[met.body];
    const double parts = bodies.parts[met.body] > 1 ? bodies.parts[met.body] : 1;
    const Mat3d arm = detail::cross_matrix(x - end.place);
    const double straight = 1 / mass + parts / spec.mass;
    return diagonal(straight, straight, straight) +
           arm * inverse_inertia(spec, end.rotation) * arm * -parts;
  }

  PANTA_HD Vec3d impulse(const detail::Approach& met, const Mat3d& response, const Vec3d& u) const {
    const Vec3d n = met.normal;
    const double into = dot(u, n);
    const Vec3d along = u - n * into;
    const bool has_friction = met.no_slip || met.friction > 0;
    const Vec3d whole = inverse(response) * (n * into + along * (has_friction ? 1.0 : 0.0)) * -1.0;
    const double across = dot(whole, n);
    const bool sticks =
        !has_friction || met.no_slip || length(whole - n * across) <= met.friction * across;
    if (across > 0 && sticks) return whole;
    const double speed = length(along);
    const Vec3d line =
        has_friction && !met.no_slip && speed > 0 ? n - along * (met.friction / speed) : n;
    const double response_along = dot(n, response * line);
    // With a lever arm, friction could pull the particle inwards.
    return response_along > 0 ? line * (-into / response_along)
                              : n * (-into / dot(n, response * n));
  }
};

// Sums the hits of each chunk, one team per chunk.
template <class D>
struct SumHits {
  CoupledBodies bodies;
  CoupledParticles<D> particles;
  StepGate gate;
  const BodyHit* hits;
  double* chunk_hits;
  BodySum* sums;  // by chunk and body; only of chunks with hits

  template <class Team>
  PANTA_HD void operator()(Index chunk, const Team& team) const {
    const ParticleChunk part = ParticleChunk::of(chunk, particles.count);
    const double found =
        part.count_hits(team, gate, chunk_hits, [&](Index i) { return hits[i].body >= 0; });
    if (!(found > 0)) return;
    for (int b = 0; b < bodies.count; ++b)
      part.sum_up(team, bodies.count, b, sums, [&](BodySum& sum, Index i) {
        if (hits[i].body == b) add(sum, b, i);
      });
  }

 private:
  PANTA_HD void add(BodySum& sum, int b, Index i) const {
    const Vec3d x = to_double(particles.position.xyz(i));
    const double mass = particles.mass(i);
    const Vec3d j = (x - to_double(hits[i].from)) * (mass / gate.state->dt);
    const Vec3d moment = cross(x - bodies.ends[b].place, j);
    for (int axis = 0; axis < 3; ++axis) {
      sum.value[axis] += j[axis];
      sum.value[3 + axis] += moment[axis];
    }
    sum.value[6] += 1;
  }
};

// Applies the opposite impulses to the bodies, one team per body.
struct ApplyHits {
  CoupledBodies bodies;
  const double* chunk_hits;
  const BodySum* sums;
  Index chunks;
  StepGate gate;
  int substeps;
  bool counts;
  BodyWallPoses poses;

  template <class Team>
  PANTA_HD void operator()(Index b, const Team& team) const {
    if (gate.closed()) return;
    const BodySum total = sum_of_chunks(team, chunks, bodies.count, b, sums,
                                        [&](Index chunk) { return chunk_hits[chunk] > 0; });
    team.each(1, [&](Index) {
      if (counts) {
        bodies.parts[b] = total.value[6];
      } else if (total.value[6] > 0) {
        push(b, total);
      }
    });
  }

 private:
  PANTA_HD void push(Index b, const BodySum& total) const {
    const FreeBodySpec& spec = bodies.specs[b];
    FreeBodyState& work = bodies.work[b];
    Vec3d j{-total.value[0], -total.value[1], -total.value[2]};
    if (spec.flat) j.z = 0;
    Vec3d moment{-total.value[3], -total.value[4], -total.value[5]};
    if (spec.flat) moment.x = moment.y = 0;
    work.velocity += j * (1 / spec.mass);
    work.angular_momentum += moment;
    bodies.pushes[b] += j;
    bodies.loads[b].particles.add(j, moment);
    const double dt = gate.state->dt;
    bodies.ends[b] = expected_end(spec, work, bodies.support[b], dt, substeps);
    poses.set(spec, work, bodies.ends[b], dt);
  }
};

}  // namespace panta
