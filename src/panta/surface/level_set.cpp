#include "panta/surface/level_set.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "panta/core/error_format.h"
#include "panta/surface/level_set_force.h"
#include "panta/surface/level_set_step.h"
#include "panta/surface/mesh_tiles.h"

namespace panta {
namespace {

// Twice this radius, along a velocity, fits into a tile for every cell size.
constexpr float largest_radius = 2.6f;
constexpr float at_rest = 0.01f;      // spacings: largest distance from rest
constexpr float farthest_off = 0.4f;  // spacings between a kept front and F = 0
constexpr int fewest_steps = 3;

// Limit of steps: a finer lattice needs more; about twice the expected number.
int most_steps(float spacing) { return 20 + static_cast<int>(6 * spacing); }

// phi of a frame by tile coordinates, for the next frame.
struct KeptFront {
  float cell = 0;
  std::vector<std::array<std::int32_t, 3>> tiles;  // in order
  std::vector<float> phi;
};

std::array<std::int32_t, 3> place_of(const TileGrid& grid, std::size_t tile) {
  const auto per_bin = static_cast<float>(grid.lattice().cells_per_bin);
  const BinCoordinates& first = grid.tiles()[tile].first;
  const Vec3 corner =
      grid.to_space({static_cast<float>(first.x) * per_bin, static_cast<float>(first.y) * per_bin,
                     static_cast<float>(first.z) * per_bin});
  const double size = double{tile_bins} * grid.lattice().bin();
  const auto index = [&](float x) { return static_cast<std::int32_t>(std::lround(x / size)); };
  return {index(corner.z), index(corner.y), index(corner.x)};
}

// Moves the front of one frame until it is at rest.
class FrontSolver {
 public:
  FrontSolver(const TileGrid& grid, const SurfaceBand& band, const FrontMotion& motion)
      : grid_(grid), band_(band), motion_(motion), tiles_(grid, band) {
    const std::size_t points = tiles_.count() * tiles_.block_size();
    force_.resize(points);
    phi_.resize(points);
  }

  void sum_force(const BlobSet& blobs) {
    const float deep_sum = motion_.deep - motion_.threshold;
    motion_.deep = deep_sum + motion_.threshold;  // bitwise equal to the sum below
    const int across = tiles_.across();
#pragma omp parallel num_threads(grid_.threads())
    {
      TileField field(grid_.lattice().cells_per_bin);
#pragma omp for schedule(dynamic, 4)
      for (std::int64_t b = 0; b < static_cast<std::int64_t>(tiles_.count()); ++b) {
        const auto block = static_cast<std::size_t>(b);
        field.evaluate<ForceBump>(grid_, band_, blobs, tiles_.tile(block), deep_sum);
        float* to = force_.data() + block * tiles_.block_size();
        for (int z = 0; z < across; ++z)
          for (int y = 0; y < across; ++y)
            for (int x = 0; x < across; ++x) *to++ = field.row(y, z)[x] + motion_.threshold;
      }
    }
  }

  // From the previous frame if it has values; points that are certainly inside or outside now are
  // corrected. Elsewhere from F.
  void start(const KeptFront& before, float spacing) {
    const bool usable = before.cell == grid_.lattice().cell;
    const float margin = farthest_off * spacing;
#pragma omp parallel for schedule(static) num_threads(grid_.threads())
    for (std::int64_t b = 0; b < static_cast<std::int64_t>(tiles_.count()); ++b) {
      const auto block = static_cast<std::size_t>(b);
      const auto place = place_of(grid_, tiles_.tile(block));
      const auto found = std::lower_bound(before.tiles.begin(), before.tiles.end(), place);
      const float* kept = nullptr;
      if (usable && found != before.tiles.end() && *found == place)
        kept = before.phi.data() +
               static_cast<std::size_t>(found - before.tiles.begin()) * tiles_.block_size();
      for (std::size_t k = 0; k < tiles_.block_size(); ++k) {
        const std::size_t at = block * tiles_.block_size() + k;
        const float depth = force_[at] / motion_.slope;
        float phi = kept ? kept[k] : depth;
        if (depth > margin) phi = std::max(phi, depth - margin);
        if (depth < -margin) phi = std::min(phi, depth + margin);
        phi_[at] = motion_.bounded(std::clamp(phi, -band_width, band_width), force_[at]);
      }
    }
  }

  // Until no point of the front is farther from rest than `near_enough`; returns the number of
  // steps.
  int move(float near_enough, int most_steps) {
    before_ = phi_;
    way_.assign(tiles_.count(), std::numeric_limits<float>::max());
    std::vector<FrontStepper> steppers(static_cast<std::size_t>(grid_.threads()),
                                       FrontStepper(tiles_, motion_));
    int steps = 0;
    for (const FrontPace& pace : {fast_pace(motion_), slow_pace(motion_)})
      for (int k = 0; k < most_steps; ++k) {
        ++steps;
        if (step(pace, near_enough, steppers) && steps >= fewest_steps) return steps;
      }
    return steps;
  }

