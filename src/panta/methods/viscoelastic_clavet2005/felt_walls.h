// The walls around particles, as relaxation sees them: their images (mirrors.h) where pushes are
// corrected (stress.h), else a table of what liquid behind them would add (density.h).
#pragma once

#include "panta/core/field.h"
#include "panta/methods/viscoelastic_clavet2005/lattice_sums.h"
#include "panta/methods/viscoelastic_clavet2005/mirrors.h"
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
  float elapsed = 1;      // of the step
  bool bodies = false;    // free ones count
  bool mirrored = false;  // by images instead of the table

  template <class Visit>
  PANTA_HD void each(Index i, const Vec3& x, const Visit& visit) const {
    near.each(i, x, h, visit, x - middle.xyz(i), elapsed * static_cast<float>(state->dt));
  }
  PANTA_HD Mirrors mirrors(Index i, const Vec3& x) const {
    Mirrors m;
    if (!shares.table || !mirrored) return m;
    m.per_fading = 1 / (Mirrors::faded_in * shares.spacing);
    each(i, x, [&](const WallContact& c) {
      if (m.count == ContactSet::most || !(c.weight > 0)) return;
      const float distance = maximum(c.distance, 0.0f);
      const float weight = c.weight * shares.behind_curved(c.mean_curvature_here());
      m.item[m.count++] = {c.normal, distance, weight * m.faded(distance), c.free_body >= 0};
    });
    m.find_sets(h);
    return m;
  }
  PANTA_HD bool near_free_body(Index i) const {
    if (!bodies || !near.counts) return false;
    for (Index k = 0; k < static_cast<Index>(near.counts[i]); ++k)
      if (near.contacts[i * ContactSet::most + k].free_body >= 0) return true;
    return false;
  }
  // What liquid behind them adds to rho and rho_near, by the table.
  PANTA_HD WallSums behind(Index i, const Vec3& x) const {
    if (!shares.table || mirrored) return {};
    const WallFree free = free_of(i, x);
    return {shares.whole * (1 - free.density), shares.whole_near * (1 - free.near)};
  }
  // The push of both pressures, m/s2. Walls do not attract: else drops would hang under ceilings.
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
    if (!shares.table || mirrored) return;
    const WallFree free = free_of(i, x);
    if (free.density == 1) return;
    each_share(i, x, [&](const WallContact& c, const WallShare& s) {
      const float push = pressure * s.push * free.density / (1 - s.density) +
                         near_pressure * s.near_push * free.near / (1 - s.near_density);
      visit(c, c.normal * maximum(push, 0.0f));
    });
  }

 private:
  // Of those that count in densities: visit(contact, share).
  template <class Visit>
  PANTA_HD void each_share(Index i, const Vec3& x, const Visit& visit) const {
    each(i, x, [&](const WallContact& c) {
      if (c.free_body < 0 || bodies) visit(c, shares.at(c));
    });
  }
  PANTA_HD WallFree free_of(Index i, const Vec3& x) const {
    WallFree free;
    each_share(i, x, [&](const WallContact&, const WallShare& s) {
      free = {free.density * (1 - s.density), free.near * (1 - s.near_density)};
    });
    return free;
  }
};

}  // namespace panta::viscoelastic
