// The walls around particles in the relaxation: mirrors (solver/mirrors.h) where pushes are
// corrected (stress.h), else a table of the contribution of liquid behind them (density.h).
//
// The image of particle j has R C_j R for C_j (stress.h) and R G_j for G_j (free_surface.h). A
// convex wall has less liquid behind it than in front: its images are weighted by
// LiquidBehindWalls::behind_curved. Walls do not attract (relax.h): else drops would hang under
// ceilings.
#pragma once

#include "panta/methods/viscoelastic_clavet2005/lattice_sums.h"
#include "panta/solver/mirrors.h"
#include "panta/walls/found_walls.h"

namespace panta::viscoelastic {

using Mirrors = MirrorSets<true>;

// The share of a particle's surroundings that walls leave.
struct WallFree {
  float density = 1, near = 1;
};

// The walls around particles at the end of the step.
template <class D>
struct RelaxationWalls {
  FoundWalls<D> found;  // at positions half way
  LiquidBehindWalls liquid;
  bool bodies = false;    // free ones count
  bool mirrored = false;  // by images instead of the table

  template <class Visit>
  PANTA_HD void each(Index i, const Vec3& x, const Visit& visit) const {
    found.each(i, x, visit);
  }
  PANTA_HD Mirrors mirrors(Index i, const Vec3& x) const {
    return Mirrors([&](Mirrors& m) {
      if (!liquid.counts() || !mirrored) return;
      const float least = nearest * liquid.spacing;
      m.set_least(least);
      each(i, x, [&](const WallContact& c) {
        if (!(c.weight > 0)) return;
        const bool free = c.free_body >= 0;
        const float curvature = free ? maximum(c.mean_curvature_here(), 0.0f) : 0.0f;
        const float inside = clamp(1 + c.distance / least, 0.0f, 1.0f);  // of the solid: 0
        m.add(c.normal, maximum(c.distance, least),
              c.weight * liquid.behind_curved(curvature) * inside, curvature, free);
      });
      m.find_sets(found.h);
    });
  }
  PANTA_HD bool near_free_body(Index i) const {
    if (!bodies || !found.near.counts) return false;
    for (Index k = 0; k < static_cast<Index>(found.near.counts[i]); ++k)
      if (found.near.contacts[i * ContactSet::most + k].free_body >= 0) return true;
    return false;
  }
  // The contribution of liquid behind them to rho and rho_near, by the table.
  PANTA_HD WallSums behind(Index i, const Vec3& x) const {
    if (!liquid.counts() || mirrored) return {};
    const WallFree free = free_of(i, x);
    return {liquid.whole * (1 - free.density), liquid.whole_near * (1 - free.near)};
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
    if (!liquid.counts() || mirrored) return;
    const WallFree free = free_of(i, x);
    if (free.density == 1) return;
    each_share(i, x, [&](const WallContact& c, const WallLiquid& s) {
      const float push = pressure * s.push * free.density / (1 - s.density) +
                         near_pressure * s.near_push * free.near / (1 - s.near_density);
      visit(c, c.normal * maximum(push, 0.0f));
    });
  }

 private:
  static constexpr float nearest = 0.1f;  // spacings; nearer particles count as at this distance

  // Of those that count in densities: visit(contact, share).
  template <class Visit>
  PANTA_HD void each_share(Index i, const Vec3& x, const Visit& visit) const {
    each(i, x, [&](const WallContact& c) {
      if (c.free_body < 0 || bodies) visit(c, liquid.at(c));
    });
  }
  PANTA_HD WallFree free_of(Index i, const Vec3& x) const {
    WallFree free;
    each_share(i, x, [&](const WallContact&, const WallLiquid& s) {
      free = {free.density * (1 - s.density), free.near * (1 - s.near_density)};
    });
    return free;
  }
};

}  // namespace panta::viscoelastic
