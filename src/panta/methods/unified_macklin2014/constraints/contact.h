// Contact between particles, with friction at the level of positions.
//
//   C = |x_ij| - r >= 0                                                       eq. 22
//   depth d = r - |x_ij|,  n from j to i
//   push      dx_i = w_i/(w_i + w_j) d n                                      eq. 4 of C
//   slip      t = ((x_i* - x_i) - (x_j* - x_j)) without its part along n      eq. 23
//   friction  dx_i = -w_i/(w_i + w_j) t   if |t| < mu_s d,
//             that times min(mu_k d/|t|, 1) otherwise                         eq. 24
//
// Eq. 24 lacks the minus and eq. 25 applies the mass of i twice. Here both particles have the same
// rule, each with its own weight, so that the two corrections are opposite. Corrections are summed
// over the contacts of a particle, walls included, and divided by their number (eq. 13); those of a
// rigid body's particles are applied to the body (rigid.h). This division does not conserve
// momentum, because the two particles of a pair may divide by different numbers. With `symmetric`
// averaging (the mass splitting that the paper names beside eq. 12) every contact acts on its own
// part m/n of a particle or body of n contacts: both get the same impulse, and it converges for
// omega < 2. n is the number in the iteration before; grains keep it where liquids keep their
// multiplier.
//
// Rolling. Grains do not rotate. Without rotation, stacked spheres stay upright at high friction. A
// sphere that can rotate rolls off one or two others at any mu, a disk off one. So friction between
// grains acts only where both touch more than `rolling` others (by default 2, in two dimensions 1).
// Chains collapse from their free end; in a heap almost all grains have more contacts. Friction
// with walls and bodies acts on every grain; grains within `near_slack` count as contacts, so that
// the count does not alternate at rest.
//
// Damp grains resist separation with F = sigma spacing^(dim - 1), sigma the tensile strength of a
// lattice along an axis, up to a distance of `grip`. The multiplier of the contact may then be
// negative: in each of the K solves of a substep
//
//   push  d >= -(w_i + w_j) F dt^2 / K,   friction up to mu (d + (w_i + w_j) F dt^2 / K)
//
// So cohesion never presses grains into each other, and like every push it is opposite for the two.
// A pull is bounded and needs no part of the mass: n counts pushes only.
//
// Surfaces of bodies. A particle of a body stores its depth below the surface and the outward
// direction. The less deep particle of a pair sets the direction (eq. 17). Particles near a surface
// are one-sided spheres: a normal that points into the body is mirrored (eq. 20). Deep ones are
// pushed towards the surface, so that bodies that overlap separate (eq. 18, 19), by at most
// `deep_push` in each solve: the whole depth at once would give them a high speed.
//
// Slip is measured from an anchor, not only from the start of the substep, so that the next solve
// corrects what one solve leaves. Without anchors a heap flows like a thick liquid, at g dt over
// the share of slip that one solve corrects. The slip of a contact must not exceed what friction
// can hold, |t| <= mu d: the excess would push on in an outdated direction. It moves the anchors a
// of the two, as a push would move the particles:
//
//   a_i += s^2 sum_j d_ij w_i/(w_i + w_j) (1 - held) t / sum_j d_ij,
//
// s the share of sum_j d_ij in sliding contacts. A grain has one anchor for all its contacts, so
// that a change for one changes the slip of the others. The mean is therefore weighted by depth: a
// contact that has just closed, with any slip and almost no friction, must not loosen those that
// carry load; and the factor s^2 is small while most of the load is held. (With equal weights heaps
// in space creep without end, twelve times as fast; with an over-relaxed mean anchors overshoot,
// and friction accelerates sliding grains.)
//
// Anchors of dry grains move in this way and are kept while a grain is at rest; those of moving
// grains are reset at the same time (every `renewal` steps), so that grains that move together, as
// on a belt, have no slip. Anchors of solids and damp grains do not move and are reset when a
// particle is `reach` away. (With restitution slip is measured from the start of the substep,
// because the approach is measured with it.) Restitution: e times the approach in the substep is
// added to d.
//
// Mass splitting into n parts converges for relaxation < 2: even if all n contacts hold a grain in
// every direction its error is multiplied by 1 - omega. `splitting_relaxation` divides n instead of
// multiplying the push, so that a single contact does not overshoot: parts = max(n / omega, 1).
//
// The stabilisation of a step leaves grains an overlap of `slack`, the elastic compression of a
// heap at rest: removing it in every step would lift and drop the heap.
//
// Contact classes: contact_class.h. Materials without contact: contact_filter.h.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/contact_anchors.h"
#include "panta/methods/unified_macklin2014/constraints/contact_class.h"
#include "panta/methods/unified_macklin2014/constraints/contact_filter.h"
#include "panta/methods/unified_macklin2014/constraints/density.h"
#include "panta/methods/unified_macklin2014/constraints/rigid.h"

