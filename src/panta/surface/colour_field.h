// The smoothed colour field of Mueller et al. (2003), section 4: 1 inside the liquid, 0 outside,
//
//   c(x) = sum over j of V_j W(x - x_j),   V_j about 1 / sum over k of W(x_j - x_k).
//
// V_j = 1 / sum is the volume m / rho_j as in eq. 4. Particles at a surface have few neighbours and
// so a large volume; with it, a drop of a single particle would be half as large again as it should
// be. Therefore V_j = full^(p-1) / sum^p, where full is the sum in a full lattice, with the p < 1
// for which that drop has the right volume. The iso value is such that the surface of a half-space
// filled with a lattice lies half a spacing outside its last layer, which is where the volume of
// its particles ends.
#pragma once

#include "panta/surface/band.h"
#include "panta/surface/blob_sizes.h"
#include "panta/surface/tile_field.h"

namespace panta {

// The weight of a particle without neighbours.
template <class Bump>
float lone_weight(float radius);

// For the particles that reach the band; `radius` and `spacing` in cells. The reach of the grid
// must suffice for the largest particle.
template <class Bump>
BlobSet colour_blobs(const TileGrid& grid, const SurfaceBand& band, float radius, float spacing,
                     const BlobSizes& sizes = {});

// The same with equal weights.
BlobSet equal_blobs(const TileGrid& grid, const SurfaceBand& band, float radius,
                    const BlobSizes& sizes = {});

// The field half a spacing outside a lattice; `radius` in spacings.
template <class Bump>
float flat_surface_value(float radius, bool volumes = true);

}  // namespace panta
