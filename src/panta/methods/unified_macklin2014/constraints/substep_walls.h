// The walls around liquid particles in a substep: sides of the domain are mirrors
// (solver/mirrors.h), bodies are tables of the contribution of liquid behind them (WallShare in
// kernels.h).
//
// A particle at a convex edge of a body has other walls than its neighbours. If bodies are mirrors,
// it has images of neighbours that do not have its image, pushes along the wall are not opposite,
// and energy grows: a pool around a box on its floor then moves at 24 mm/s instead of 4 mm/s,
// around a plate at 38 mm/s instead of 6.
#pragma once

#include "panta/bodies/body_substeps.h"
#include "panta/methods/unified_macklin2014/kernels.h"
#include "panta/solver/mirrors.h"
#include "panta/walls/found_walls.h"

namespace panta::unified {

using Mirrors = MirrorSets<false>;

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
      m.set_least(fading * closest);
      const float reach = found.h - least_distance * closest;
      each_numbered(i, x, [&](Index, const WallContact& c) {
        if (is_mirror(c) && c.distance < reach) m.add(c.normal, maximum(c.distance, closest), 1);
      });
      m.find_sets(reach);
    });
  }
  // The part s of the sides that acts as mirrors (density.h). It decreases to 0 where a body with a
  // similar normal is as near as the side.
  PANTA_HD float mirrored(Index i, const Vec3& x) const {
    float part = 1;
    if (!found.near.counts || found.near.counts[i] == 0) return part;
    each(i, x, [&](const WallContact& body) {
      if (is_mirror(body)) return;
      each(i, x, [&](const WallContact& side) {
        const float overlap = clamp(similar * dot(body.normal, side.normal), 0.0f, 1.0f);
        const float nearer = (body.distance - side.distance) / (transition * found.h);
        if (is_mirror(side)) part = minimum(part, 1 - overlap * clamp(1 - nearer, 0.0f, 1.0f));
      });
    });
    return part;
  }
  // Walls with their weights as tables.
  template <class Visit>
  PANTA_HD void each_table(Index i, const Vec3& x, float mirrored, const Visit& visit) const {
    each_numbered(i, x, [&](Index k, WallContact c) {
      if (is_mirror(c)) c.weight *= 1 - mirrored;
      if (c.weight > 0) visit(k, c);
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
  static constexpr float transition = 0.7f;      // times h
  static constexpr float similar = 4;            // 1 over the cosine of normals that are similar

  // Adhesion acts once per step, and images would push particles back off.
  PANTA_HD bool is_mirror(const WallContact& c) const {
    return closest > 0 && found.is_side_of_domain(c) && !(c.surface->adhesion > 0);
  }
};

}  // namespace panta::unified
