// Contact between particles, with friction at the level of positions.
//
//   C = |x_ij| - r >= 0                                                       eq. 22
//   depth d = r - |x_ij|,  n from j to i
//   push      dx_i = w_i/(w_i + w_j) d n                                      eq. 4 of C
//   slip      t = ((x_i* - x_i) - (x_j* - x_j)) without its part along n      eq. 23
//   friction  dx_i = -w_i/(w_i + w_j) t   if |t| < mu_s d,
//             that times min(mu_k d/|t|, 1) otherwise                         eq. 24
//
// Eq. 24 lacks the minus and eq. 25 applies the mass of i twice; both particles get the same rule
// here with their own weight, so that what one gets the other loses. Corrections are summed over
// the contacts of a particle, walls included, and divided by their number (eq. 13); those of a
// rigid body's particles are left to the body (rigid.h). That division does not keep momentum, for
// the two of a pair may divide by different numbers. With `symmetric` averaging every contact acts
// on its own part m/n of a particle or body of n contacts (as many as in the iteration before, the
// mass splitting that the paper names beside eq. 12; grains keep n where liquids have their
// multiplier): both get the same impulse, and it converges for omega < 2.
//
// Rolling. Spheres that do not turn stand on top of each other like sticks wherever mu is high. A
// sphere that can turn rolls off one or two others whatever mu is, a disk off one, so friction
// between grains acts where both touch more than `rolling` others: as many as there are dimensions
// or more, by default. Chains come down from their free end; in a heap
// almost all grains have more. Walls and bodies rub every grain. Others that are a hair away
// (`near_slack`) count too, lest the number of a grain at rest flicker.
//
// Damp grains resist being drawn apart by F = sigma spacing^(dim - 1), sigma the strength of a
// lattice that is pulled along an axis, and let go when they are `grip` apart. It is the contact's
// own multiplier that may be negative: in a solve of K in a substep
//
//   push  d >= -(w_i + w_j) F dt^2 / K,   friction up to mu (d + (w_i + w_j) F dt^2 / K)
//
// so cohesion never presses grains into each other, and like every push it is the same for both.
// Being bounded, a pull needs no part of the mass for itself: n counts pushes only.
//
// Surfaces of bodies: a particle of one knows how deep it is below the surface and which way is
// out. Of two, the less deep says where to go (eq. 17). Particles near a surface are spheres that
// push one way: a normal that leads into the body is mirrored (eq. 20). Deep ones leave by the way
// to the surface, so that bodies that have got into each other come apart (eq. 18, 19); a little in
// each solve, for the whole depth at once would throw them.
//
// Slip counts from an anchor, not only from the start of the substep: what one solve leaves the
// next takes back. Without that memory a heap flows like a thick liquid, at g dt over the share of
// slip that one solve takes back. A contact must not remember more slip than friction can hold, |t|
// <= mu d: the rest would push for ever in a direction that has passed. What is beyond goes into
// the anchors a of the two, like a push but without moving them:
//
//   a_i += s^2 sum_j d_ij w_i/(w_i + w_j) (1 - held) t / sum_j d_ij,
//
// s the share of sum_j d_ij in contacts that slide. A grain has one anchor for all its contacts,
// and what moves it for one changes the slip of the others. So the mean is weighted by depth: a
// contact that has just closed, with any slip and next to no friction, must not loosen those that
// carry load; and it is small while most of the load is held. (With equal weights heaps in space
// crept for ever, twelve times as fast; with an over-relaxed mean anchors overshoot, and friction
// drives what slides.)
//
// Anchors of dry grains follow in this way and are kept while a grain is at rest; those of grains
// that move start anew at the same time (every `renewal` steps), so that what moves together, as on
// a belt, has no slip. Anchors of solids and damp grains do not follow and are dropped when a
// particle is `reach` away. (Where things bounce slip counts from the start of the substep, because
// the approach is measured along.) Bounce: e times the approach in the substep is added to d.
//
// Mass splitting into n parts bears a relaxation of up to 2, for even if all n contacts hold a
// grain in every direction its error is multiplied by 1 - omega. `splitting_relaxation` is applied
// to n, not to the push, so that a single contact is not overdone: parts = max(n / omega, 1).
//
// The stabilisation of a step leaves grains an overlap of `slack`, which is the elastic compression
// of a heap at rest: parting it anew in every step would lift and drop the heap.
//
// Who touches whom is a number per particle: 0 for liquids, which leave each other to the density
// constraint, -1 for grains that roll and -2 for those held, which touch all, plus what they are
// wider than a spacing (grain_sizes.h), 1 + its body for particles of bodies. Materials that pass
// each other: contact_filter.h.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/contact_anchors.h"
#include "panta/methods/unified_macklin2014/constraints/contact_filter.h"
#include "panta/methods/unified_macklin2014/constraints/density.h"
#include "panta/methods/unified_macklin2014/constraints/rigid.h"

