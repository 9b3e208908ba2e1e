// Double density relaxation in its gathered form: all particles at once.
//
//   D_ij = dt^2 ((P_i + P_j)/2 (1-q) + (P_near_i + P_near_j)/2 (1-q)^2) r_ij/r,   x_i -= sum_j D_ij
//
// In the paper's loop (in_turn.h) each pair is visited twice and moved by half; here both visits
// are made at once, with the mean of the two pressures. What i gets j loses, along the line between
// them, so momentum and sum x* x dx are kept.
//
// This is the force of an energy, the sum over particles of e(rho_i) + e_near(rho_near_i) with
// e' = h P / 4 and e_near' = h P_near / 6 per mass, because d rho/dr = -2 (1-q)/h of a pair and
// d rho_near/dr = -3 (1-q)^2/h. What walls and other liquids add keeps to it: a push that is not
// the gradient of the same energy lets particles gain energy on closed ways, and liquid at rest
// boils.
//
// Liquids of different density. All take the same pressures of the same densities, and D is what it
// moves the lightest by; a particle moves by its mobility m_lightest/m times D. Forces on a pair
// are opposite, and equal pressures in two liquids are in balance.
//
// A particle with a mass of its own, w_i times that of its material, stands for w_i particles: its
// neighbours' densities count it w_i times, and x_i -= sum_j w_j D_ij with the same shares of D.
// The pair's momenta are then m w_i w_j D and its negative, m the lightest mass. Viscosity and
// springs weigh their pairs in the same way.
//
// All at once swings where one after the other does not: a liquid s times as dense as at rest has s
// times as many neighbours, each of which answers s times as strongly to a squeeze, and a step that
// carries the liquid at rest would throw a squeezed one apart. Beyond a bound both pressures
// therefore rise with a slope of 1/s^2 (Crowding).
//
// Walls. The paper lets particles crowd at walls, where a part of their neighbours is missing. Here
// liquid behind a wall is made up for (WallShares): of all that a particle surrounded by liquid
// counts (T), walls take the place of
//
//   1 - prod_k (1 - w_k s(d_k)/T),   s(d): of a flat wall at the distance d
//
// (the product: what is behind two walls of a corner counts once), and the particle is pushed by
// the gradient of e of the density with it. That is half of what liquid would do, whose own
// energies push too; the other half comes from contact, which holds particles half a spacing away
// (motion.h). Pushing with the particle's pressure twice instead is no gradient of anything: water
// at rest then has an rms speed of 0.1 c for ever. Free bodies count like other walls and get the
// opposite (body_pushes.h).
#pragma once

#include <type_traits>

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/methods/viscoelastic_clavet2005/lattice_sums.h"
#include "panta/methods/viscoelastic_clavet2005/stress.h"
#include "panta/methods/viscoelastic_clavet2005/substances.h"
#include "panta/solver/particle_weights.h"
#include "panta/step/step_state.h"
#include "panta/walls/wall.h"

namespace panta::viscoelastic {

// The share of a particle's surroundings that walls leave.
struct WallFree {
  float density = 1, near = 1;
};

// The walls around particles at the end of the step.
template <class D>
struct FeltWalls {
  NearWalls near;
  WallShares shares;
  Field4View<D> middle;  // where contacts were found
  float h = 0;
  const StepState* state = nullptr;
  float elapsed = 1;    // of the step
  bool bodies = false;  // free ones count

