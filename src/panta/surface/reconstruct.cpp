#include "panta/surface/reconstruct.h"

#include <algorithm>
#include <cmath>

#include "panta/core/error_format.h"
#include "panta/engine/devices.h"
#include "panta/frame/particle_frame.h"
#include "panta/surface/anisotropy.h"
#include "panta/surface/colour_field.h"
#include "panta/surface/device/device_surface.h"
#include "panta/surface/follow.h"
#include "panta/surface/level_set.h"
#include "panta/surface/mesh_tiles.h"
#include "panta/surface/splats.h"

namespace panta {
namespace {

constexpr float surface_gradient = 0.1f;  // per spacing, of surface particles

template <class Bump>
SurfaceMesh mesh_of_blobs(const TileGrid& grid, const SurfaceBand& band, const BlobSet& set,
                          float iso) {
  return mesh_tiles(grid, band.meshed, iso, [&](std::size_t tile, TileField& field) {
    field.evaluate<Bump>(grid, band, set, tile, 2 * iso);
  });
}

// Weights by volume.
SurfaceMesh mesh_of_volumes(const TileGrid& grid, const SurfaceBand& band, const FieldPlan& plan,
                            const BlobSizes& sizes) {
  return mesh_of_blobs<SmoothBump>(
      grid, band, colour_blobs<SmoothBump>(grid, band, plan.radius, plan.spacing, sizes), plan.iso);
}

template <class Bump>
SurfaceMesh mesh_of_balls(const TileGrid& grid, const SurfaceBand& band, const FieldPlan& plan,
                          const BlobSizes& sizes) {
  return mesh_of_blobs<Bump>(grid, band, equal_blobs(grid, band, plan.radius, sizes), plan.iso);
}

// Gradients are less steep at large particles.
SurfaceMesh followed(const TileGrid& grid, const SurfaceBand& band, const FieldPlan& plan,
                     const BlobSizes& sizes) {
  const BlobSet blobs =
      colour_blobs<SmoothBump>(grid, whole_band(grid), plan.radius, plan.spacing, sizes);
  const float widest = std::max(1.0f, largest_size(sizes.size)) * plan.spacing;
  std::vector<Vec3> seeds;
  for (const std::uint32_t k : surface_particles(grid, band, blobs, surface_gradient / widest))
    seeds.push_back(grid.position(k));
  return follow_surface(grid, blobs, plan.iso, seeds);
}

}  // namespace

bool has_device_form(SurfaceMethod method) {
  return method != SurfaceMethod::follow && method != SurfaceMethod::level_set;
}

DeviceKind surface_device(const SurfaceOptions& options) {
  const bool has_form = has_device_form(options.method);
  if (!has_form && options.device == "cuda") return DeviceKind::cpu;  // requires no GPU
  const DeviceKind device = choose_device(options.device);
  return has_form ? device : DeviceKind::cpu;
}

Reconstruction::Reconstruction(const SurfaceOptions& options)
    : options_(complete_options(options)), iso_(iso_value(options_)) {
  if (options.method == SurfaceMethod::level_set) level_set_ = std::make_unique<LevelSet>(options_);
  [[maybe_unused]] const DeviceKind device = surface_device(options_);
#ifdef PANTA_HAS_CUDA
  if (device == DeviceKind::cuda) on_device_ = make_device_surface<Cuda>(options_.threads);
#endif
}
Reconstruction::~Reconstruction() = default;
Reconstruction::Reconstruction(Reconstruction&&) noexcept = default;
Reconstruction& Reconstruction::operator=(Reconstruction&&) noexcept = default;

SurfaceMesh Reconstruction::make(const SurfaceInput& all) {
  left_out_ = 0;
  if (all.position.empty()) return {};
  SurfaceInput input = all;
  if (std::all_of(all.size.begin(), all.size.end(), [](float size) { return size == 1; }))
    input.size = {};
  if (!(input.spacing > 0))
    throw Error(ErrorKind::usage, "a surface needs a positive spacing, got {}", input.spacing);
  SurfaceMesh mesh;
  if (level_set_) {
    mesh = level_set_->make(input);
    left_out_ = level_set_->left_out();
  } else if (on_device_ && input.size.empty()) {
    mesh = on_device_->make(input.position, plan_field(options_, input.spacing, iso_));
    left_out_ = on_device_->left_out();
  } else {
    mesh = make_on_cpu(input);
  }
  return mesh;
}

SurfaceMesh Reconstruction::make_on_cpu(const SurfaceInput& input) {
  const FieldPlan plan = plan_field(options_, input.spacing, iso_);
  const TileGrid grid(input.position, plan.lattice, reach_of(plan.lattice, plan.range, input.size),
                      options_.threads);
  left_out_ = grid.left_out();
  const BlobSizes sizes(grid, input.size);
  const SurfaceBand band = find_band(grid, plan.spacing, sizes.smallest);
  switch (options_.method) {
    case SurfaceMethod::anisotropic:
      return mesh_of_blobs<SmoothBump>(
          grid, band, anisotropic_blobs(grid, band, plan.radius, plan.spacing, sizes), plan.iso);
    case SurfaceMethod::follow:
      return followed(grid, band, plan, sizes);
    case SurfaceMethod::cone:
      return mesh_of_balls<ConeBump>(grid, band, plan, sizes);
    case SurfaceMethod::metaballs:
      return mesh_of_balls<SmoothBump>(grid, band, plan, sizes);
    default:
      return mesh_of_volumes(grid, band, plan, sizes);
  }
}

}  // namespace panta