namespace panta::unified {

inline constexpr float liquid = 0, grain = -1;
inline constexpr float rolls_or_held = -1.5f;  // grains below it are held
inline constexpr float widest = 0.45f;      // spacings, by which a grain may be wider or narrower
inline constexpr float near_slack = 0.01f;  // spacings, between grains that hold each other
inline constexpr float least_slip = 1e-6f;  // spacings
inline constexpr float splitting_relaxation = 1.5f;

// Where the scene leaves it open: between grains, and of bodies.
inline constexpr double friction_of_grains = 0.2, static_friction_of_grains = 0.5;
inline constexpr double usual_static_friction = 0.6;

enum class ContactAveraging { local, global, symmetric };

struct ContactParams {
  float distance = 0, liquid_distance = 0;  // m, r between solids, and between a solid and a liquid
  struct Friction {
    float kinetic = 0, at_rest = 0;
  };
  Friction friction, of_grains;  // with bodies, and between grains
  float relaxation = 1;
  ContactAveraging averaging = ContactAveraging::local;
  float restitution = 0;
  float quiet = 0;     // m, slower approaches in a substep do not bounce
  float grip = 0;      // m, damp grains that are nearer hold on to each other
  float cohesion = 0;  // m/s2, F/K over the mass of what has mobility 1
  float slack = 0;     // m, of the depth of grains that is left
  float way_out = 0;   // m, of a deep particle in a solve
  bool moves_anchors = false;
  float rolling = 0;  // contacts up to which a grain is not rubbed by others
};

// What a grain keeps of its contacts until the next solve, in one number: how many push it, and a
// half where others hold it.
struct KeptContacts {
  float number;

  static PANTA_HD KeptContacts of(float pushing, bool held) {
    return {pushing + (held ? 0.5f : 0.0f)};
  }
  PANTA_HD float parts() const {
    return maximum(floorf(number) * (1 / splitting_relaxation), 1.0f);
  }
  PANTA_HD bool held() const { return number > floorf(number); }
};

// Lower particles count as heavier (eq. 21): e^(-k h) of the mass at height h.
struct ShockPropagation {
  float k = 0;  // 1/m
  Vec3 up;
  float ground = 0;  // m, along up

  PANTA_HD float mobility(float w, const Vec3& x) const {
    return k > 0 ? w * expf(k * (dot(x, up) - ground)) : w;
  }
};

template <class D, bool Bodies>
struct RecordContacts {
  Substep<D> substep;
  Field4View<D> anchors;   // from where slip counts
  RecordsView<D> records;  // result: x* and who it touches, its way from there and w
  const std::uint32_t* phase;
  const std::uint32_t* ids;
  const Substances* substances;
  ShockPropagation shock;
  RigidView<D> bodies;
  ContactAveraging averaging;
  bool rolls;  // a grain may
  const float* radius;
  float inverse_spacing;  // 1/m

  PANTA_HD void operator()(Index i) const {
    const Vec3 x = substep.candidates.get(i).first.xyz(), way = x - anchors.xyz(i);
    const std::uint32_t k = phase[i];
    float w = substep.mobility(i);
    float touches = substances->kind[k] == MaterialKind::liquid ? liquid : grain;
    const bool split = averaging == ContactAveraging::symmetric;
    if (touches == grain) {
      const KeptContacts contacts{substep.multiplier_or_contacts(i)};
      if (contacts.held() || !rolls) touches -= 1;
      touches += minimum(maximum(2 * radius[i] * inverse_spacing - 1, -widest), widest);
      if (split) w *= contacts.parts();
    }
    if constexpr (Bodies) {
      std::uint32_t m;
      if (bodies.find(ids[i], m)) {
        const RigidMember& member = bodies.members[m];
        touches = static_cast<float>(member.body + 1);
        w = substances->mobility[k] * bodies.share(member);
        if (split) w *= bodies.parts(member.body, substep.multiplier_or_contacts(i));
      }
    }
    records.set(i, {{x.x, x.y, x.z, touches}, {way.x, way.y, way.z, shock.mobility(w, x)}});
  }
};

template <class D, bool Bodies>
struct SolveContacts {
  ContactParams params;
  FeltWalls<D> walls;
  WallContactRule wall_rule;
  Field4View<D> anchors;
  RecordsView<D> records;
  Substep<D> substep;
  const std::uint32_t* living;
  const std::uint32_t* ids;
  RigidView<D> bodies;
  ContactFilter<D> filter;
  bool closes;  // the substep ends with this group

