// Double density relaxation in its gathered form: all particles at once.
//
//   D_ij = dt^2 ((P_i + P_j)/2 (1-q) + (P_near_i + P_near_j)/2 (1-q)^2) r_ij/r,   x_i -= sum_j D_ij
//
// In the paper's loop (in_turn.h) each pair is visited twice and moved by half; here both visits
// are made at once, with the mean of the two pressures. What i gets j loses, along the line between
// them, so momentum and sum x* x dx are kept. Liquids of different density share D by their masses.
//
// A particle with a mass of its own, w_i times that of its material, stands for w_i particles: its
// neighbours' densities count it w_i times, and x_i -= sum_j w_j D_ij with the same shares of D.
// The pair's momenta are then m w_i w_j D and its negative, m the mass that D is shared by.
// Viscosity and springs weigh their pairs in the same way.
//
// All at once swings where one after the other does not: a liquid s times as dense as at rest has s
// times as many neighbours, each of which answers s times as strongly to a squeeze, and a step that
// carries the liquid at rest would throw a squeezed one apart. Beyond a bound both pressures
// therefore rise with a slope of 1/s^2 (Crowding).
//
// Walls. The paper lets particles crowd at walls, where a part of their neighbours is missing. Here
// liquid behind a wall is made up for (WallShares): it adds to both densities and pushes with the
// particle's own pressures, never pulls. Walls that are free bodies are left to bodies/coupling.h,
// which gives them back what they do.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/methods/viscoelastic_clavet2005/lattice_sums.h"
#include "panta/methods/viscoelastic_clavet2005/substances.h"
#include "panta/solver/particle_weights.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta::viscoelastic {

// The walls around particles at the end of the step.
template <class D>
struct FeltWalls {
  NearWalls near;
  WallShares shares;
  Field4View<D> middle;  // where contacts were found
  float h = 0;
  const StepState* state = nullptr;
  float elapsed = 1;  // of the step

  template <class Visit>
  PANTA_HD void each(Index i, const Vec3& x, const Visit& visit) const {
    near.each(i, x, h, visit, x - middle.xyz(i), elapsed * static_cast<float>(state->dt));
  }
  // visit(share, contact) for liquid behind them.
  template <class Visit>
  PANTA_HD void each_share(Index i, const Vec3& x, const Visit& visit) const {
    if (!shares.table) return;
    each(i, x, [&](const WallContact& c) {
      if (c.free_body < 0) visit(shares.at(maximum(c.distance, 0.0f)), c);
    });
  }
};

// Weighted: particles have masses of their own (solver/particle_weights.h).
template <class D, bool Weighted>
struct FindPressures {
  Kernel kernel;
  Crowding crowding;
  FeltWalls<D> walls;
  RecordsView<D, Record4> places;
  RecordsView<D> records;  // result: x and P, P_near, mobility, rho and rho_near
  const std::uint32_t* phase;
  const std::uint32_t* held;
  const Substances* substances;
  Weights weights;

  struct Self {};
  template <class F>
  struct Sum {
    F density{}, near{};
  };
  PANTA_HD Self self(Index) const { return {}; }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self&, const Vec3T<F>&, F r2, const J& j) const {
    const F reach = kernel.reach(square_root(r2));
    const F reach2 = weights.times_other<Weighted>(reach * reach, j);
    sum.density = sum.density + reach2;
    sum.near = fused(reach2, reach, sum.near);
  }
  PANTA_HD void finish(Index i, const Self&, const Sum<float>& sum) const {
    const Vec3 x = places.get(i).first.xyz();
    float density = sum.density, near = sum.near;
    if (!(held && held[i]))  // walls around an emitter's column are its pipe
      walls.each_share(i, x, [&](const WallShare& share, const WallContact& c) {
        density += c.weight * share.density;
        near += c.weight * share.near_density;
      });
    const float pressure = kernel.pressure(Crowding::eased(density, crowding.density));
    const float near_pressure = kernel.near_pressure(Crowding::eased(near, crowding.near));
    records.set(i, {{x.x, x.y, x.z, pressure},
                    {near_pressure, substances->mobility[phase[i]], density, near}});
  }
};

template <class D, bool Several, bool Weighted>
struct Relax {
  Kernel kernel;
  FeltWalls<D> walls;
  RecordsView<D> records;
  RecordsView<D, Record4> places;  // result
  const StepState* state;
  const std::uint32_t* held;
  float most;              // m, that a particle moves at once
  std::uint32_t* clamped;  // counts those that would have moved farther
  Weights weights;

  struct Self {
    float pressure, near, mobility;
  };
  template <class F>
  struct Sum {
    Vec3T<F> move{};
  };
  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    return {0.5f * r.first.w, 0.5f * r.second.x, r.second.y};
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F r = maximum(square_root(r2), 1e-12f), reach = kernel.reach(r);
    const F pressure = self.pressure + 0.5f * j.record.first.w;
    const F near = self.near + 0.5f * j.record.second.x;
    F push = reach * fused(near, reach, pressure) * reciprocal(r);
    if constexpr (Several)
      push = push * (2 * self.mobility) * reciprocal(self.mobility + j.record.second.y);
    push = weights.times_other<Weighted>(push, j);
    sum.move.x = fused(push, d.x, sum.move.x);
    sum.move.y = fused(push, d.y, sum.move.y);
    sum.move.z = fused(push, d.z, sum.move.z);
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    if (held && held[i]) return;
    const Vec3 x = records.get(i).first.xyz();
    const float dt = static_cast<float>(state->dt);
    Vec3 move = sum.move;
    walls.each_share(i, x, [&](const WallShare& share, const WallContact& c) {
      const float push = 2 * (self.pressure * share.push + self.near * share.near_push);
      move += c.normal * (c.weight * maximum(push, 0.0f));
    });
    move = move * (dt * dt);
    const float far = length(move);
    if (far > most) {
      move = move * (most / far);
      atomic_add(clamped, 1u);
    }
    const Vec3 at = x + move;
    places.set(i, {{at.x, at.y, at.z, 0}});
  }
};

}  // namespace panta::viscoelastic
