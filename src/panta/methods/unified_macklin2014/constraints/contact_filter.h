// Contact rules by material. A material is the group: particles with rules of their own need a
// material of their own. Bodies that a material ignores are skipped in the search for walls.
// Neighbours in a rope or a sheet of grains are nearer to each other than a grain's diameter and
// must not push: pairs that started nearer than their material's rest distance never touch.
#pragma once

#include "panta/core/field.h"
#include "panta/core/scalar_math.h"
#include "panta/methods/unified_macklin2014/substances.h"

namespace panta::unified {

// The material that a particle started with, packed beside its initial position (columns.h).
template <class F>
PANTA_HD F start_material(const Vec4T<F>& start) {
  return start.w;
}

// The contact rules of one particle.
template <class D>
struct MetMaterials {
  const float* meets = nullptr;  // row of its material; null: it touches all
  const std::uint32_t* phase = nullptr;
  Field4View<D> starts = {};
  Vec4 start = {};           // where it started, and its material
  float rest_distance2 = 0;  // m2, of its material

  // 1 for neighbours that it touches, 0 for others.
  template <class F, class J>
  PANTA_HD F share(const J& j) const {
    const F met = meets ? j.table(meets, phase) : 1.0f + F{};
    return rest_distance2 > 0 ? met * apart_at_start<F>(j.vec4(starts)) : met;
  }

 private:
  template <class F>
  PANTA_HD F apart_at_start(const Vec4T<F>& other) const {
    const Vec3T<F> d{start.x - other.x, start.y - other.y, start.z - other.z};
    const F kind = start_material(start) - start_material(other);
    const F near = where_below(dot(d, d), rest_distance2 + F{}, 1.0f + F{}, F{});
    return 1.0f - near * where_below(kind * kind, 0.25f + F{}, 1.0f + F{}, F{});
  }
};

template <class D>
struct ContactFilter {
  const std::uint32_t* phase = nullptr;
  const Substances* substances = nullptr;  // null: all pairs touch
  Field4View<D> starts = {};               // unused without rest distances

  PANTA_HD MetMaterials<D> of(Index i) const {
    if (!substances) return {};
    const float rest = substances->rest_distance[phase[i]];
    if (!(rest > 0)) return {substances->meets[phase[i]], phase};
    return {substances->meets[phase[i]], phase, starts, starts.vec4(i), rest * rest};
  }
};

}  // namespace panta::unified
