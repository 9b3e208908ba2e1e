// Friction of older position-based dynamics (Mueller et al. 2007, section 3.2): it is no
// constraint; after the constraints the sliding velocity of particles in contact is damped.
//
//   u = (v_i - v_j) without its part along n,
//   v_i -= (1 / contacts) sum_j  w_i/(w_i + w_j) min(mu_k, 1) u            pairs of particles
//   v_i -= (1 / contacts) sum_k  min(mu, 1) u                              walls, with theirs
//
// It slows sliding but cannot hold: gravity moves a slope again in the next step, so that it creeps
// until it is flat. For comparison with eq. 24, which holds (Fig. 11).
//
// Particles of bodies are damped one by one; the next shape match averages this over the body.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/contact.h"

namespace panta::unified {

enum class FrictionModel { positions, velocities };

inline constexpr float touching_slack = 0.05f;  // spacings: contacts were just solved

// Keeps the contact classes in the records of the last contact solve.
template <class D>
struct RecordSliding {
  Substep<D> substep;
  RecordsView<D> records;

  PANTA_HD void operator()(Index i) const {
    const Vec3 x = substep.position.xyz(i), v = substep.velocity.xyz(i);
    records.set(i, {{x.x, x.y, x.z, records.get(i).first.w}, {v.x, v.y, v.z, substep.mobility(i)}});
  }
};

template <class D>
struct DampSliding {
  float reach;       // m, nearer particles touch
  float wall_reach;  // m, the same for walls
  float friction;    // share of the sliding that pairs lose
  SubstepWalls<D> walls;
  RecordsView<D> records;
  Field4View<D> velocity;  // result
  StepGate gate;
  const std::uint32_t* living;
  const std::uint32_t* held;
  ContactFilter<D> filter;

  struct Self {
    Vec3 velocity;
    float w;
    ContactClass touches;
    MetMaterials<D> met;
  };
  template <class F>
  struct Sum {
    Vec3T<F> slower{};
    F count{};
  };
  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    return {r.second.xyz(), r.second.w, {r.first.w}, filter.of(i)};
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F r = maximum(square_root(r2), 1e-12f);
    const ContactClassOf<F> theirs{j.record.first.w};
    const F apart =
        theirs.unless(self.touches.untouched(), theirs.solid()) * self.met.template share<F>(j);
    const F touching = apart * where_below(r, reach + F{}, 1.0f + F{}, F{});
    const Vec3T<F> u{self.velocity.x - j.record.second.x, self.velocity.y - j.record.second.y,
                     self.velocity.z - j.record.second.z};
    const Vec3T<F> n = d * reciprocal(r), sliding = u - n * dot(u, n);
    sum.slower += sliding * (touching * friction * self.w * reciprocal(self.w + j.record.second.w));
    sum.count = sum.count + touching;
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= *living || (held && held[i])) return;
    if (self.touches.is_liquid()) return;
    Vec3 slower = sum.slower;
    float count = sum.count;
    walls.each(i, records.get(i).first.xyz(), [&](const WallContact& c) {
      if (!(c.distance < wall_reach)) return;
      const Vec3 u = self.velocity - c.velocity;
      slower += (u - c.normal * dot(u, c.normal)) * minimum(c.surface->friction_on_solid(), 1.0f);
      count += 1;
    });
    if (count > 0) velocity.set_xyz(i, self.velocity - slower * (1 / count));
  }
};

}  // namespace panta::unified
