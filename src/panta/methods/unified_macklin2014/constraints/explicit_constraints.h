// Solves the constraints of one type between named particles, as one Jacobi group.
//
// For each constraint, from the multiplier lambda that it has gathered in this substep (Macklin,
// Mueller and Chentanez 2016, "XPBD", eq. 18 and 26):
//
//                     -C - a lambda - g (C - C_start)
//   dlambda = omega -----------------------------------,   dx_i = w_i grad_i C dlambda
//                   (1 + g) sum_i n_i w_i |grad_i C|^2 + a
//
//   a = compliance / dt^2,  g = compliance damping / dt,  C_start: C when the substep began,
//   omega: relaxation (Macklin et al. 2014, eq. 13),  w_i: inverse mass (1/kg).
//
// Averaging. Corrections of constraints that share particles add up, and without a remedy overshoot
// (Fig. 2 of the 2014 paper: two equal constraints swing for ever). The paper divides a particle's
// sum by the number n_i of its constraints (eq. 12). Here n_i enters the denominator instead: each
// constraint acts on its own part, m_i/n_i, of a particle, and the parts are averaged (the mass
// splitting that the paper names as the source of eq. 12). Where all n_i are equal
// and nothing gives way it is the same. But every dx belongs to a dlambda, so that momentum is kept
// and compliance means the same for any number of iterations; and as J W J^T <= n D on each
// particle's part, it converges for omega < 2 whatever the network. `global` leaves n_i = 1: faster
// where few constraints meet, and omega must answer for the rest.
//
// Other deviations: damping uses the change of C itself, not grad C (x - x_start), so that points
// that move are not a resistance; one-sided constraints keep lambda on their side, so that a later
// iteration can take back what an earlier one did too much.
//
// Order. A launch over constraints writes what each does to each of its particles to a place of its
// own; a launch over particles adds these in the order of the list. There are no atomics, and the
// result is the same bits on every run, for any number of threads.
//
// Particles change slots in every sort. Each is listed once (TiedParticle) and looked up by id
// after a sort; a constraint one of whose particles is gone does nothing.
#pragma once

#include <algorithm>

#include "panta/core/buffer.h"
#include "panta/core/launch.h"
#include "panta/methods/unified_macklin2014/constraints/constraint_lists.h"
#include "panta/methods/unified_macklin2014/substep.h"
#include "panta/neighbors/pair_maths.h"

namespace panta::unified {

enum class Averaging { local, global };

struct Relaxation {
  float omega = 1;
  Averaging averaging = Averaging::local;
};

inline constexpr Index no_slot = -1;

// A particle that constraints of a type tie.
struct TiedParticle {
  Index slot = no_slot;
  float w = 0;     // 1/kg
  float ties = 0;  // its constraints
};

// Inverse masses by slot; particles in the hands of an emitter cannot be moved.
struct InverseMasses {
  const std::uint32_t* phase;
  const Substances* substances;
  const std::uint32_t* held = nullptr;

  PANTA_HD float operator()(Index i) const {
    return held && held[i] ? 0.0f : 1 / substances->mass[phase[i]];
  }
};

struct LocateTied {
  const Index* slot_of;      // by id
  const std::uint32_t* ids;  // of the tied particles
  const std::uint32_t* begins;
  InverseMasses masses;
  TiedParticle* tied;

  PANTA_HD void operator()(Index p) const {
    const Index slot = slot_of[ids[p]];
    tied[p] = {slot, slot == no_slot ? 0.0f : masses(slot),
               static_cast<float>(begins[p + 1] - begins[p])};
  }
};

// First: what each constraint does to its particles.
template <class D, class T>
struct SolveConstraints {
  Substep<D> substep;
  Periodicity periodicity;
  Relaxation relaxation;
  const typename T::Data* data;
  const Softness* softness;
  const std::uint32_t* members;  // T::size indices into `tied` per constraint
  const TiedParticle* tied;
  float* multipliers;
  Vec3* moves;  // result, one per member

  PANTA_HD void operator()(Index c) const {
    if (substep.gate.closed()) return;
    TiedParticle particles[T::size];
    bool complete = true;
    for (int m = 0; m < T::size; ++m) {
      particles[m] = tied[members[c * T::size + m]];
      complete = complete && particles[m].slot != no_slot;
    }
    Vec3 gradient[T::size] = {};
    const float before = substep.counts.iteration == 0 ? 0.0f : multipliers[c];
    const float step = complete ? multiplier_step(c, particles, before, gradient) : 0.0f;
    multipliers[c] = before + step;
    for (int m = 0; m < T::size; ++m)
      moves[c * T::size + m] = gradient[m] * (particles[m].w * step);
  }

  PANTA_HD float multiplier_step(Index c, const TiedParticle* particles, float before,
                                 Vec3* gradient) const {
    const float dt = substep.dt();
    Vec3 x[T::size];
    for (int m = 0; m < T::size; ++m) x[m] = substep.candidates.get(particles[m].slot).first.xyz();
    const double start = substep.start();
    const float value = valued(c, x, start + dt, gradient);
    float stiffness = 0;
    for (int m = 0; m < T::size; ++m) {
      const float parts = relaxation.averaging == Averaging::local ? particles[m].ties : 1.0f;
      stiffness += parts * particles[m].w * dot(gradient[m], gradient[m]);
    }
    if (!(stiffness > 0)) return 0;
    const float give = softness[c].compliance / (dt * dt);
    const float resistance = softness[c].compliance * softness[c].damping / dt;
    const float change = resistance > 0 ? value - value_before(c, particles, start) : 0.0f;
    const float wanted = -value - give * before - resistance * change;
    const float step = relaxation.omega * wanted / ((1 + resistance) * stiffness + give);
    if (!T::one_sided(data[c])) return step;
    return minimum(before + step, 0.0f) - before;
  }

