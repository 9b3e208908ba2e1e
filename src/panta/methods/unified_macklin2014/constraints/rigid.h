// Rigid bodies by shape matching.
//
//   dx_i = s ((Q (r_i - r) + c) - x_i*)                                       eq. 15
//   A = sum_i (x_i* - c) (r_i - r)^T,  Q the rotation nearest to A            eq. 16
//
// c, r: means of the candidates and of the rest positions, s: stiffness. Particles of a body have
// equal masses, so masses cancel.
//
// Contacts. A push u of a particle moves its body, at the particle, by the share
//
//   share_i = (1 + |r_i|^2 / k^2) / n       (at most 1; n particles, k the least radius of
//   gyration)
//
// of u, so that contacts on a few of many particles would be corrected slowly. Contacts therefore
// use the effective mass of the body at the particle, and their corrections are divided by the
// share: the body makes all of the correction, averaged over its contacts (eq. 13 with bodies in
// place of particles). Deformable bodies (stiffness below 1, yield) have share 1.
//
// Plastic flow (section 5.3): a particle displaced from its rest position by more than `yield` adds
// the part `creep` of it to the rest position, and has contacts as a sphere from then on.
//
// Velocities. (x* - x)/dt is a chord: rotation loses spin, 64 per cent in ten seconds at one turn
// per second and 1/120 s. Matching only turns free motion into rigid motion, so a body gets the
// momentum and the angular momentum that its particles had before they were matched:
//
//   V = sum_i u_i / n,   L = sum_i (x_i* - c) x u_i,   v_i = V + I^-1 L x (x_i - c),
//
// u_i = (x_i* - x_i)/dt before the first match of the substep, plus later changes by other
// constraints. Deformable bodies vibrate about that motion and lose a share of the vibration in
// each substep (the damping of Mueller et al. 2007).
#pragma once

#include "panta/core/team.h"
#include "panta/geometry/follow_rotation.h"
#include "panta/methods/unified_macklin2014/substep.h"

namespace panta::unified {

inline constexpr float inner_damping = 0.6f;  // of deformable bodies
inline constexpr float sphere_depth = 1e30f;  // of particles without a surface of their own

struct RigidShape {
  std::uint32_t first = 0, count = 0;  // members
  float stiffness = 1, yield = 0, creep = 0;
  float inverse_gyration2 = 0;  // 1/m2, 1/k^2
  Mat3 inverse_inertia = {};    // of particles of mass one, at rest; 0 about axes without inertia

  PANTA_HD bool keeps_shape() const { return stiffness == 1 && yield == 0; }
};

struct RigidState {
  Quat rotation;
  Vec3 centre;
  Vec3 rest_mean;          // r of those that are left
  Vec3 velocity, angular;  // V and L of the substep so far
  float contacts = 0;      // of the last iteration
};

struct RigidMember {
  Vec3 rest;
  std::uint32_t body = 0;
  Vec3 outward;     // at rest
  float depth = 0;  // |phi|; sphere_depth where it has become a sphere
};

// Bodies on a device, as kernels see them.
template <class D>
struct RigidView {
  const RigidShape* shapes = nullptr;
  RigidState* states = nullptr;
  RigidMember* members = nullptr;
  Index* slots = nullptr;          // of the members, -1: gone
  std::uint32_t first_id = 0;      // members have the ids from here on
  std::uint32_t count = 0;         // members
  Field4View<D> surface;           // by slot: direction outwards and depth
  RecordsView<D, Record4> pushes;  // by slot: sum of contact corrections, and their number

  // Whether a particle is a member, and which.
  PANTA_HD bool find(std::uint32_t id, std::uint32_t& member) const {
    member = id - first_id;
    return member < count;
  }
  // Number of parts into which contacts split a mass: of the body, or of a particle if deformable.
  PANTA_HD float parts(std::uint32_t body, float own_contacts) const {
    const bool whole = shapes[body].keeps_shape();
    return maximum(whole ? states[body].contacts : own_contacts, 1.0f);
  }
  PANTA_HD float share(const RigidMember& m) const {
    const RigidShape& shape = shapes[m.body];
    if (!shape.keeps_shape()) return 1;
    return minimum(
        (1 + dot(m.rest, m.rest) * shape.inverse_gyration2) / static_cast<float>(shape.count),
        1.0f);
  }
};

// Finds the slots of the members after a sort, and their surface in the pose of the body.
template <class D>
struct LocateMembers {
  RigidView<D> bodies;
  const std::uint32_t* ids;
  const std::uint32_t* living;

