// Tables of the contribution of walls to the sums of a particle, by its distance from them. Between
// entries they are linear.
#pragma once

#include <vector>

#include "panta/core/scalar_math.h"
#include "panta/walls/wall.h"

namespace panta {

// Interpolation between the entries first and first + 1 of a table; part: the weight of the second.
struct TablePlace {
  int first;
  float part;
};

// `share`: of the range of the table, limited to 0 … 1.
PANTA_HD TablePlace table_place(float share, int entries) {
  const float t = clamp(share, 0.0f, 1.0f) * static_cast<float>(entries - 1);
  const int first = t < static_cast<float>(entries - 2) ? static_cast<int>(t) : entries - 2;
  return {first, t - static_cast<float>(first)};
}

inline constexpr double reference_sphere = 1.5;  // h, its radius
inline constexpr float strongest_bend = 1.0f;    // curvature as a multiple of the sphere's

// A curved body fills less. The table has entries for a plane and for a solid sphere, the
// reference sphere, and is interpolated by the curvature of the surface. `Entry` has
//
//   static constexpr int table_size    entries for the distances 0 … h
//   interpolate(a, b, part)            a + part (b - a), a friend
template <class Entry>
struct WallTable {
  const Entry* entries = nullptr;  // of the plane, then of the sphere
  float inverse_h = 1;
  float reference_radius = 0;  // m, over dimensions - 1: curvature times it is one at the sphere

  PANTA_HD Entry at(const WallContact& c) const {
    const Entry flat = at(c.distance);
    if (c.curvature == 0) return flat;
    const float bend = clamp(c.curvature * reference_radius, -strongest_bend, strongest_bend);
    return interpolate(flat, at(c.distance, Entry::table_size), bend);
  }
  PANTA_HD Entry at(float distance, int first = 0) const {
    const TablePlace place = table_place(distance * inverse_h, Entry::table_size);
    const Entry* const found = entries + first + place.first;
    return interpolate(found[0], found[1], place.part);
  }
};

// The entries of a WallTable: entry(distance, radius), radius 0 for the plane.
template <class Entry, class F>
std::vector<Entry> make_wall_entries(double h, const F& entry) {
  const double step = h / (Entry::table_size - 1);
  std::vector<Entry> entries;
  for (const double radius : {0.0, reference_sphere * h})
    for (int k = 0; k < Entry::table_size; ++k) entries.push_back(entry(k * step, radius));
  return entries;
}

}  // namespace panta