namespace panta::unified {

inline constexpr float near_slack = 0.01f;  // spacings, gap of grains that count as contacts
inline constexpr float least_slip = 1e-6f;  // spacings

// Defaults: between grains, and of bodies.
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
  float quiet = 0;      // m, slower approaches in a substep do not bounce
  float grip = 0;       // m, up to which damp grains attract each other
  float cohesion = 0;   // m/s2, F/K over the mass of a particle of mobility 1
  float slack = 0;      // m, overlap of grains that is not corrected
  float deep_push = 0;  // m, most for a deep particle in a solve
  bool moves_anchors = false;
  float rolling = 0;  // contacts up to which a grain has no friction with grains
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
  AnchorsView<D> anchors;  // from which slip is measured
  RecordsView<D> records;  // result: x* and contact class, slip path and w
  const std::uint32_t* phase;
  const std::uint32_t* ids;
  const Substances* substances;
  ShockPropagation shock;
  RigidView<D> bodies;
  ContactAveraging averaging;
  bool rolls;  // grains may roll
  const float* radius;
  float inverse_spacing;  // 1/m

  PANTA_HD void operator()(Index i) const {
    const Vec3 x = substep.candidates.get(i).first.xyz(), way = x - anchors.place(i);
    const std::uint32_t k = phase[i];
    float w = substep.mobility(i);
    ContactClass touches = ContactClass::liquid();
    const bool split = averaging == ContactAveraging::symmetric;
    if (substances->kind[k] != MaterialKind::liquid) {
      const KeptContacts contacts{substep.multiplier_or_contacts(i)};
      touches = ContactClass::grain(contacts.held() || !rolls, 2 * radius[i] * inverse_spacing - 1);
      if (split) w *= contacts.parts();
    }
    if constexpr (Bodies) {
      std::uint32_t m;
      if (bodies.find(ids[i], m)) {
        const RigidMember& member = bodies.members[m];
        touches = ContactClass::of_body(member.body);
        w = substances->mobility[k] * bodies.share(member);
        if (split) w *= bodies.parts(member.body, substep.multiplier_or_contacts(i));
      }
    }
    records.set(i, {{x.x, x.y, x.z, touches.code}, {way.x, way.y, way.z, shock.mobility(w, x)}});
  }
};