  PANTA_HD void operator()(Index i) const {
    std::uint32_t m;
    if (static_cast<std::uint32_t>(i) < *living && bodies.find(ids[i], m)) {
      const RigidMember& member = bodies.members[m];
      const Vec3 out = rotation(bodies.states[member.body].rotation) * member.outward;
      bodies.slots[m] = i;
      bodies.surface.set(i, {out.x, out.y, out.z, member.depth});
    } else {
      bodies.surface.set(i, {0, 0, 0, sphere_depth});
    }
  }
};

enum class RigidVelocity { momentum, positions };

template <class D>
struct MatchShapes {
  RigidView<D> bodies;
  Substep<D> substep;
  float relaxation;  // of contacts
  bool averages;     // corrections are divided by their number
  RigidVelocity velocity_update;
  bool closes;  // the substep ends with this group

  // Sums over the particles of a body, relative to its previous centre.
  struct Pose {
    float n = 0, contacts = 0, per_contact = 0;
    Vec3 centre, rest_mean;
    Quat rotation;
  };

  template <class Team>
  PANTA_HD void operator()(Index b, const Team& team) const {
    if (substep.gate.closed()) return;
    const RigidShape shape = bodies.shapes[b];
    const RigidState before = bodies.states[b];
    const Pose pose = matched(shape, before, team);
    if (!(pose.n > 0)) return;
    const RigidState now = moved(shape, before, pose, team);
    team.each(static_cast<Index>(shape.count), [&](Index k) {
      const Index m = static_cast<Index>(shape.first) + k, slot = bodies.slots[m];
      if (slot >= 0) place(shape, now, pose, m, slot);
      if (k == 0) bodies.states[b] = now;
    });
  }

  // The pose of the body after contact corrections.
  template <class Team>
  PANTA_HD Pose matched(const RigidShape& shape, const RigidState& before, const Team& team) const {
    double s[29] = {};
    team.each(static_cast<Index>(shape.count), [&](Index k) {
      const Index m = static_cast<Index>(shape.first) + k, slot = bodies.slots[m];
      if (slot < 0) return;
      const Vec3 x = substep.candidates.get(slot).first.xyz() - before.centre;
      const Vec4 push = bodies.pushes.get(slot).first;
      const Vec3 r = bodies.members[m].rest;
      s[0] += 1;
      s[1] += push.w;
      for (int i = 0; i < 3; ++i) {
        s[2 + i] += x[i];
        s[5 + i] += r[i];
        s[8 + i] += push.xyz()[i];
        for (int j = 0; j < 3; ++j) {
          s[11 + 3 * i + j] += double(x[i]) * r[j];
          s[20 + 3 * i + j] += double(push.xyz()[i]) * r[j];
        }
      }
    });
    team.add_up(s);
    Pose pose;
    if (!(s[0] > 0)) return pose;
    pose.n = static_cast<float>(s[0]);
    // Impulses were computed for the last number of contacts: more contacts get smaller ones.
    const double known = averages ? 1.0 : maximum(before.contacts, 1.0f);
    const bool too_many = shape.keeps_shape() && known < s[1];
    const double contact = s[1] > 0 ? relaxation * (too_many ? known / s[1] : 1.0) : 0.0;
    pose.contacts = static_cast<float>(s[1]);
    pose.per_contact = static_cast<float>(contact);
    Mat3 a;
    for (int i = 0; i < 3; ++i) {
      const double shift = (s[2 + i] + contact * s[8 + i]) / s[0];
      pose.centre[i] = before.centre[i] + static_cast<float>(shift);
      pose.rest_mean[i] = static_cast<float>(s[5 + i] / s[0]);
      for (int j = 0; j < 3; ++j)
        a.row[i][j] =
            static_cast<float>(s[11 + 3 * i + j] + contact * s[20 + 3 * i + j] - shift * s[5 + j]);
    }
    pose.rotation = follow_rotation(a, before.rotation);
    return pose;
  }

