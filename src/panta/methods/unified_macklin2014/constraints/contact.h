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
// the contacts of a particle, walls included, and divided by their number (eq. 13).
//
// Who touches whom is a number per particle: 0 for liquids, which leave each other to the density
// constraint, grain for grains, which touch all.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/density.h"

namespace panta::unified {

inline constexpr float liquid = 0, grain = -1;

struct ContactParams {
  float distance = 0;  // m, r
  float friction = 0, static_friction = 0;
  float relaxation = 1;
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

template <class D>
struct RecordContacts {
  Substep<D> substep;
  RecordsView<D> records;  // result: x* and who it touches, its way in this substep and w
  const std::uint32_t* phase;
  const Substances* substances;
  ShockPropagation shock;

  PANTA_HD void operator()(Index i) const {
    const Vec3 x = substep.candidates.get(i).first.xyz(), way = x - substep.position.xyz(i);
    const std::uint32_t k = phase[i];
    const float w = shock.mobility(substances->mobility[k], x);
    records.set(
        i, {{x.x, x.y, x.z, substances->granular[k] ? grain : liquid}, {way.x, way.y, way.z, w}});
  }
};

template <class D>
struct SolveContacts {
  ContactParams params;
  FeltWalls<D> walls;
  WallContactRule wall_rule;
  RecordsView<D> records;
  Substep<D> substep;
  const std::uint32_t* living;
  bool closes;  // the substep ends with this group

  struct Self {
    Vec3 way;
    float w;
    float untouched;  // those it does not touch
  };
  template <class F>
  struct Sum {
    Vec3T<F> move{};
    F count{};
  };
  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    return {r.second.xyz(), r.second.w, r.first.w == liquid ? liquid : 1e30f};
  }

  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F r = maximum(square_root(r2), 1e-12f);
    const F other = j.record.first.w - self.untouched;
    const F depth =
        where_below(other * other, 0.25f + F{}, F{}, maximum(params.distance - r, 0.0f));
    const F touching = where_below(F{}, depth, 1.0f + F{}, F{});
    const Vec3T<F> n = d * (1.0f / r);
    const Vec3T<F> slip{self.way.x - j.record.second.x, self.way.y - j.record.second.y,
                        self.way.z - j.record.second.z};
    const Vec3T<F> t = slip - n * dot(slip, n);
    const F size = maximum(square_root(dot(t, t)), 1e-20f);
    const F kinetic = minimum(params.friction * depth / size, 1.0f + F{});
    const F held = where_below(size, params.static_friction * depth, touching, kinetic);
    const F share = self.w / (self.w + j.record.second.w);
    sum.move += n * (share * depth) - t * (share * held);
    sum.count = sum.count + touching;
  }

  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    if (substep.gate.closed() || static_cast<std::uint32_t>(i) >= *living) return;
    const Vec3 start = records.get(i).first.xyz(), x = substep.position.xyz(i);
    const Vec4 v = substep.velocity.vec4(i);
    Vec3 move = sum.move;
    float count = sum.count;
    const bool solid = self.untouched != liquid;
    if (solid)
      walls.each(i, start, [&](const WallContact& c) {
        if (!(c.distance < wall_rule.distance)) return;
        move += wall_rule.resolved(c, x, v.xyz(), start) - start;
        count += 1;
      });
    Vec3 target = start;
    if (count > 0 && !substep.is_held(i)) target += move * (params.relaxation / count);
    if (closes) {
      substep.close(i, x, v.xyz(), target, v.w);
    } else {
      substep.candidates.set(i, {{target.x, target.y, target.z, 0}});
    }
  }
};

}  // namespace panta::unified
