// Free bodies with no-slip surfaces, as unknowns of the implicit viscosity.
//
// Walls move as the method expects for the step, evenly from their speed at its start; a body of
// mass M and inertia I deviates from that by (u, w), a velocity and a spin times the body's radius
// l. Its six rows are
//
//   M u + time sum_i drag_i s_i = M u_0,          s_i = (u + (w/l) x r_i - (v_i - v_wall))_t
//   I w/l^2 + time sum_i (r_i/l) x drag_i s_i = I w_0/l^2,    u_0, w_0 = 0 in the first stage
//
// with r_i from the centre to the surface, so that a body that is light compared with the drag is
// as stable as the liquid. All is over the mass of a particle of the heaviest material. The forces
// of particles are stored per contact and summed to the body's impulse at the end
// (bodies/wall_forces.h). Sums go over fixed chunks of particles, then over chunks.
#pragma once

#include "panta/bodies/wall_forces.h"
#include "panta/viscosity/viscous_operator.h"

namespace panta {

struct ViscousBodySum {
  static constexpr int count = 6;
  double value[count] = {};
};

// The change of a body's motion by viscosity in the step: u and w.
struct ViscousBodyChange {
  float value[6] = {};
};

enum class BodyRows {
  diagonal,  // of the sums alone
  walls,     // what the expected motion adds to the right-hand side
  times,     // the sums in A x
  force      // time L of the records, the bodies' change and the expected motion
};

// One team per chunk.
template <class D>
struct SumBodyRows {
  ViscousPairs<D> pairs;
  ViscousTime time;
  BodyRows rows;
  StepGate gate;
  const std::uint32_t* living;
  Index particles;
  int bodies;
  double* chunk_hits;
  ViscousBodySum* sums;  // by chunk and body, where the chunk has particles near one

  template <class Team>
  PANTA_HD void operator()(Index chunk, const Team& team) const {
    const ParticleChunk part = ParticleChunk::of(chunk, particles);
    const double found = part.count_hits(team, gate, chunk_hits, [&](Index i) { return near(i); });
    if (!(found > 0)) return;
    for (int b = 0; b < bodies; ++b)
      part.sum_up(team, bodies, b, sums, [&](ViscousBodySum& sum, Index i) {
        if (near(i)) add(sum, b, i);
      });
  }

 private:
  PANTA_HD bool near(Index i) const {
    const NearWalls& walls = pairs.walls.near;
    return static_cast<std::uint32_t>(i) < *living && walls.counts && walls.counts[i] > 0 &&
           pairs.records.get(i).second.w > 0;
  }
  PANTA_HD void add(ViscousBodySum& sum, int b, Index i) const {
    const auto self = pairs.self(i);
    const float size = time() * self.viscosity * self.weight;
    pairs.walls.each(i, self.x, [&](const WallContact& c, float drag, Index) {
      if (c.free_body != b) return;
      const Vec3 arm = pairs.walls.arm(c, self.x);
      if (rows == BodyRows::diagonal) return add_diagonal(sum, c.normal, arm, drag * size);
      Vec3 slip;  // of the body along the liquid
      if (rows == BodyRows::walls) {
        slip = -pairs.walls.velocity(c, self.x);
      } else {
        slip = pairs.walls.change(c, self.x) - self.v;
        if (rows == BodyRows::force) slip += pairs.walls.velocity(c, self.x);
      }
      const Vec3 f = along_wall(slip, c.normal) * (drag * size), turn = cross(arm, f);
      for (int axis = 0; axis < 3; ++axis) {
        sum.value[axis] += f[axis];
        sum.value[3 + axis] += turn[axis];
      }
    });
  }
  PANTA_HD static void add_diagonal(ViscousBodySum& sum, const Vec3& n, const Vec3& arm,
                                    float drag) {
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 unit;
      unit[axis] = 1;
      const Vec3 moved = along_wall(unit, n), turned = along_wall(cross(unit, arm), n);
      sum.value[axis] += double(drag) * dot(moved, moved);
      sum.value[3 + axis] += double(drag) * dot(turned, turned);
    }
  }
};

// Bodies at the start of a solve: of a step, or of a substep after those of `changes`.
struct StartBodies {
  StepGate gate;
  const FreeBodySpec* specs;
  const FreeBodyState *states, *ends;
  const BodyDeviation* deviations;  // null: none
  const ViscousBodyChange* changes;
  bool first;
  ViscousBodyStart* starts;  // result

  PANTA_HD void operator()(Index b) const {
    if (gate.closed()) return;
    const FreeBodyState& state = states[b];
    if (first) {
      starts[b] = {to_float(state.velocity), to_float(spin_of(specs[b], state))};
      return;
    }
    const double per_time = 1 / gate.state->dt;
    const Vec3d turned = rotation_vector(ends[b].rotation * conjugate(state.rotation));
    const float* u = changes[b].value;
    const float per_radius = static_cast<float>(1 / specs[b].radius);
    Vec3 velocity = to_float((ends[b].place - state.place) * per_time);
    Vec3 spin = to_float(turned * per_time);
    if (deviations) velocity += deviations[b].velocity, spin += deviations[b].spin;
    starts[b] = {velocity + Vec3{u[0], u[1], u[2]}, spin + Vec3{u[3], u[4], u[5]} * per_radius};
  }
};