  struct Self {
    Vec3 way, out;
    float w;                           // as in the record
    float parts;                       // into which its mass is split
    float untouched;                   // those it does not touch
    float depth;                       // below the surface of its body
    float distance, rub;               // of contacts with solids; 0: liquids do not rub
    float wider;                       // of a grain, what it is wider than a spacing, spacings
    ContactParams::Friction friction;  // with grains
    float held, rubbed;  // 1 for a grain that does not roll; 1 for what all grains rub
    float slack;         // m, of the depth of grains that is left
    float reach, pull;   // m, of contacts beyond their distance; m, per mobility, of damp ones
    MetMaterials<D> met;
  };
  template <class F>
  struct Sum {
    Vec3T<F> move{}, beyond{};  // beyond: slip that friction does not hold, times depth
    F count{}, near{};
    F depth{}, sliding{};  // m, of all contacts, and of those where friction does not hold
  };
  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    const bool wet = r.first.w == liquid;
    const float held = r.first.w < rolls_or_held ? 1.0f : 0.0f;
    const bool split = params.averaging == ContactAveraging::symmetric;
    const float parts =
        split && r.first.w < 0 ? KeptContacts{substep.multiplier_or_contacts(i)}.parts() : 1.0f;
    const float reach = maximum(params.grip - params.distance, near_slack * params.distance);
    const float pull = params.cohesion * substep.dt() * substep.dt();
    Self self{.way = r.second.xyz(),
              .out = {},
              .w = r.second.w,
              .parts = parts,
              .untouched = 1e30f,
              .depth = sphere_depth,
              .distance = params.distance,
              .rub = 1,
              .wider = r.first.w < 0 ? r.first.w - grain + held : 0.0f,
              .friction = r.first.w < 0 ? params.of_grains : params.friction,
              .held = held,
              .rubbed = 0,
              .slack = params.slack,
              .reach = reach,
              .pull = pull,
              .met = filter.of(i)};
    if (wet) self.untouched = liquid, self.distance = params.liquid_distance, self.rub = 0;
    if (r.first.w > 0 || wet) self.held = self.slack = self.reach = self.pull = 0, self.rubbed = 1;
    if constexpr (Bodies) {
      const Vec4 surface = bodies.surface.vec4(i);
      self.out = surface.xyz();
      self.depth = surface.w;
      if (r.first.w > 0) {
        self.untouched = r.first.w;
        if (split)
          self.parts = bodies.parts(static_cast<std::uint32_t>(r.first.w) - 1,
                                    substep.multiplier_or_contacts(i));
      }
    }
    return self;
  }

  // Where a contact pushes, and how deep it is.
  template <class F>
  struct Push {
    Vec3T<F> n;
    F depth;
  };

