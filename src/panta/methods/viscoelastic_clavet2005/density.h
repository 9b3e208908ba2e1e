// Double density relaxation in its gathered form: all particles at once.
//
//   D_ij = dt^2 ((P_i + P_j)/2 (1-q) + (P_near_i + P_near_j)/2 (1-q)^2) r_ij/r,   x_i -= sum_j D_ij
//
// In the paper's loop (in_turn.h) each pair is visited twice and moved by half; here both visits
// are made at once, with the mean of the two pressures. The two displacements of a pair are
// opposite, along the line between the particles, so momentum and sum x* x dx are conserved.
//
// This is the force of an energy, the sum over particles of e(rho_i) + e_near(rho_near_i) with
// e' = h P / 4 and e_near' = h P_near / 6 per mass, because d rho/dr = -2 (1-q)/h of a pair and
// d rho_near/dr = -3 (1-q)^2/h. The terms of walls and other liquids are gradients of it too: with
// a push that is not the gradient of the same energy particles gain energy on closed paths, and
// liquid at rest boils.
//
// Liquids of different density. All have the same pressures at the same densities, and D is the
// displacement of the lightest; a particle moves by its mobility m_lightest/m times D. Forces on a
// pair are opposite, and equal pressures in two liquids are in balance.
//
// A particle with a mass of its own, w_i times that of its material, stands for w_i particles: its
// neighbours' densities count it w_i times, and x_i -= sum_j w_j D_ij with the same shares of D.
// The pair's momenta are then m w_i w_j D and its negative, m the lightest mass. Viscosity and
// springs weigh their pairs in the same way.
//
// The simultaneous update oscillates where the sequential one does not: a liquid s times as dense
// as at rest has s times as many neighbours, each of which reacts s times as strongly to
// compression, so that a step that is stable at rest is unstable for compressed liquid. Above a
// bound both pressures therefore rise with a slope of 1/s^2 (DensityBounds).
//
// Walls. In the paper particles crowd at walls, where a part of their neighbours is missing. Where
// steps are automatic, walls are mirrors (solver/mirrors.h). Otherwise a table represents the
// liquid behind a wall (LiquidBehindWalls): of the sum T over all neighbours of a particle inside
// the liquid, walls replace
//
//   1 - prod_k (1 - w_k s(d_k)/T),   s(d): of a flat wall at the distance d
//
// (the product: the liquid behind two walls of a corner counts once), and the particle is pushed by
// the gradient of e of the density with it. That is half of the push of real liquid, whose own
// energies push too; the other half comes from contact, which keeps particles half a spacing away
// (motion.h). Twice the particle's own push instead is no gradient: water at rest then keeps an rms
// speed of 0.1 c. Free bodies count like other walls and get the reaction (body_pushes.h).
//
// Free surfaces: free_surface.h.
#pragma once

#include <type_traits>

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/methods/viscoelastic_clavet2005/free_surface.h"
#include "panta/methods/viscoelastic_clavet2005/kernels.h"
#include "panta/methods/viscoelastic_clavet2005/relaxation_walls.h"
#include "panta/methods/viscoelastic_clavet2005/stress.h"
#include "panta/solver/particle_weights.h"
#include "panta/step/step_state.h"

namespace panta::viscoelastic {

// Particles that come into being too dense, on a lattice with jitter or at the edges of a shape,
// would expand: a dam then gains 1.1 % of its energy within 20 ms. So they have no pressure at the
// density that they have in their first step; this excess decays while sound travels 30 supports.
template <class D>
struct StartExcess {
  Field4View<D> velocity;  // in w
  StepGate gate;
  float decay = 0;      // 1/s; 0: there is none
  bool in_step = true;  // else for a frame

  // Of a particle that is now this much denser than at rest.
  PANTA_HD float of(Index i, float now, bool held) const {
    if (!(decay > 0)) return 0;
    const float known = velocity.w(i);
    if (known >= 0) return known;
    const float excess = maximum(now, 0.0f);
    if (in_step && !held && !gate.closed()) velocity.set_w(i, excess);
    return excess;
  }
  PANTA_HD void reduce(Index i, float dt) const {
    const float known = velocity.w(i);
    if (known > 0) velocity.set_w(i, known * maximum(1 - dt * decay, 0.0f));
  }
};

// Weighted: particles have masses of their own (solver/particle_weights.h). Completed: at free
// surfaces.
template <class D, bool Weighted, bool Completed>
struct FindPressures {
  Kernel kernel;
  DensityBounds bounds;
  SurfaceLaw surface;
  RelaxationWalls<D> walls;
  RecordsView<D, Record4> places;
  RecordsView<D> records;      // result: x and P, P_near, 0, rho and rho_near
  RecordsView<D> corrections;  // result: C and G; null: there are none
  SymmetricView stress_error;
  StressLaw stress_law;
  StartExcess<D> start;
  const std::uint32_t* held;
  Weights weights;

  struct Self {
    Mirrors mirrors;
  };
  template <class F>
  struct PlainSum {
    F density{}, near{};
  };
  template <class F>
  struct CompletedSum : PlainSum<F> {
    Vec3T<F> gradient;  // n
  };
  template <class F>
  using Sum = std::conditional_t<Completed, CompletedSum<F>, PlainSum<F>>;

