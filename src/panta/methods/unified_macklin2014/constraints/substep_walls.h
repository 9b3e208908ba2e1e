// The walls around liquid particles in a substep: flat walls are mirrors (solver/mirrors.h), curved
// walls and free bodies are tables of the contribution of liquid behind them (WallShare in
// kernels.h).
#pragma once

#include "panta/bodies/body_substeps.h"
#include "panta/methods/unified_macklin2014/kernels.h"
#include "panta/solver/mirrors.h"
#include "panta/walls/found_walls.h"

namespace panta::unified {

// Free bodies count as larger by `standoff`: a settled liquid is a little closer to a surface than
// its lattice was. Without it a held ball carries 0.93 (radius 3 spacings) and 0.975 (6) of the
// weight of the displaced liquid, with 0.07 spacings 1.00 (measured at spacings of 2 cm).
template <class D>
struct SubstepWalls {
  FoundWalls<D> found;
  WallTable<WallShare> shares;
  float closest = 0;                      // m, contact distance of particles; 0: no mirrors
  const BodyDeviation* bodies = nullptr;  // null: free bodies are no walls
  float standoff = 0;                     // m, of free bodies

  PANTA_HD Mirrors mirrors(Index i, const Vec3& x) const {
    return Mirrors([&](Mirrors& m) {
      if (!(closest > 0)) return;
      m.set_fading(fading * closest);
      const float reach = found.h - least_distance * closest;
      each_numbered(i, x, [&](Index, const WallContact& c) {
        const float weight = c.weight * flatness(c);
        if (weight > 0 && c.distance < reach) m.add(c.normal, maximum(c.distance, closest), weight);
      });
      m.find_sets(reach);
    });
  }
  // Walls that are not mirrors, with their weights as tables.
  template <class Visit>
  PANTA_HD void each_table(Index i, const Vec3& x, const Visit& visit) const {
    each_numbered(i, x, [&](Index k, const WallContact& c) {
      const float rest = 1 - flatness(c);
      if (!(rest > 0)) return;
      WallContact part = c;
      part.weight *= rest;
      visit(k, part);
    });
  }

  template <class Visit>
  PANTA_HD void each(Index i, const Vec3& x, const Visit& visit) const {
    each_numbered(i, x, [&](Index, const WallContact& c) { visit(c); });
  }
  template <class Visit>
  PANTA_HD void each_numbered(Index i, const Vec3& x, const Visit& visit) const {
    found.each_numbered(i, x, [&](Index k, const WallContact& c) {
      if (c.free_body < 0) return visit(k, c);
      if (!bodies) return;
      const BodyDeviation& body = bodies[c.free_body];
      WallContact displaced = c;
      displaced.distance -= dot(c.normal, body.shift_at(x)) + standoff;
      displaced.velocity += body.velocity_at(x);
      visit(k, displaced);
    });
  }

 private:
  static constexpr float fading = 0.2f;          // times `closest`: images of nearer particles fade
  static constexpr float least_distance = 0.8f;  // times `closest`: few particles are nearer
  static constexpr float flat = 0.25f, curved = 0.75f;  // curvature times h

  // The weight of a wall as a mirror: 1 for flat ones, 0 for curved ones, free bodies and walls
  // with adhesion. (Adhesion acts once per step, and images would push particles back off.)
  PANTA_HD float flatness(const WallContact& c) const {
    if (c.free_body >= 0 || c.surface->adhesion > 0 || !(closest > 0)) return 0;
    return clamp((curved - fabsf(c.curvature) * found.h) / (curved - flat), 0.0f, 1.0f);
  }
};

}  // namespace panta::unified