  template <class Visit>
  PANTA_HD void each(Index i, const Vec3& x, const Visit& visit) const {
    near.each(i, x, h, visit, x - middle.xyz(i), elapsed * static_cast<float>(state->dt));
  }
  // Of those that count in densities: visit(contact, share).
  template <class Visit>
  PANTA_HD void each_share(Index i, const Vec3& x, const Visit& visit) const {
    if (!shares.table) return;
    each(i, x, [&](const WallContact& c) {
      if (c.free_body < 0 || bodies) visit(c, shares.at(c));
    });
  }
  PANTA_HD bool near_free_body(Index i) const {
    if (!bodies || !near.counts) return false;
    for (Index k = 0; k < static_cast<Index>(near.counts[i]); ++k)
      if (near.contacts[i * ContactSet::most + k].free_body >= 0) return true;
    return false;
  }
  // What liquid behind them adds to rho and rho_near.
  PANTA_HD WallSums behind(Index i, const Vec3& x) const {
    if (!shares.table) return {};
    const WallFree free = free_of(i, x);
    return {shares.whole * (1 - free.density), shares.whole_near * (1 - free.near)};
  }
  // The push of both pressures, m/s2. No wall pulls: drops would hang under every ceiling.
  PANTA_HD Vec3 push(Index i, const Vec3& x, float pressure, float near_pressure) const {
    Vec3 sum;
    each_push(i, x, pressure, near_pressure,
              [&](const WallContact&, const Vec3& push) { sum += push; });
    return sum;
  }
  // The part of each of them: visit(contact, push).
  template <class Visit>
  PANTA_HD void each_push(Index i, const Vec3& x, float pressure, float near_pressure,
                          const Visit& visit) const {
    if (!shares.table) return;
    const WallFree free = free_of(i, x);
    if (free.density == 1) return;
    each_share(i, x, [&](const WallContact& c, const WallShare& s) {
      const float push = pressure * s.push * free.density / (1 - s.density) +
                         near_pressure * s.near_push * free.near / (1 - s.near_density);
      visit(c, c.normal * maximum(push, 0.0f));
    });
  }

 private:
  PANTA_HD WallFree free_of(Index i, const Vec3& x) const {
    WallFree free;
    each_share(i, x, [&](const WallContact&, const WallShare& s) {
      free = {free.density * (1 - s.density), free.near * (1 - s.near_density)};
    });
    return free;
  }
};

// Weighted: particles have masses of their own (solver/particle_weights.h).
template <class D, bool Weighted>
struct FindPressures {
  Kernel kernel;
  Crowding crowding;
  FeltWalls<D> walls;
  RecordsView<D, Record4> places;
  RecordsView<D> records;               // result: x and P, P_near, a part of C, rho and rho_near
  RecordsView<D, Record4> corrections;  // result: the rest of C; null: there are none
  SymmetricView stress_error;
  StressLaw stress_law;
  const std::uint32_t* held;
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
    if (!(held && held[i])) {  // walls around an emitter's column are its pipe
      const WallSums behind = walls.behind(i, x);
      density += behind.density;
      near += behind.near;
    }
    const float pressure = kernel.pressure(Crowding::eased(density, crowding.density));
    const float near_pressure = kernel.near_pressure(Crowding::eased(near, crowding.near));
    SymT<float> c;
    if (corrections.p) {
      c = stress_correction(stress_law, get_moment(stress_error, i), pressure, near_pressure);
      corrections.set(i, Correction<float>::record(c));
    }
    records.set(i, {{x.x, x.y, x.z, pressure}, {near_pressure, 0.5f * c.yz, density, near}});
  }
};

// The pressure of frames, over rho h / (2 dim): the virial of the pushes,
//
//   sum_j (P_i + P_j)/2 (1-q) q + (P_near_i + P_near_j)/2 (1-q)^2 q
//
// which for a lattice is P A + P_near B (lattice_sums.h) and at a wall counts the real half of the
// neighbours and of what stands for the others the particle's own half.
template <class D, bool Weighted>
struct FindVirial {
  Kernel kernel;
  FeltWalls<D> walls;
  RecordsView<D> records;
  RecordsView<D, Record4> places;  // result: w
  const std::uint32_t* held;
  float moment, near_moment;  // A, B
  Weights weights;

