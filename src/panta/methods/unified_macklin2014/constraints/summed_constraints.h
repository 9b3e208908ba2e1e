// Solves the constraints of a SummedConstraint, C = f(sum_e c_e), as one Jacobi group: a team of
// threads per constraint computes the displacements of its particles (multiplier.h), a launch over
// particles sums them (tied_particles.h).
//
//   grad_i C = f' sum_(e with i) grad_i c_e
//
// The team sums the elements in double, then each member adds the gradients of its own list of
// elements in their order. So there are no atomics, and the result is the same bits for any number
// of threads. Elements are evaluated twice: once for the sum, and again for the gradients.
//
// Positions are relative to the constraint's first member, as large coordinates would cancel in
// float, by the shortest way across periodic borders: no particle may be farther from the first
// member than half a period. A constraint does nothing if one of its particles was removed.
#pragma once

#include "panta/core/team.h"
#include "panta/methods/unified_macklin2014/constraints/constraint_buffers.h"
#include "panta/methods/unified_macklin2014/constraints/element_layout.h"
#include "panta/methods/unified_macklin2014/constraints/multiplier.h"
#include "panta/neighbors/pair_maths.h"

namespace panta::unified {

// An ElementLayout on a device.
struct ElementsView {
  const ElementRange* ranges;
  const std::uint32_t* members;  // which tied particle each is
  const std::uint32_t* corners;
  const std::uint32_t* begins;
  const std::uint32_t* entries;
};

template <class D, class T>
struct SolveSums {
  Substep<D> substep;
  Periodicity periodicity;
  Relaxation relaxation;
  const typename T::Data* data;
  const Softness* softness;
  ElementsView elements;
  const TiedParticle* tied;
  float* multipliers;
  Vec3* moves;  // result, one per member

  struct Candidates {
    const Substep<D>& substep;
    PANTA_HD Vec3 operator()(Index slot) const { return substep.candidates.get(slot).first.xyz(); }
  };
  struct PlacesBefore {
    const Substep<D>& substep;
    PANTA_HD Vec3 operator()(Index slot) const { return substep.position.xyz(slot); }
  };

  template <class Team>
  PANTA_HD void operator()(Index c, const Team& team) const {
    if (substep.gate.closed()) return;
    const ElementRange begin = elements.ranges[c], end = elements.ranges[c + 1];
    const Index first = static_cast<Index>(begin.member);
    const Index members = static_cast<Index>(end.member) - first;
    const float before = substep.counts.iteration == 0 ? 0.0f : multipliers[c];
    const Give give(softness[c], substep.dt());
    float step = 0;
    if (complete(first, members, team)) {
      const double start = substep.start();
      const double sum = summed(begin, end, Candidates{substep}, team);
      const ValueOfSum now = T::value(data[c], sum, start + substep.dt());
      const float stiffness = find_gradients(first, members, now.slope, team);
      if (stiffness > 0) {
        float change = 0;
        if (give.resistance > 0) {
          const double sum_before = summed(begin, end, PlacesBefore{substep}, team);
          change = now.value - T::value(data[c], sum_before, start).value;
        }
        step = give.multiplier_step(relaxation.omega, stiffness, before, now.value, change,
                                    T::one_sided(data[c]));
      }
    }
    team.each(members, [&](Index k) {
      const Index m = first + k;
      moves[m] = step == 0 ? Vec3{} : moves[m] * (particle(m).w * step);
      if (k == 0) multipliers[c] = before + step;
    });
  }

  PANTA_HD TiedParticle particle(Index member) const { return tied[elements.members[member]]; }

  template <class Team>
  PANTA_HD bool complete(Index first, Index members, const Team& team) const {
    double gone[1] = {};
    team.each(members, [&](Index k) { gone[0] += particle(first + k).slot == no_slot; });
    team.add_up(gone);
    return gone[0] == 0;
  }