  // An emitter's column ignores walls.
  PANTA_HD Self self(Index i) const {
    if constexpr (Completed)
      if (!(held && held[i])) return {walls.mirrors(i, places.get(i).first.xyz())};
    return {};
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    add(sum, weights.times_other<Weighted>(1.0f + F{}, j), d, r2);
    if constexpr (Completed)
      self.mirrors.each(d, r2, [&](int, F w, const Vec3T<F>& e, F far2) {
        add(sum, weights.times_other<Weighted>(w, j), e, far2);
      });
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& of_neighbors) const {
    const Vec3 x = places.get(i).first.xyz();
    Sum<float> sum = of_neighbors;
    if constexpr (Completed)
      self.mirrors.each(Vec3{}, 0.0f, [&](int, float w, const Vec3& e, float far2) {
        add(sum, w * weights.of<Weighted>(i), e, far2);
      });
    if (!(held && held[i])) {
      const WallSums behind = walls.behind(i, x);
      sum.density += behind.density;
      sum.near += behind.near;
    }
    set_pressures(i, x, sum);
  }

 private:
  template <class F>
  PANTA_HD void add(Sum<F>& sum, F weight, const Vec3T<F>& d, F r2) const {
    const F r = square_root(r2), reach = kernel.reach(r);
    const F reach2 = weight * reach * reach;
    sum.density = sum.density + reach2;
    sum.near = fused(reach2, reach, sum.near);
    if constexpr (Completed) {
      const F slope = reach2 * reciprocal(maximum(r, 1e-12f));
      sum.gradient.x = fused(slope, d.x, sum.gradient.x);
      sum.gradient.y = fused(slope, d.y, sum.gradient.y);
      sum.gradient.z = fused(slope, d.z, sum.gradient.z);
    }
  }
  PANTA_HD void set_pressures(Index i, const Vec3& x, const Sum<float>& sum) const {
    float density = sum.density, near = sum.near, size = 0, rest = 1;
    if constexpr (Completed) {
      size = length(sum.gradient);
      const float missing = surface.missing(size);
      density += surface.density * missing;
      near += surface.near * missing;
      rest += start.of(i, maximum(density / kernel.lattice, near / kernel.near_lattice) - 1,
                       held && held[i]);
    }
    const float squeezed = kernel.squeezed(DensityBounds::limited(density, bounds.density), rest);
    const float near_squeezed =
        kernel.near_squeezed(DensityBounds::limited(near, bounds.near), rest);
    const float pressure =
        kernel.pulling(DensityBounds::limited(sum.density, bounds.density)) + squeezed;
    const float near_pressure =
        kernel.near * DensityBounds::limited(sum.near, bounds.near) + near_squeezed;
    records.set(i, {{x.x, x.y, x.z, pressure}, {near_pressure, 0, density, near}});
    if constexpr (Completed)
      if (corrections.p) {
        const SymT<float> c =
            stress_correction(stress_law, get_moment(stress_error, i), pressure, near_pressure);
        const float g = kernel.h * surface.slope(size) / maximum(size, 1e-12f) *
                        (surface.density * squeezed / 4 + surface.near * near_squeezed / 6);
        corrections.set(i, Correction<float>::record(c, sum.gradient * g));
      }
  }
};

// The pressure of frames, over rho h / (2 dim): the virial of the pushes,
//
//   sum_j (P_i + P_j)/2 (1-q) q + (P_near_i + P_near_j)/2 (1-q)^2 q
//
// which for a lattice is P A + P_near B (lattice_sums.h). Images count like other particles; of the
// liquid in the table of walls only the particle's own half.
template <class D, bool Weighted>
struct FindVirial {
  Kernel kernel;
  RelaxationWalls<D> walls;
  RecordsView<D> records;
  RecordsView<D, Record4> places;  // result: w
  const std::uint32_t* held;
  float moment, near_moment;  // A, B
  Weights weights;

  struct Self {
    float pressure, near;
    Mirrors mirrors;
  };
  template <class F>
  struct Sum {
    F virial{};
  };
  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    const float pressure = 0.5f * r.first.w, near = 0.5f * r.second.x;
    if (held && held[i]) return {pressure, near, {}};
    return {pressure, near, walls.mirrors(i, r.first.xyz())};
  }
  template <class F>
  PANTA_HD F virial_of(F pressure, F near, F r2) const {
    const F reach = kernel.reach(square_root(r2));
    return reach * fused(near, reach, pressure) * (1.0f - reach);
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    const F pressure = self.pressure + 0.5f * j.record.first.w;
    const F near = self.near + 0.5f * j.record.second.x;
    F push = virial_of(pressure, near, r2);
    self.mirrors.each(d, r2, [&](int, F w, const Vec3T<F>&, F far2) {
      push = fused(w, virial_of(pressure, near, far2), push);
    });
    sum.virial = sum.virial + weights.times_other<Weighted>(push, j);
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const {
    const Vec3 x = records.get(i).first.xyz();
    float images = 0;
    self.mirrors.each(Vec3{}, 0.0f, [&](int, float w, const Vec3&, float far2) {
      images += w * virial_of(2 * self.pressure, 2 * self.near, far2) * weights.of<Weighted>(i);
    });
    WallSums behind;
    if (!(held && held[i])) behind = walls.behind(i, x);
    const float own = self.pressure * moment * behind.density / walls.liquid.whole +
                      self.near * near_moment * behind.near / walls.liquid.whole_near;
    places.set(i, {{x.x, x.y, x.z, sum.virial + images + own}});
  }
};

}  // namespace panta::viscoelastic
