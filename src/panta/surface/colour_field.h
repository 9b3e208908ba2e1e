// The smoothed colour field of Mueller et al. (2003), section 4: 1 inside the liquid, 0 outside,
//
//   c(x) = sum over j of V_j W(x - x_j),   V_j about 1 / sum over k of W(x_j - x_k).
//
// V_j = 1 / sum is the volume m / rho_j as eq. 4 has it. Particles at a surface have few neighbours
// and so a large volume, those alone so much of it that a drop of one particle would be half as
// large again as it should be; V_j = full^(p-1) / sum^p, full being the sum in a full lattice, has
// p < 1 for which that drop's volume is right. The iso value is such that the surface of a
// half-space filled with a lattice lies half a spacing outside its last layer, which is where its
// volume ends.
#pragma once

#include <span>

#include "panta/surface/band.h"
#include "panta/surface/tile_field.h"

namespace panta {

// The weight of a particle without neighbours.
template <class Bump>
float lone_weight(float radius);

// For the particles that reach the band; `radius` and `spacing` in cells.
template <class Bump>
BlobSet colour_blobs(const TileGrid& grid, const SurfaceBand& band, float radius, float spacing);

// The same with equal weights; `size` of each particle, times `radius`, or empty for 1. The grid
// has to reach as far as the largest.
BlobSet equal_blobs(const TileGrid& grid, const SurfaceBand& band, float radius,
                    std::span<const float> size = {});

// The field half a spacing outside a lattice; `radius` in spacings.
template <class Bump>
float flat_surface_value(float radius, bool volumes = true);

}  // namespace panta