  // c_e and its gradients, places from `origin`.
  template <class Place>
  PANTA_HD float element(Index e, const Vec3& origin, const Place& place, Vec3* gradient) const {
    Vec3 x[T::element_size];
    for (int m = 0; m < T::element_size; ++m) {
      const Index member = static_cast<Index>(elements.corners[e * T::element_size + m]);
      x[m] = place(particle(member).slot) - origin;
      periodicity.shorten(x[m]);
    }
    return T::element(x, gradient);
  }

  template <class Place, class Team>
  PANTA_HD double summed(const ElementRange& begin, const ElementRange& end, const Place& place,
                         const Team& team) const {
    const Vec3 origin = place(particle(static_cast<Index>(begin.member)).slot);
    double sum[1] = {};
    team.each(static_cast<Index>(end.element - begin.element), [&](Index k) {
      Vec3 unused[T::element_size];
      sum[0] += element(static_cast<Index>(begin.element) + k, origin, place, unused);
    });
    team.add_up(sum);
    return sum[0];
  }

  // Writes the gradients to `moves`; returns sum_i n_i w_i |grad_i C|^2.
  template <class Team>
  PANTA_HD float find_gradients(Index first, Index members, float slope, const Team& team) const {
    const Candidates place{substep};
    const Vec3 origin = place(particle(first).slot);
    double stiffness[1] = {};
    team.each(members, [&](Index k) {
      const Index m = first + k;
      Vec3 gradient;
      for (std::uint32_t entry = elements.begins[m]; entry < elements.begins[m + 1]; ++entry) {
        const Index corner = static_cast<Index>(elements.entries[entry]);
        Vec3 all[T::element_size];
        element(corner / T::element_size, origin, place, all);
        gradient += all[corner % T::element_size];
      }
      gradient = gradient * slope;
      const TiedParticle its = particle(m);
      const float parts = relaxation.averaging == Averaging::local ? its.ties : 1.0f;
      stiffness[0] += parts * its.w * dot(gradient, gradient);
      moves[m] = gradient;
    });
    team.add_up(stiffness);
    return static_cast<float>(stiffness[0]);
  }
};

template <class D, SummedConstraint T>
class SummedConstraints : public ConstraintBuffers<D, T> {
 public:
  void set(const ConstraintList<T>& list) {
    const ElementLayout layout = lay_out_elements(list.particles, list.elements, T::element_size);
    ConstraintBuffers<D, T>::set(list, layout.members);
    ranges_.upload(layout.ranges);
    corners_.upload(layout.corners);
    begins_.upload(layout.begins);
    entries_.upload(layout.entries);
    most_elements_ = static_cast<Index>(layout.most_elements);
  }

  // Device memory in use.
  double bytes() const {
    const std::size_t words = corners_.size() + begins_.size() + entries_.size();
    return ConstraintBuffers<D, T>::bytes() +
           static_cast<double>(ranges_.size() * sizeof(ElementRange) +
                               words * sizeof(std::uint32_t));
  }

  // One iteration; the first of a substep resets the multipliers.
  void solve(const D& exec, const Substep<D>& substep, const Periodicity& periodicity,
             const Relaxation& relaxation) {
    const Index constraints = static_cast<Index>(this->size());
    if (constraints == 0) return;
    const ElementsView elements{.ranges = ranges_.data(),
                                .members = this->members_.data(),
                                .corners = corners_.data(),
                                .begins = begins_.data(),
                                .entries = entries_.data()};
    launch_teams(exec, constraints, most_elements_,
                 SolveSums<D, T>{.substep = substep,
                                 .periodicity = periodicity,
                                 .relaxation = relaxation,
                                 .data = this->data_.data(),
                                 .softness = this->softness_.data(),
                                 .elements = elements,
                                 .tied = this->tied_.data(),
                                 .multipliers = this->multipliers_.data(),
                                 .moves = this->tied_.moves()});
    this->tied_.move(exec, substep);
  }

 private:
  Buffer<D, ElementRange> ranges_;
  Buffer<D, std::uint32_t> corners_, begins_, entries_;
  Index most_elements_ = 0;
};

}  // namespace panta::unified
