// Weights of particles with individual masses: w_i = m_i / m, where m is the mass of a particle of
// the same material. In the sums of others a particle of weight w counts as w particles.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"

namespace panta {

// Weighted = false: particles have no individual masses, and all weights are 1.
struct Weights {
  const float* values = nullptr;

  template <bool Weighted>
  PANTA_HD float of(Index i) const {
    if constexpr (Weighted)
      return values[i];
    else
      return 1.0f;
  }
  // The contribution of a pair to particle i, times the weight of its neighbour j.
  template <bool Weighted, class F, class J>
  PANTA_HD F times_other(F value, const J& j) const {
    if constexpr (Weighted)
      return value * j.number(values);
    else
      return value;
  }
};

// Computes the weights after the sort, and records with positions and weights for sums over lists.
template <class D>
struct FindWeights {
  Field4View<D> position;
  const float* mass;
  const std::uint32_t* phase;
  const float* mass_of_phase;
  float* weights;                  // result
  RecordsView<D, Record4> places;  // result: x and w

  PANTA_HD void operator()(Index i) const {
    const float w = mass[i] / mass_of_phase[phase[i]];
    const Vec3 x = position.xyz(i);
    weights[i] = w;
    places.set(i, {{x.x, x.y, x.z, w}});
  }
};

}  // namespace panta
