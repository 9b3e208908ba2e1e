#include "panta/surface/splats.h"

#include <omp.h>

#include <numbers>

#include "panta/surface/blob_field.h"
#include "panta/surface/colour_field.h"

namespace panta {
namespace {

constexpr float radius = 2;           // spacings, range of a particle
constexpr float disc_radius = 0.75f;  // spacings: discs of neighbours overlap
constexpr float alone = 0.8f;  // limit, relative to the weight of a particle without neighbours
constexpr int steps = 4;       // of Newton's method towards the surface

// The point of the iso-surface in front of `at`, and its normal; false if the iteration diverges.
bool project(const BlobField& field, float iso, float farthest, Vec3& at, Vec3& normal) {
  const Vec3 start = at;
  for (int k = 0; k < steps; ++k) {
    const BlobField::Sample s = field.sample(at);
    const float slope2 = dot(s.gradient, s.gradient);
    if (!(slope2 > 0)) return false;
    at += s.gradient * ((iso - s.value) / slope2);
    normal = normalized(-s.gradient);
    if (!(length(at - start) < farthest)) return false;
  }
  return true;
}

// Discs of one surface particle.
class SplatMaker {
 public:
  SplatMaker(const TileGrid& grid, const BlobSet& blobs, float spacing, int extra)
      : grid_(grid),
        blobs_(blobs),
        field_(grid, blobs),
        spacing_(spacing),
        iso_(flat_surface_value<SmoothBump>(radius)),
        alone_(alone * lone_weight<SmoothBump>(radius)),
        extra_(extra) {}

  void make(std::uint32_t k, std::vector<Splat>& out) const {
    const float metre = grid_.lattice().cell;
    Splat splat;
    splat.particle = grid_.order()[k];
    Vec3 at = grid_.position(k);
    if (blobs_.blobs[blobs_.of_particle[k]].weight > alone_) {
      splat.position = grid_.to_space(at);
      splat.radius = particle_radius * spacing_ * metre;
      out.push_back(splat);
      return;
    }
    if (!project(field_, iso_, spacing_, at, splat.normal)) return;
    splat.position = grid_.to_space(at);
    splat.radius = (extra_ > 0 ? 0.6f : 1.0f) * disc_radius * spacing_ * metre;
    out.push_back(splat);
    const Vec3 across = normalized(
        cross(splat.normal, std::abs(splat.normal.y) < 0.9f ? Vec3{0, 1, 0} : Vec3{1, 0, 0}));
    const Vec3 along = cross(splat.normal, across);
    for (int e = 0; e < extra_; ++e) {
      const float angle =
          2 * std::numbers::pi_v<float> * static_cast<float>(e) / static_cast<float>(extra_);
      Splat more = splat;
      Vec3 beside = at + (across * std::cos(angle) + along * std::sin(angle)) * (0.5f * spacing_);
      if (!project(field_, iso_, 0.5f * spacing_, beside, more.normal)) continue;
      more.position = grid_.to_space(beside);
      out.push_back(more);
    }
  }

 private:
  const TileGrid& grid_;
  const BlobSet& blobs_;
  BlobField field_;
  float spacing_, iso_, alone_;
  int extra_;
};

}  // namespace

std::vector<std::uint32_t> surface_particles(const TileGrid& grid, const SurfaceBand& band,
                                             const BlobSet& blobs, float threshold) {
  const BlobField field(grid, blobs);
  std::vector<std::uint8_t> on_surface(grid.size());
#pragma omp parallel for schedule(dynamic, 4) num_threads(grid.threads())
  for (std::int64_t t = 0; t < static_cast<std::int64_t>(grid.tiles().size()); ++t) {
    const Tile& tile = grid.tiles()[static_cast<std::size_t>(t)];
    if (tile.bins < 0) continue;
    for (int bin = 0; bin < bins_per_tile; ++bin) {
      if (!band.band[static_cast<std::size_t>(t)].has_bin(bin)) continue;
      for (std::uint32_t k = grid.bin_begin(tile, bin); k < grid.bin_begin(tile, bin + 1); ++k) {
        // An isolated particle has a zero gradient but is at its own surface.
        const float lone = lone_weight<SmoothBump>(radius) * alone;
        on_surface[k] = blobs.blobs[blobs.of_particle[k]].weight > lone ||
                        length(field.sample(grid.position(k)).gradient) > threshold;
      }
    }
  }
  std::vector<std::uint32_t> found;
  for (std::uint32_t k = 0; k < on_surface.size(); ++k)
    if (on_surface[k]) found.push_back(k);
  return found;
}

std::vector<Splat> surface_splats(const SurfaceInput& input, const SplatOptions& options) {
  std::vector<Splat> splats;
  if (input.position.empty()) return splats;
  const SurfaceLattice lattice = make_lattice(input.spacing, input.spacing);
  const int threads = options.threads > 0 ? options.threads : omp_get_num_procs();
  const TileGrid grid(input.position, lattice, static_cast<int>(radius), threads);
  const SurfaceBand band = find_band(grid, 1);
  const BlobSet blobs = colour_blobs<SmoothBump>(grid, band, radius, 1);
  const std::vector<std::uint32_t> chosen = surface_particles(grid, band, blobs, options.threshold);
  const SplatMaker maker(grid, blobs, 1, options.extra);
  for (const std::uint32_t k : chosen) maker.make(k, splats);
  return splats;
}

}  // namespace panta
