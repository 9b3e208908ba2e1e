// The gathered double density relaxation (density.h): displacements.
//
// Images in walls (solver/mirrors.h) do not attract: of the push of all images in fixed walls on a
// particle, and of that of images in free bodies, the part along a wall's normal into it is left
// out.
#pragma once

#include <type_traits>

#include "panta/methods/viscoelastic_clavet2005/density.h"
#include "panta/methods/viscoelastic_clavet2005/substances.h"

namespace panta::viscoelastic {

// Corrected: with T_i instead of P_i (stress.h).
template <class D, bool Weighted, bool Corrected>
struct Relax {
  Kernel kernel;
  RelaxationWalls<D> walls;
  RecordsView<D> records;
  RecordsView<D> corrections;
  RecordsView<D, Record4> places;       // result, w: how far fixed walls push
  RecordsView<D, Record4> body_pushes;  // result: what free bodies get the reaction of; null: none
  SymmetricView stress_error;           // result, for the next step
  StressLaw stress_law;
  StepGate gate;
  const std::uint32_t* phase;
  const std::uint32_t* held;
  const Substances* substances;
  float most;              // m, largest displacement
  std::uint32_t* clamped;  // counts those that would have moved farther
  Weights weights;

  struct Self {
    float pressure, near;
    Correction<float> correction;
    Vec3 surface;   // G
    bool measures;  // the stress, in this step
    Mirrors mirrors;
  };
  template <class F>
  struct PlainSum {
    Vec3T<F> move{};
  };
  template <class F>
  struct CorrectedSum : PlainSum<F>, StressSum<F> {
    Vec3T<F> wall, body;  // by images
    Vec3T<F> through;     // of wall: by those that were reflected in free bodies before
  };
  template <class F>
  using Sum = std::conditional_t<Corrected, CorrectedSum<F>, PlainSum<F>>;

  PANTA_HD Self self(Index i) const {
    const Record8 r = records.get(i);
    const float pressure = 0.5f * r.first.w, near = 0.5f * r.second.x;
    if constexpr (Corrected) {
      const Record8 c = corrections.get(i);
      const Correction<float> correction = Correction<float>::of(c);
      const Vec3 surface = c.second.xyz();
      const bool measures = gate.state->steps % steps_per_measurement == 0;
      if (held && held[i]) return {pressure, near, correction, surface, measures, {}};
      return {pressure, near, correction, surface, measures, walls.mirrors(i, r.first.xyz())};
    } else {
      return {pressure, near, {}, {}, false, {}};
    }
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
      const auto corrections_of_other = j.from(corrections);
      const auto other = Correction<F>::of(corrections_of_other);
      const Vec3T<F> surface = corrections_of_other.second.xyz();
      const Vec3T<F> turned = self.correction.plus(other).times(d);
      move.x = fused(share, turned.x, move.x);
      move.y = fused(share, turned.y, move.y);
      move.z = fused(share, turned.z, move.z);
      add_surface_push(move, less(self.surface, surface), d, r2, reach, share);
      self.mirrors.each(d, r2, [&](int set, F w, const Vec3T<F>& e, F far2) {
        add_image(sum, self, set, weights.times_other<Weighted>(w, j), e, far2, pressure, near,
                  other, surface);
      });
      if (self.measures) measure(sum, self, d, r2, reach, share);
    }
  }
  PANTA_HD void finish(Index i, const Self& self, const Sum<float>& of_neighbors) const {
    if (held && held[i]) return;
    Sum<float> sum = of_neighbors;
    const Vec3 x = records.get(i).first.xyz();
    const std::uint32_t substance = phase[i];
    const float dt = static_cast<float>(gate.state->dt);
    float by_walls = 0;
    if constexpr (Corrected) by_walls = length(take_images(i, self, sum));
    // A repeated step starts from the same values.
    if constexpr (Corrected)
      if (self.measures && !gate.closed())
        set_moment(stress_error, i,
                   substances->springs[substance].exist()
                       ? SymT<float>{}
                       : stress_error_of(stress_law, self.pressure, self.near, sum));
    Vec3 move = sum.move + walls.push(i, x, 2 * self.pressure, 2 * self.near);
    const float per_push = dt * dt * substances->mobility[substance];
    move = move * per_push;
    const float far = length(move);
    if (far > most) {
      move = move * (most / far);
      atomic_add(clamped, 1u);
    }
    const Vec3 at = x + move;
    places.set(i, {{at.x, at.y, at.z, by_walls * per_push}});
  }

 private:
  template <class F>
  PANTA_HD static Vec3T<F> less(const Vec3& a, const Vec3T<F>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  // The contribution of a neighbour or an image at x_i - d to the stress.
  template <class F>
  PANTA_HD void measure(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, F reach,
                        F share) const {
    add_moment(sum.stress, share * (self.pressure + self.near * reach), d, d.x, d.y, d.z);
    sum.trace = fused(share, r2, sum.trace);
  }
  // The push of the image, in the mirrors of a set, of a neighbour with this C and G; it lies at
  // x_i - e and counts by w.
  template <class F>
  PANTA_HD void add_image(Sum<F>& sum, const Self& self, int set, F w, const Vec3T<F>& e, F far2,
                          F pressure, F near, const Correction<F>& other,
                          const Vec3T<F>& surface) const {
    const F r = maximum(square_root(far2), 1e-12f), reach = kernel.reach(r);
    const F share = w * reach * reciprocal(r);
    const F push = share * fused(near, reach, pressure);
    const Vec3T<F> own = self.correction.plus(Correction<F>{}).times(e),
                   his = self.mirrors.image_times(set, other, e);
    Vec3T<F> all{fused(push, e.x, share * (own.x + his.x)),
                 fused(push, e.y, share * (own.y + his.y)),
                 fused(push, e.z, share * (own.z + his.z))};
    add_surface_push(all, less(self.surface, self.mirrors.image_of(set, surface)), e, far2, reach,
                     share);
    (self.mirrors.of_free_body(set) ? sum.body : sum.wall) += all;
    if (self.mirrors.through_free_body(set)) sum.through += all;
    if (self.measures) measure(sum, self, e, far2, reach, share);
  }
  // Adds the particle's own images, and moves it by all of them. Returns the push of fixed walls.
  PANTA_HD Vec3 take_images(Index i, const Self& self, Sum<float>& sum) const {
    self.mirrors.each(Vec3{}, 0.0f, [&](int set, float w, const Vec3& e, float far2) {
      add_image(sum, self, set, w * weights.of<Weighted>(i), e, far2, 2 * self.pressure,
                2 * self.near, self.correction, self.surface);
    });
    const Vec3 wall = pushing(self.mirrors, false, sum.wall),
               body = pushing(self.mirrors, true, sum.body);
    if (body_pushes.p) {
      const Vec3 reaction = body - sum.through;
      body_pushes.set(i, {{reaction.x, reaction.y, reaction.z, 0}});
    }
    sum.move += wall + body;
    return wall;
  }
  // Without attraction to walls, or to free bodies.
  PANTA_HD static Vec3 pushing(const Mirrors& mirrors, bool free_bodies, Vec3 push) {
    for (int k = 0; k < mirrors.count(); ++k) {
      const Vec3 n = mirrors.normal(k);
      if (mirrors.is_free_body(k) == free_bodies) push -= n * minimum(dot(push, n), 0.0f);
    }
    return push;
  }
};

}  // namespace panta::viscoelastic
