// Anisotropic blobs (Yu and Turk 2013): flat at flat surfaces, long in filaments, round where there
// are few particles, so that surfaces are smooth and thin sheets have no holes.
//
// From the weighted mean and covariance C of a particle's neighbours (their eqs. 9 to 11), w = 1 -
// (r / r_n)^3, the half sizes along the eigenvectors are radius * sigma_k with sigma_k =
// sqrt(lambda_k / lambda_full), where lambda_full is that of a full lattice and sigma_k is limited
// to [narrowest, 1]. Particles move towards the mean of their neighbours (eq. 6), here only along
// the directions in which the liquid is thin and only within their own layer, i.e. inside their
// blob: otherwise flat surfaces would sink.
//
// Deviations from the paper: standard deviations instead of variances as half sizes, which flattens
// less; weights by volumes from the blob itself (as in colour_field.h) instead of m / rho and the
// norm of G, so that the surface encloses the liquid's volume.
#pragma once

#include "panta/surface/band.h"
#include "panta/surface/blob_sizes.h"
#include "panta/surface/tile_field.h"

namespace panta {

inline constexpr float anisotropic_reach = 1.25f;  // radii: extent of blobs from particles

// `radius` and `spacing` in cells.
BlobSet anisotropic_blobs(const TileGrid& grid, const SurfaceBand& band, float radius,
                          float spacing, const BlobSizes& sizes = {});

// The field half a spacing outside a lattice; `radius` in spacings.
float anisotropic_flat_value(float radius);

}  // namespace panta
