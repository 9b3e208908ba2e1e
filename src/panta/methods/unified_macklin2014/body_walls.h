// Free bodies as walls of the density constraint: the interface for bodies/body_substeps.h.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/density.h"

namespace panta::unified {

// The surfaces of free bodies near liquid particles, as found by the search.
template <class D>
struct NearBodies {
  NearWalls near;
  WallTable<WallShare> shares;
  Field4View<D> searched;
  const std::uint32_t* phase;
  const Substances* substances;
  const std::uint32_t* living;
  Weights volumes;
  bool weighted;
  float touching;  // m

  PANTA_HD bool takes_part(Index i) const {
    return static_cast<std::uint32_t>(i) < *living && near.counts[i] > 0 &&
           substances->kind[phase[i]] == MaterialKind::liquid;
  }
  template <class Visit>
  PANTA_HD void each(Index i, const Visit& visit) const {
    const Vec3 x = searched.xyz(i);
    const float volume = weighted ? volumes.of<true>(i) : 1.0f;
    for (std::uint32_t k = 0; k < near.counts[i]; ++k) {
      const WallContact& c = near.contacts[i * ContactSet::most + k];
      if (c.free_body >= 0)
        visit(c.free_body, x, c.normal, c.weight * shares.at(c).slope * volume,
              c.distance < touching);
    }
  }
};

// The pushes on free bodies in a solve.
template <class D>
struct PushedBodies {
  RecordedBodyPushes pushes;
  Field4View<D> searched;
  const std::uint32_t* living;

  PANTA_HD bool takes_part(Index i) const {
    return static_cast<std::uint32_t>(i) < *living && pushes.near.counts[i] > 0;
  }
  template <class Visit>
  PANTA_HD void each(Index i, const Visit& visit) const {
    const Vec3 x = searched.xyz(i);
    for (std::uint32_t k = 0; k < pushes.near.counts[i]; ++k) {
      const Index at = i * ContactSet::most + static_cast<Index>(k);
      const int body = pushes.near.contacts[at].free_body;
      if (body >= 0) visit(body, x, to_double(pushes.pushes[at]));
    }
  }
};

}  // namespace panta::unified
