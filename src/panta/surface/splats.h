// The surface as discs (Mueller et al. 2003, sections 4 and 4.1). A particle is on the surface
// where the colour field's gradient n is long, |n| > threshold (eq. 23), and -n points outwards;
// its disc lies on the iso-surface in front of it. Isolated particles are drops. More discs can be
// inserted between them, projected onto the surface of the colour field.
#pragma once

#include "panta/surface/reconstruct.h"
#include "panta/surface/tile_field.h"

namespace panta {

struct Splat {
  Vec3 position;               // m
  Vec3 normal;                 // unit, outwards; zero for a drop
  float radius = 0;            // m
  std::uint32_t particle = 0;  // index of its particle in the input
};

struct SplatOptions {
  float threshold = 0.1f;  // |n| of surface particles, per spacing
  int extra = 0;           // additional discs around each of them
  int threads = 0;         // 0: all cores
};

std::vector<Splat> surface_splats(const SurfaceInput& input, const SplatOptions& options = {});

// The surface particles of a grid, as indices in its order; blobs of the colour field.
std::vector<std::uint32_t> surface_particles(const TileGrid& grid, const SurfaceBand& band,
                                             const BlobSet& blobs, float threshold);

}  // namespace panta