  // The position of a particle after contact corrections.
  PANTA_HD Vec3 pushed(Index slot, const Pose& pose) const {
    return substep.candidates.get(slot).first.xyz() +
           bodies.pushes.get(slot).first.xyz() * pose.per_contact;
  }

  // The body's state, with the momentum of its particles.
  template <class Team>
  PANTA_HD RigidState moved(const RigidShape& shape, const RigidState& before, const Pose& pose,
                            const Team& team) const {
    const bool first = substep.counts.iteration == 0;
    const Mat3 turn = rotation(before.rotation);
    const float per_second = 1 / substep.dt();
    double s[6] = {};
    team.each(static_cast<Index>(shape.count), [&](Index k) {
      const Index m = static_cast<Index>(shape.first) + k, slot = bodies.slots[m];
      if (slot < 0) return;
      const Vec3 x = pushed(slot, pose);
      const Vec3 from = first ? substep.position.xyz(slot)
                              : before.centre + turn * (bodies.members[m].rest - before.rest_mean);
      const Vec3 u = (x - from) * per_second, spin = cross(x - pose.centre, u);
      for (int i = 0; i < 3; ++i) s[i] += u[i], s[3 + i] += spin[i];
    });
    team.add_up(s);
    RigidState now{pose.rotation, pose.centre, pose.rest_mean, {}, {}, pose.contacts};
    for (int i = 0; i < 3; ++i) {
      now.velocity[i] = static_cast<float>(s[i]) / pose.n + (first ? 0.0f : before.velocity[i]);
      now.angular[i] = static_cast<float>(s[3 + i]) + (first ? 0.0f : before.angular[i]);
    }
    return now;
  }

  PANTA_HD void place(const RigidShape& shape, const RigidState& now, const Pose& pose, Index m,
                      Index slot) const {
    RigidMember& member = bodies.members[m];
    const Mat3 turn = rotation(now.rotation);
    const Vec3 x = pushed(slot, pose), goal = now.centre + turn * (member.rest - now.rest_mean);
    const Vec3 target = x + (goal - x) * shape.stiffness;
    if (shape.yield > 0) yield(shape, turn, x - goal, member);
    const Vec3 out = turn * member.outward;
    bodies.surface.set(slot, {out.x, out.y, out.z, member.depth});
    const float contacts = bodies.pushes.get(slot).first.w;
    bodies.pushes.set(slot, {{0, 0, 0, 0}});
    const float extra = substep.candidates.get(slot).first.w;
    if (!closes) {
      substep.candidates.set(slot, {{target.x, target.y, target.z, extra}});
      substep.set_multiplier_or_contacts(slot, contacts);
      return;
    }
    const Vec3 began = substep.position.xyz(slot), before = substep.velocity.xyz(slot);
    const Vec3 chord = (target - began) * (1 / substep.dt());
    const Vec3 spin = turn * (shape.inverse_inertia * (transpose(turn) * now.angular));
    const Vec3 whole = now.velocity + cross(spin, goal - now.centre);
    const bool plain = velocity_update == RigidVelocity::positions;
    const Vec3 v =
        shape.keeps_shape() ? (plain ? chord : whole) : chord + (whole - chord) * inner_damping;
    substep.close_at(slot, target, substep.limits.limited(v, before, substep.dt()), contacts);
  }

  PANTA_HD void yield(const RigidShape& shape, const Mat3& turn, const Vec3& displaced,
                      RigidMember& member) const {
    if (!(length(displaced) > shape.yield)) return;
    member.rest += transpose(turn) * displaced * shape.creep;
    member.depth = sphere_depth;
    member.outward = {};
  }
};

}  // namespace panta::unified
