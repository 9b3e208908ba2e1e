// The reaction on free bodies as walls (density.h): the opposite of their push on each particle, at
// its position when pressures were computed. bodies/wall_forces.h sums it.
#pragma once

#include "panta/bodies/wall_forces.h"
#include "panta/methods/viscoelastic_clavet2005/density.h"
#include "panta/methods/viscoelastic_clavet2005/substances.h"

namespace panta::viscoelastic {

template <class D>
struct RelaxationReaction {
  RelaxationWalls<D> walls;
  RecordsView<D> records;               // as FindPressures leaves them
  RecordsView<D, Record4> body_pushes;  // as Relax leaves them, of images
  const std::uint32_t* phase;
  const Substances* substances;
  ParticleMass mass;
  const std::uint32_t* held;
  const std::uint32_t* living;

  PANTA_HD bool near(Index i) const {
    return !(held && held[i]) && !(living && static_cast<std::uint32_t>(i) >= *living) &&
           walls.near_free_body(i);
  }
  // visit(body, point, force on the particle).
  template <class Visit>
  PANTA_HD void each(Index i, const Visit& visit) const {
    const Record8 r = records.get(i);
    const Vec3 x = r.first.xyz();
    const float kg = static_cast<float>(mass(i)) * substances->mobility[phase[i]];
    if (walls.mirrored) return each_of_images(i, x, kg, visit);
    walls.each_push(i, x, r.first.w, r.second.x, [&](const WallContact& c, const Vec3& push) {
      if (c.free_body >= 0) visit(c.free_body, x, push * kg);
    });
  }

 private:
  // Several bodies share it by their distance. Pressure along a surface has no torque on a body.
  template <class Visit>
  PANTA_HD void each_of_images(Index i, const Vec3& x, float kg, const Visit& visit) const {
    const auto nearness = [&](const WallContact& c) {
      return maximum(walls.found.h - c.distance, 0.0f);
    };
    float all = 0;
    walls.each(i, x, [&](const WallContact& c) { all += c.free_body < 0 ? 0 : nearness(c); });
    const Vec3 push = body_pushes.get(i).first.xyz();
    walls.each(i, x, [&](const WallContact& c) {
      if (c.free_body < 0) return;
      const Vec3 force = push * (kg * nearness(c) / all);
      const Vec3 across = c.normal * dot(force, c.normal);
      visit(c.free_body, x, across);
      visit.without_moment(c.free_body, force - across);
    });
  }
};

}  // namespace panta::viscoelastic