  SurfaceMesh mesh() const {
    return mesh_tiles(grid_, band_.meshed, 0, [&](std::size_t tile, TileField& field) {
      const auto stride = static_cast<int>(field.row(1, 0) - field.row(0, 0));
      const auto layer = static_cast<int>(field.row(0, 1) - field.row(0, 0));
      tiles_.gather(tile, phi_, {-band_width, band_width}, {0, 1, stride, layer}, field.row(0, 0));
    });
  }

  // The tiles near the front.
  KeptFront keep() const {
    KeptFront kept;
    kept.cell = grid_.lattice().cell;
    for (std::size_t block = 0; block < tiles_.count(); ++block) {
      const auto first = phi_.begin() + static_cast<std::ptrdiff_t>(block * tiles_.block_size());
      const auto last = first + static_cast<std::ptrdiff_t>(tiles_.block_size());
      if (std::none_of(first, last, [](float phi) { return std::abs(phi) < band_width; })) continue;
      kept.tiles.push_back(place_of(grid_, tiles_.tile(block)));
      kept.phi.insert(kept.phi.end(), first, last);
    }
    return kept;
  }

 private:
  // A step of the blocks that are not at rest and of their neighbours; true if all are at rest.
  bool step(const FrontPace& pace, float near_enough, std::vector<FrontStepper>& steppers) {
    const std::vector<float> way = way_;
    const auto restless = [&](std::size_t block) {
      for (const std::int32_t tile : grid_.tiles()[tiles_.tile(block)].neighbor) {
        const std::int32_t other = tile < 0 ? -1 : tiles_.block(static_cast<std::size_t>(tile));
        if (other >= 0 && !(way[static_cast<std::size_t>(other)] < near_enough)) return true;
      }
      return false;
    };
#pragma omp parallel for schedule(dynamic, 2) num_threads(grid_.threads())
    for (std::int64_t b = 0; b < static_cast<std::int64_t>(tiles_.count()); ++b) {
      const auto block = static_cast<std::size_t>(b);
      if (restless(block)) {
        FrontStepper& stepper = steppers[static_cast<std::size_t>(omp_get_thread_num())];
        way_[block] = stepper.step(block, pace, force_, phi_, before_);
      } else {
        const auto first = phi_.begin() + b * static_cast<std::int64_t>(tiles_.block_size());
        std::copy_n(first, tiles_.block_size(), before_.begin() + (first - phi_.begin()));
      }
    }
    phi_.swap(before_);
    return std::all_of(way_.begin(), way_.end(), [&](float w) { return w < near_enough; });
  }

  const TileGrid& grid_;
  const SurfaceBand& band_;
  FrontMotion motion_;
  FrontTiles tiles_;
  std::vector<float> force_, phi_, before_;  // before_: phi of the previous step
  std::vector<float> way_;                   // by block: distance of its front from rest
};

}  // namespace

struct LevelSet::State {
  SurfaceOptions options;
  ForceScale scale{};  // lengths in spacings
  KeptFront front;
  std::size_t left_out = 0;
  int iterations = 0;
};

LevelSet::LevelSet(const SurfaceOptions& options) : state_(std::make_unique<State>()) {
  if (options.radius > largest_radius)
    throw Error(ErrorKind::usage,
                "the radius of a level set's particles must be up to {} spacings, got {}",
                largest_radius, options.radius);
  state_->options = options;
  if (options.radius <= 0) state_->options.radius = own_force_radius;
  if (options.threads <= 0) state_->options.threads = omp_get_num_procs();
  state_->scale = calibrate_force(state_->options.radius);
}
LevelSet::~LevelSet() = default;

SurfaceMesh LevelSet::make(const SurfaceInput& input) {
  const SurfaceOptions& options = state_->options;
  const SurfaceLattice lattice = make_lattice(options.cell * input.spacing, input.spacing);
  const float spacing = input.spacing / lattice.cell, radius = options.radius * spacing;
  const ForceVelocities velocities(input.velocity);
  float range = radius * velocities.stretch();
  if (!input.size.empty()) range = std::max(range, own_force_radius * spacing);  // of the volumes
  const TileGrid grid(input.position, lattice, reach_of(lattice, range, input.size),
                      options.threads);
  const BlobSizes sizes(grid, input.size);
  const SurfaceBand band = find_band(grid, spacing, sizes.smallest);
  const ForceScale& scale = state_->scale;
  FrontSolver solver(grid, band,
                     {.threshold = scale.threshold,
                      .deep = scale.deep,
                      .slope = scale.slope / spacing,
                      .mu = particle_radius * spacing});
  solver.sum_force(force_blobs(grid, band, radius, spacing, velocities, sizes));
  solver.start(state_->front, spacing);
  state_->iterations = solver.move(at_rest * spacing, most_steps(spacing));
  state_->front = solver.keep();
  state_->left_out = grid.left_out();
  return solver.mesh();
}

std::size_t LevelSet::left_out() const { return state_->left_out; }
int LevelSet::iterations() const { return state_->iterations; }

}  // namespace panta