  PANTA_HD float value_before(Index c, const TiedParticle* particles, double time) const {
    Vec3 x[T::size], unused[T::size];
    for (int m = 0; m < T::size; ++m) x[m] = substep.position.xyz(particles[m].slot);
    return valued(c, x, time, unused);
  }

  // Particles on both sides of a periodic seam are brought together first.
  PANTA_HD float valued(Index c, Vec3* x, double time, Vec3* gradient) const {
    for (int m = 1; m < T::size; ++m) {
      const Vec3 away = x[m] - x[0];
      Vec3 shortest = away;
      periodicity.shorten(shortest);
      x[m] += shortest - away;
    }
    return T::value(data[c], x, time, gradient);
  }
};

// Second: each particle takes what its constraints give.
template <class D>
struct MoveTied {
  Substep<D> substep;
  const TiedParticle* tied;
  const std::uint32_t* begins;
  const std::uint32_t* entries;  // places in `moves`
  const Vec3* moves;

  PANTA_HD void operator()(Index p) const {
    const TiedParticle particle = tied[p];
    if (substep.gate.closed() || particle.slot == no_slot || !(particle.w > 0)) return;
    Vec3 move;
    for (std::uint32_t k = begins[p]; k < begins[p + 1]; ++k) move += moves[entries[k]];
    const Vec4 at = substep.candidates.get(particle.slot).first;
    substep.candidates.set(particle.slot, {{at.x + move.x, at.y + move.y, at.z + move.z, at.w}});
  }
};

template <class D, ConstraintType T>
class ExplicitConstraints {
 public:
  // Device memory that one constraint takes at most: its particles may all be tied by it alone.
  static constexpr double bytes_per_constraint =
      sizeof(typename T::Data) + sizeof(Softness) + sizeof(float) +
      T::size * (3.0 * sizeof(std::uint32_t) + sizeof(Vec3) + sizeof(std::uint32_t) +
                 sizeof(TiedParticle));

  void set(const ConstraintList<T>& list);
  std::size_t size() const { return data_.size(); }

  // Looks up the particles after a sort.
  void locate(const D& exec, const Index* slot_of, const InverseMasses& masses) {
    launch(exec, static_cast<Index>(ids_.size()),
           LocateTied{slot_of, ids_.data(), begins_.data(), masses, tied_.data()});
  }

  // One iteration; the first of a substep forgets the multipliers.
  void solve(const D& exec, const Substep<D>& substep, const Periodicity& periodicity,
             const Relaxation& relaxation) {
    if (size() == 0) return;
    launch(
        exec, static_cast<Index>(size()),
        SolveConstraints<D, T>{substep, periodicity, relaxation, data_.data(), softness_.data(),
                               members_.data(), tied_.data(), multipliers_.data(), moves_.data()});
    launch(exec, static_cast<Index>(ids_.size()),
           MoveTied<D>{substep, tied_.data(), begins_.data(), entries_.data(), moves_.data()});
  }

  // The lambda of each constraint; the force along its gradient is lambda / dt^2.
  std::vector<float> multipliers() const { return multipliers_.download(); }

 private:
  Buffer<D, typename T::Data> data_;
  Buffer<D, Softness> softness_;
  Buffer<D, float> multipliers_;
  Buffer<D, std::uint32_t> members_;           // T::size of each constraint: which tied particles
  Buffer<D, Vec3> moves_;                      // one per member
  Buffer<D, std::uint32_t> ids_;               // of the tied particles, rising
  Buffer<D, std::uint32_t> begins_, entries_;  // their members, in the order of the list
  Buffer<D, TiedParticle> tied_;
};

template <class D, ConstraintType T>
void ExplicitConstraints<D, T>::set(const ConstraintList<T>& list) {
  std::vector<std::uint32_t> ids = list.particles;
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<std::uint32_t> members, begins(ids.size() + 1);
  members.reserve(list.particles.size());
  for (const std::uint32_t id : list.particles) {
    const auto at = std::lower_bound(ids.begin(), ids.end(), id) - ids.begin();
    members.push_back(static_cast<std::uint32_t>(at));
    ++begins[members.back() + 1];
  }
  for (std::size_t p = 0; p < ids.size(); ++p) begins[p + 1] += begins[p];
  std::vector<std::uint32_t> entries(members.size()), next = begins;
  for (std::size_t k = 0; k < members.size(); ++k)
    entries[next[members[k]]++] = static_cast<std::uint32_t>(k);
  data_.upload(list.data);
  softness_.upload(list.softness);
  members_.upload(members);
  ids_.upload(ids);
  begins_.upload(begins);
  entries_.upload(entries);
  multipliers_.upload(std::vector<float>(list.size()));
  moves_.resize(members.size());
  tied_.upload(std::vector<TiedParticle>(ids.size()));
}

}  // namespace panta::unified