  struct Self {
    float pressure, near;
  };
  template <class F>
  struct Sum {
    F virial{};
  };
  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    return {0.5f * r.first.w, 0.5f * r.second.x};
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>&, F r2, const J& j) const {
    const F reach = kernel.reach(square_root(r2));
    const F pressure = self.pressure + 0.5f * j.record.first.w;
    const F near = self.near + 0.5f * j.record.second.x;
    const F push = reach * fused(near, reach, pressure) * (1.0f - reach);
    sum.virial = sum.virial + weights.times_other<Weighted>(push, j);
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    const Vec3 x = records.get(i).first.xyz();
    WallSums behind;
    if (!(held && held[i])) behind = walls.behind(i, x);
    const float own = self.pressure * moment * behind.density / walls.shares.whole +
                      self.near * near_moment * behind.near / walls.shares.whole_near;
    places.set(i, {{x.x, x.y, x.z, sum.virial + own}});
  }
};

// Corrected: with T_i instead of P_i (stress.h).
template <class D, bool Weighted, bool Corrected>
struct Relax {
  Kernel kernel;
  FeltWalls<D> walls;
  RecordsView<D> records;
  RecordsView<D, Record4> corrections;
  RecordsView<D, Record4> places;  // result
  SymmetricView stress_error;      // result, for the next step
  StressLaw stress_law;
  StepGate gate;
  const std::uint32_t* phase;
  const std::uint32_t* held;
  const Substances* substances;
  float most;              // m, that a particle moves at once
  std::uint32_t* clamped;  // counts those that would have moved farther
  Weights weights;

  struct Self {
    float pressure, near;
    Correction<float> correction;
    bool measures;  // the stress, in this step
  };
  template <class F>
  struct PlainSum {
    Vec3T<F> move{};
  };
  template <class F>
  struct CorrectedSum : PlainSum<F>, StressSum<F> {};
  template <class F>
  using Sum = std::conditional_t<Corrected, CorrectedSum<F>, PlainSum<F>>;

  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    Self s{0.5f * r.first.w, 0.5f * r.second.x, {}, false};
    if constexpr (Corrected) {
      s.correction = Correction<float>::of(corrections.get(i), r);
      s.measures = gate.state->steps % steps_per_measurement == 0;
    }
    return s;
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F r = maximum(square_root(r2), 1e-12f), reach = kernel.reach(r);
    const F pressure = self.pressure + 0.5f * j.record.first.w;
    const F near = self.near + 0.5f * j.record.second.x;
    const F per_r = reciprocal(r);
    const F push = weights.times_other<Weighted>(reach * fused(near, reach, pressure) * per_r, j);
    Vec3T<F>& move = sum.move;
    move.x = fused(push, d.x, move.x);
    move.y = fused(push, d.y, move.y);
    move.z = fused(push, d.z, move.z);
    if constexpr (Corrected) {
      const F share = weights.times_other<Weighted>(reach * per_r, j);
      const auto other = Correction<F>::of(j.from(corrections), j.record);
      const Vec3T<F> turned = self.correction.plus(other).times(d);
      move.x = fused(share, turned.x, move.x);
      move.y = fused(share, turned.y, move.y);
      move.z = fused(share, turned.z, move.z);
      if (!self.measures) return;
      const F own = share * (self.pressure + self.near * reach);
      add_moment(sum.stress, own, d, d.x, d.y, d.z);
      sum.trace = fused(share, r2, sum.trace);
    }
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    if (held && held[i]) return;
    const Vec3 x = records.get(i).first.xyz();
    const std::uint32_t substance = phase[i];
    const float dt = static_cast<float>(gate.state->dt);
    // A step that is made again must find what the last one left.
    if constexpr (Corrected)
      if (self.measures && !gate.closed())
        set_moment(stress_error, i,
                   substances->springs[substance].exist()
                       ? SymT<float>{}
                       : stress_error_of(stress_law, walls, i, x, self.pressure, self.near, sum));
    Vec3 move = sum.move + walls.push(i, x, 2 * self.pressure, 2 * self.near);
    move = move * (dt * dt * substances->mobility[substance]);
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
