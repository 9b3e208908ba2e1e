// Diameters of grains. A cubic lattice of spheres that touch fills 52 % of space, sand that has
// settled about 60 %; for disks in a plane that is 79 % against 82 to 84 %. Grains as wide as a
// spacing, which start on such a lattice, would settle to a heap that is denser than its material
// by up to a fifth. With diameters
//
//   d = mean spacing (1 + spread u),   u uniform in [-1, 1], from the id
//
// it keeps its density. Unequal grains do not crystallise either; a crystal in the plane is stiff
// and rough at any friction.
//
// A grain enters one spacing wide, as the lattices of fluids and emitters are, and grows or shrinks
// to its diameter at the speed
//
//   rate = 0.02 spacing sqrt(g / spacing)
//
// so slowly that it gives its neighbours almost no speed. Without gravity nothing settles, and
// grains keep their width.
#pragma once

#include "panta/core/random.h"
#include "panta/core/scalar_math.h"

namespace panta::unified {

inline constexpr double growth = 0.02;              // spacings sqrt(g / spacing)
inline constexpr std::uint64_t size_stream = 0x5e;  // of random numbers

struct GrainSizes {
  float mean = 0, spread = 0;  // m, of radii; and as a share of the mean
  float rate = 0;              // m/s, of radii

  PANTA_HD float wanted(std::uint32_t id) const {
    return mean * (1 + spread * (2 * random_uniform(size_stream, id, 0) - 1));
  }
  PANTA_HD float after(float radius, std::uint32_t id, float dt) const {
    const float most = rate * dt, change = wanted(id) - radius;
    return radius + maximum(minimum(change, most), -most);
  }
};

}  // namespace panta::unified