  template <class F, class J>
  PANTA_HD Push<F> push(const Self& self, const Vec3T<F>& d, F r, F distance, const J& j) const {
    const Vec3T<F> straight = d * reciprocal(r);
    const F gap = maximum(distance - r, 0.0f);
    if constexpr (!Bodies) return {straight, gap};
    const Vec4T<F> theirs = j.vec4(bodies.surface);
    const F least = minimum(theirs.w, self.depth + F{});
    const auto pick = [&](float mine, F other) {
      return where_below(self.depth + F{}, theirs.w, -mine + F{}, other);
    };
    const Vec3T<F> out{pick(self.out.x, theirs.x), pick(self.out.y, theirs.y),
                       pick(self.out.z, theirs.z)};
    const F back = minimum(dot(straight, out), 0.0f);
    const Vec3T<F> outward = straight - out * (back + back);
    // Spheres have no way out: their depth is beyond all others.
    const F buried = where_below(least, 0.5f * sphere_depth + F{}, least - distance, -1.0f + F{});
    const F deep = where_below(F{}, buried, 1.0f + F{}, F{});
    const auto mixed = [&](F a, F b) { return a + deep * (b - a); };
    const F touching = where_below(F{}, gap, 1.0f + F{}, F{});
    const F away = minimum(least, params.way_out + F{});
    return {{mixed(outward.x, out.x), mixed(outward.y, out.y), mixed(outward.z, out.z)},
            where_below(F{}, deep, away * touching, gap)};
  }

  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F r = maximum(square_root(r2), 1e-12f);
    const F kind = j.record.first.w, other = kind - self.untouched;
    const F met = self.met.template share<F>(j);
    const F apart = where_below(other * other, 0.25f + F{}, F{}, met);
    const F dry = where_below(kind * kind, 0.25f + F{}, F{}, 1.0f + F{});
    const F held_too = where_below(kind, rolls_or_held + F{}, 1.0f + F{}, F{});
    const F wider = where_below(kind, -0.5f + F{}, kind - grain + held_too, F{});
    const F usual = params.liquid_distance + dry * (self.distance - params.liquid_distance);
    const F distance = usual * (1.0f + 0.5f * (self.wider + wider));
    const Push<F> contact = push(self, d, r, distance, j);
    const Vec3T<F>& n = contact.n;
    const Vec3T<F> slip{self.way.x - j.record.second.x, self.way.y - j.record.second.y,
                        self.way.z - j.record.second.z};
    const F opening = dot(slip, n);
    const F bounce = params.restitution * maximum(-opening - params.quiet, 0.0f);
    const F depth = apart * where_below(F{}, contact.depth, contact.depth + bounce, F{});
    const F near = where_below(r, distance + self.reach, apart, F{});
    const F touching = where_below(F{}, depth, 1.0f + F{}, F{});
    const F weights = self.w + j.record.second.w;
    const F strength = where_below(kind, -0.5f + F{}, near * self.pull * weights, F{});
    const F tension = minimum(maximum(r - distance, 0.0f), strength);
    const F rubs = where_below(kind, -0.5f + F{}, maximum(self.held * held_too, self.rubbed + F{}),
                               1.0f + F{});
    const F pressed = (depth + (strength - tension)) * rubs;
    const Vec3T<F> t = slip - n * opening;
    const F size = maximum(square_root(dot(t, t)), 1e-20f);
    const F mu =
        where_below(kind, -0.5f + F{}, self.friction.kinetic + F{}, params.friction.kinetic + F{});
    const F mu_at_rest =
        where_below(kind, -0.5f + F{}, self.friction.at_rest + F{}, params.friction.at_rest + F{});
    const F kinetic = minimum(mu * pressed * reciprocal(size), 1.0f + F{});
    const F held = where_below(size, mu_at_rest * pressed, 1.0f + F{}, kinetic) * dry * self.rub;
    const F part = self.w * reciprocal(weights) * (1 / self.parts);
    const F slack = where_below(kind, -0.5f + F{}, self.slack + F{}, F{});
    sum.move += n * (part * (maximum(depth - slack, 0.0f) - tension)) - t * (part * held);
    sum.beyond += t * (self.w * reciprocal(weights) * depth * (1.0f - held));
    sum.depth = sum.depth + depth;
    sum.sliding = sum.sliding + depth * where_below(held, 1.0f + F{}, 1.0f + F{}, F{});
    sum.count = sum.count + touching;
    sum.near = sum.near + near;
  }

  // What part of the sum of its corrections a particle follows.
  PANTA_HD float averaged(bool wet, float count) const {
    const bool divides = params.averaging == ContactAveraging::local || wet;
    return divides && count > 0 && params.averaging != ContactAveraging::global ? 1 / count : 1.0f;
  }

  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    if (substep.gate.closed() || static_cast<std::uint32_t>(i) >= *living) return;
    const Vec3 start = records.get(i).first.xyz(), x = substep.position.xyz(i);
    const Vec4 v = substep.velocity.vec4(i);
    const float extra = substep.candidates.get(i).first.w;
    Vec3 move = sum.move, beyond = sum.beyond;
    float count = sum.count, near = sum.near, depth = sum.depth, sliding = sum.sliding;
    const bool wet = self.untouched == liquid;
    WallContactRule rule = wall_rule;
    rule.slack = self.slack;
    rule.distance *= 1 + self.wider;
    if (!wet)  // liquids meet walls in the density constraint
      walls.each(i, start, [&](const WallContact& c) {
        if (!(c.distance < rule.distance)) return;
        const Vec3 at = rule.resolved(c, x, anchors.xyz(i), anchors.w(i), v.xyz(), start);
        move += (at - start) * (1 / self.parts);
        const Vec3 slip = rule.slip(c, at, anchors.xyz(i), anchors.w(i));
        const float pressed = rule.distance - c.distance;
        beyond += slip * pressed;
        depth += pressed;
        if (length(slip) > least_slip * params.distance) sliding += pressed;
        count += 1;
        near += 1;
      });
    if (params.moves_anchors && depth > 0 && self.rubbed == 0) {
      const float share = sliding / depth;
      anchors.set_xyz(i, anchors.xyz(i) + beyond * (share * share / depth));
    }
    if constexpr (Bodies) {
      std::uint32_t m;
      if (bodies.find(ids[i], m)) {
        const RigidMember& member = bodies.members[m];
        const bool gives_way = !bodies.shapes[member.body].keeps_shape();
        move = move * (gives_way ? averaged(false, count) : 1 / bodies.share(member));
        bodies.pushes.set(i, {{move.x, move.y, move.z, count}});
        return;
      }
    }
    Vec3 target = start;
    if (!substep.is_held(i)) target += move * (params.relaxation * averaged(wet, count));
    const float kept = wet ? v.w : KeptContacts::of(count, near > params.rolling).number;
    if (closes) {
      substep.close(i, x, v.xyz(), target, kept);
    } else {
      substep.set_multiplier_or_contacts(i, kept);
      substep.candidates.set(i, {{target.x, target.y, target.z, extra}});
    }
  }
};

}  // namespace panta::unified