template <class D, bool Bodies>
struct SolveContacts {
  ContactParams params;
  SubstepWalls<D> walls;
  WallContactRule wall_rule;
  AnchorsView<D> anchors;
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
    ContactClass untouched;            // contact class that it does not touch
    float depth;                       // below the surface of its body
    float distance, frictional;        // of contacts with solids; 0: a liquid
    float wider;                       // excess of a grain's diameter, spacings
    ContactParams::Friction friction;  // with grains
    float held, no_grain;              // 1: a grain that does not roll; 1: not a grain
    float slack;                       // m, overlap of grains that is not corrected
    float reach, pull;  // m, of contacts beyond their distance; m, per mobility, of damp ones
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
    const ContactClass touches{r.first.w};
    const bool split = params.averaging == ContactAveraging::symmetric;
    const float parts = split && touches.is_grain()
                            ? KeptContacts{substep.multiplier_or_contacts(i)}.parts()
                            : 1.0f;
    const float reach = maximum(params.grip - params.distance, near_slack * params.distance);
    const float pull = params.cohesion * substep.dt() * substep.dt();
    Self self{.way = r.second.xyz(),
              .out = {},
              .w = r.second.w,
              .parts = parts,
              .untouched = touches.untouched(),
              .depth = sphere_depth,
              .distance = params.distance,
              .frictional = 1,
              .wider = touches.wider(),
              .friction = touches.is_grain() ? params.of_grains : params.friction,
              .held = touches.held(),
              .no_grain = 0,
              .slack = params.slack,
              .reach = reach,
              .pull = pull,
              .met = filter.of(i)};
    if (touches.is_liquid()) self.distance = params.liquid_distance, self.frictional = 0;
    if (!touches.is_grain()) self.held = self.slack = self.reach = self.pull = 0, self.no_grain = 1;
    if constexpr (Bodies) {
      const Vec4 surface = bodies.surface.vec4(i);
      self.out = surface.xyz();
      self.depth = surface.w;
      if (split && touches.is_of_body())
        self.parts = bodies.parts(touches.body(), substep.multiplier_or_contacts(i));
    }
    return self;
  }

  // Direction and depth of a contact.
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
    // Spheres have no surface: their depth is larger than all others.
    const F buried = where_below(least, 0.5f * sphere_depth + F{}, least - distance, -1.0f + F{});
    const F deep = where_below(F{}, buried, 1.0f + F{}, F{});
    const auto mixed = [&](F a, F b) { return a + deep * (b - a); };
    const F touching = where_below(F{}, gap, 1.0f + F{}, F{});
    const F away = minimum(least, params.deep_push + F{});
    return {{mixed(outward.x, out.x), mixed(outward.y, out.y), mixed(outward.z, out.z)},
            where_below(F{}, deep, away * touching, gap)};
  }

  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F r = maximum(square_root(r2), 1e-12f);
    const ContactClassOf<F> theirs{j.record.first.w};
    const F apart = theirs.unless(self.untouched, self.met.template share<F>(j));
    const F dry = theirs.solid(), held_too = theirs.held();
    const F usual = params.liquid_distance + dry * (self.distance - params.liquid_distance);
    const F distance = usual * (1.0f + 0.5f * (self.wider + theirs.wider(held_too)));
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
    const F strength = theirs.if_grain(near * self.pull * weights, F{});
    const F tension = minimum(maximum(r - distance, 0.0f), strength);
    const F acts = theirs.if_grain(maximum(self.held * held_too, self.no_grain + F{}), 1.0f + F{});
    const F pressed = (depth + (strength - tension)) * acts;
    const Vec3T<F> t = slip - n * opening;
    const F size = maximum(square_root(dot(t, t)), 1e-20f);
    const F mu = theirs.if_grain(self.friction.kinetic + F{}, params.friction.kinetic + F{});
    const F mu_at_rest =
        theirs.if_grain(self.friction.at_rest + F{}, params.friction.at_rest + F{});
    const F kinetic = minimum(mu * pressed * reciprocal(size), 1.0f + F{});
    const F held =
        where_below(size, mu_at_rest * pressed, 1.0f + F{}, kinetic) * dry * self.frictional;
    const F part = self.w * reciprocal(weights) * (1 / self.parts);
    const F slack = theirs.if_grain(self.slack + F{}, F{});
    sum.move += n * (part * (maximum(depth - slack, 0.0f) - tension)) - t * (part * held);
    sum.beyond += t * (self.w * reciprocal(weights) * depth * (1.0f - held));
    sum.depth = sum.depth + depth;
    sum.sliding = sum.sliding + depth * where_below(held, 1.0f + F{}, 1.0f + F{}, F{});
    sum.count = sum.count + touching;
    sum.near = sum.near + near;
  }

  // The factor of the sum of corrections of a particle.
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
    const bool wet = self.untouched.is_liquid();
    WallContactRule rule = wall_rule;
    rule.slack = self.slack;
    rule.distance *= 1 + self.wider;
    if (!wet)  // liquids meet walls in the density constraint
      walls.each(i, start, [&](const WallContact& c) {
        if (!(c.distance < rule.distance)) return;
        const Vec3 at = rule.resolved(c, x, anchors.place(i), anchors.age(i), v.xyz(), start);
        move += (at - start) * (1 / self.parts);
        const Vec3 slip = rule.slip(c, at, anchors.place(i), anchors.age(i));
        const float pressed = rule.distance - c.distance;
        beyond += slip * pressed;
        depth += pressed;
        if (length(slip) > least_slip * params.distance) sliding += pressed;
        count += 1;
        near += 1;
      });
    if (params.moves_anchors && depth > 0 && self.no_grain == 0) {
      const float share = sliding / depth;
      anchors.move(i, beyond * (share * share / depth));
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
    const float kept =
        wet ? multiplier_or_contacts(v) : KeptContacts::of(count, near > params.rolling).number;
    if (closes) {
      substep.close(i, x, v.xyz(), target, kept);
    } else {
      substep.set_multiplier_or_contacts(i, kept);
      substep.candidates.set(i, {{target.x, target.y, target.z, extra}});
    }
  }
};

}  // namespace panta::unified
