#include "panta/surface/reconstruct.h"

#include <omp.h>

#include <cmath>

#include "panta/core/error.h"
#include "panta/surface/anisotropy.h"
#include "panta/surface/colour_field.h"
#include "panta/surface/follow.h"
#include "panta/surface/level_set.h"
#include "panta/surface/level_set_force.h"
#include "panta/surface/mesh_tiles.h"
#include "panta/surface/neighbor_packs.h"
#include "panta/surface/splats.h"

namespace panta {
namespace {

constexpr float surface_gradient = 0.1f;                  // per spacing, of surface particles
constexpr float smallest_cell = 0.15f, largest_cell = 4;  // spacings

// How far a particle is felt, in spacings, where the user leaves it open.
float own_radius(SurfaceMethod method) {
  switch (method) {
    case SurfaceMethod::metaballs:
      return 1.2f;
    case SurfaceMethod::cone:
      return 1.2f;
    case SurfaceMethod::level_set:
      return own_force_radius;
    default:
      return 2;
  }
}

template <class Bump>
SurfaceMesh mesh_of_blobs(const TileGrid& grid, const SurfaceBand& band, const BlobSet& set,
                          float iso) {
  return mesh_tiles(grid, band.meshed, iso, [&](std::size_t tile, TileField& field) {
    field.evaluate<Bump>(grid, band, set, tile, 2 * iso);
  });
}

}  // namespace

Reconstruction::Reconstruction(const SurfaceOptions& options) : options_(options) {
  if (!(options.cell >= smallest_cell && options.cell <= largest_cell))
    throw Error(ErrorKind::usage, "the surface's cell must be {} to {} spacings, got {}",
                smallest_cell, largest_cell, options.cell);
  if (!(options.radius == 0 || (options.radius >= 1 && options.radius <= 4)))
    throw Error(ErrorKind::usage, "the surface's radius must be 1 to 4 spacings, got {}",
                options.radius);
  if (options_.radius == 0) options_.radius = own_radius(options.method);
  if (options_.threads <= 0) options_.threads = omp_get_num_procs();
  if (options.method == SurfaceMethod::level_set) level_set_ = std::make_unique<LevelSet>(options_);
}
Reconstruction::~Reconstruction() = default;
Reconstruction::Reconstruction(Reconstruction&&) noexcept = default;
Reconstruction& Reconstruction::operator=(Reconstruction&&) noexcept = default;

SurfaceMesh Reconstruction::make(const SurfaceInput& input) {
  left_out_ = 0;
  if (input.position.empty()) return {};
  if (!(input.spacing > 0))
    throw Error(ErrorKind::usage, "a surface needs a positive spacing, got {}", input.spacing);
  if (level_set_) {
    SurfaceMesh mesh = level_set_->make(input);
    left_out_ = level_set_->left_out();
    return mesh;
  }
  const SurfaceLattice lattice = make_lattice(options_.cell * input.spacing, input.spacing);
  const float spacing = input.spacing / lattice.cell, radius = options_.radius * spacing;
  const bool shaped = options_.method == SurfaceMethod::anisotropic;
  const int reach = bins_within(lattice, (shaped ? anisotropic_reach : 1) * radius);
  const TileGrid grid(input.position, lattice, reach, options_.threads);
  left_out_ = grid.left_out();
  const SurfaceBand band = find_band(grid, spacing);
  switch (options_.method) {
    case SurfaceMethod::cone:
      return mesh_of_blobs<ConeBump>(grid, band,
                                     colour_blobs<ConeBump>(grid, band, radius, spacing, false),
                                     flat_surface_value<ConeBump>(options_.radius, false));
    case SurfaceMethod::metaballs: {
      const float q = particle_radius / options_.radius;
      return mesh_of_blobs<SmoothBump>(grid, band,
                                       colour_blobs<SmoothBump>(grid, band, radius, spacing, false),
                                       SmoothBump::bump(q * q));
    }
    case SurfaceMethod::anisotropic:
      return mesh_of_blobs<SmoothBump>(grid, band, anisotropic_blobs(grid, band, radius, spacing),
                                       anisotropic_flat_value(options_.radius));
    case SurfaceMethod::follow: {
      const BlobSet blobs = colour_blobs<SmoothBump>(grid, whole_band(grid), radius, spacing);
      std::vector<Vec3> seeds;
      for (const std::uint32_t k : surface_particles(grid, band, blobs, surface_gradient / spacing))
        seeds.push_back(grid.position(k));
      return follow_surface(grid, blobs, flat_surface_value<SmoothBump>(options_.radius), seeds);
    }
    default:
      return mesh_of_blobs<SmoothBump>(grid, band,
                                       colour_blobs<SmoothBump>(grid, band, radius, spacing),
                                       flat_surface_value<SmoothBump>(options_.radius));
  }
}

}  // namespace panta