// One team per body: completes the sums of SumBodyRows.
struct EndBodyRows {
  BodyRows rows;
  StepGate gate;
  const FreeBodySpec* specs;
  const FreeBodyState* states;
  const double* chunk_hits;
  const ViscousBodySum* sums;
  Index chunks;
  int bodies;
  double unit_mass;  // kg
  ViscousBodyChange* changes;
  const float* in;  // tails of vectors of unknowns
  float *out, *inverse_diagonal, *solution;

  template <class Team>
  PANTA_HD void operator()(Index b, const Team& team) const {
    if (gate.closed()) return;
    const ViscousBodySum total = sum_of_chunks(team, chunks, bodies, b, sums,
                                               [&](Index chunk) { return chunk_hits[chunk] > 0; });
    team.each(1, [&](Index) { end(b, total); });
  }

 private:
  // M v of a vector of six.
  PANTA_HD void times_mass(Index b, const float* v, double (&result)[6]) const {
    const FreeBodySpec& spec = specs[b];
    const Mat3d turn = rotation(states[b].rotation);
    const double per_unit = 1 / (unit_mass * spec.radius * spec.radius);
    const Vec3d w = turn * (spec.inertia * (transpose(turn) * Vec3d{v[3], v[4], v[5]})) * per_unit;
    for (int axis = 0; axis < 3; ++axis) {
      result[axis] = v[axis] * (spec.mass / unit_mass);
      result[3 + axis] = w[axis];
    }
  }
  PANTA_HD bool moves(Index b, int k) const { return !specs[b].flat || k < 2 || k == 5; }

  PANTA_HD void end(Index b, const ViscousBodySum& total) const {
    float* const change = changes[b].value;
    double mass[6];
    if (rows == BodyRows::diagonal) return end_diagonal(b, total);
    if (rows == BodyRows::force) return take(b, total);
    times_mass(b, rows == BodyRows::times ? in + 6 * b : change, mass);
    for (int k = 0; k < 6; ++k) {
      out[6 * b + k] = moves(b, k) ? static_cast<float>(mass[k] + total.value[k]) : 0.0f;
      if (rows == BodyRows::walls && solution) solution[6 * b + k] = change[k];
    }
  }
  PANTA_HD void end_diagonal(Index b, const ViscousBodySum& total) const {
    for (int k = 0; k < 6; ++k) {
      changes[b].value[k] = 0;
      float unit[6] = {};
      unit[k] = 1;
      double mass[6];
      times_mass(b, unit, mass);
      inverse_diagonal[6 * b + k] =
          moves(b, k) ? static_cast<float>(1 / (mass[k] + total.value[k])) : 0.0f;
    }
  }
  // The change by the force of a stage.
  PANTA_HD void take(Index b, const ViscousBodySum& total) const {
    const FreeBodySpec& spec = specs[b];
    const double* f = total.value;
    const Vec3d turning = inverse_inertia(spec, states[b].rotation) * Vec3d{f[3], f[4], f[5]} *
                          (unit_mass * spec.radius * spec.radius);
    for (int axis = 0; axis < 3; ++axis) {
      if (moves(b, axis))
        changes[b].value[axis] -= static_cast<float>(f[axis] * unit_mass / spec.mass);
      if (moves(b, 3 + axis)) changes[b].value[3 + axis] -= static_cast<float>(turning[axis]);
    }
  }
};

// The same in a substep, for FreeBodies::push_in_substep.
template <class D>
struct BodyDragInSubstep {
  ViscousWalls<D> walls;
  Field4View<D> place;
  const Vec3* impulses;
  const std::uint32_t* living;
  ViscousTime time;
  float unit_mass;

  PANTA_HD bool takes_part(Index i) const {
    return static_cast<std::uint32_t>(i) < *living && walls.near.counts[i] > 0;
  }
  template <class Visit>
  PANTA_HD void each(Index i, const Visit& visit) const {
    const Vec3 x = place.xyz(i);
    const float scale = unit_mass * time();
    walls.each(i, x, [&](const WallContact& c, float, Index k) {
      if (c.free_body >= 0)
        visit(c.free_body, x - c.normal * c.distance,
              to_double(impulses[i * ContactSet::most + k] * scale));
    });
  }
};

// The impulses of a solve on free bodies, for FreeBodies::take_wall_forces.
template <class D>
struct BodyDrag {
  ViscousWalls<D> walls;
  Field4View<D> place;
  const Vec3* impulses;  // on particles, by particle and contact, over the unit mass
  const std::uint32_t* living;
  const StepState* state;
  float unit_mass;

  PANTA_HD bool near(Index i) const {
    return static_cast<std::uint32_t>(i) < *living && walls.near.counts && walls.near.counts[i] > 0;
  }
  template <class Visit>
  PANTA_HD void each(Index i, const Visit& visit) const {
    const Vec3 x = place.xyz(i);
    const float per_time = unit_mass / static_cast<float>(state->dt);
    walls.each(i, x, [&](const WallContact& c, float, Index k) {
      if (c.free_body >= 0)
        visit(c.free_body, x - c.normal * c.distance,
              impulses[i * ContactSet::most + k] * per_time);
    });
  }
};

}  // namespace panta
