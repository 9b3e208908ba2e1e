// Dry grains with default parameters: columns that collapse on a floor, and heaps that stay at
// rest.
//
// A column of half-width or radius L and height H = a L. Run-out (end - L)/L and final height / L
// are compared with the laws of Lube et al. 2004 and 2005, Lajeunesse et al. 2004 and 2005
// (experiments), and of Lagree, Staron and Popinet 2011 (mu(I) continuum):
//
//   plane    run-out   1.2 a (a < 1.8 to 2.8), 1.9 a^(2/3) above; 1.8 a (a < 3), 2.3 a^(2/3) above;
//                      2.2 a (a < 7)
//            height    a (a < 1.15), a^0.4 above; 0.65 a^0.35
//   space    run-out   1.24 a (a < 1.7), 1.6 a^(1/2) above
//            height    0.88 a^(1/6) (a > 1.7); a (a < 0.74), 0.74 above
//
// A band reaches from the lowest to the highest law that holds at the aspect. In space there is one
// law of the run-out, which gets 25 % on each side: the toe of these deposits is thinner than our
// grains. The same is true of heights, by half a grain.
//
// The deposit ends where it covers less than half of the floor in the plane and less than a quarter
// in space. Its height is that of the highest grain above its middle fifth.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/validation/unified_scenes.h"
#include "panta/validation/unified_studies.h"

namespace panta::validation {

namespace {

constexpr double width = 0.1;           // m, L
constexpr double settled = 2, end = 4;  // s, heights are compared at these times

struct Column {
  int dimensions, aspect, across;  // across: spacings in L
};

struct Band {
  double low, high;

  // How far outside a value is, as a share of the nearer limit.
  double beyond(double value) const { return std::max({0.0, 1 - value / low, value / high - 1}); }
};

Band run_out_band(const Column& column) {
  const double a = column.aspect;
  if (column.dimensions == 3) {
    const double law = a < 1.7 ? 1.24 * a : 1.6 * std::sqrt(a);
    return {0.75 * law, 1.25 * law};
  }
  return {a < 2.8 ? 1.2 * a : 1.9 * std::pow(a, 2.0 / 3), 2.2 * a};
}

Band height_band(const Column& column) {
  const double a = column.aspect, grain = 0.5 / column.across;
  if (column.dimensions == 3) return {0.74 - grain, 0.88 * std::pow(a, 1.0 / 6) + grain};
  return {0.65 * std::pow(a, 0.35) - grain, (a < 1.15 ? a : std::pow(a, 0.4)) + grain};
}

Scene column_of_sand(const Column& column) {
  const float l = static_cast<float>(width), h = l * static_cast<float>(column.aspect);
  Scene scene = above_floor(material_of(MaterialKind::granular, 1600), width / column.across,
                            chosen_friction);
  scene.dimensions = column.dimensions;
  const bool flat = column.dimensions == 2;
  Fluid sand{0, flat ? Shape::box({-l, 0, -1}, {l, h, 1}) : Shape::cylinder({}, {0, h, 0}, l)};
  sand.jitter = 0.1f;  // as scene files have it
  scene.fluids = {sand};
  return scene;
}

struct Deposit {
  double run_out = 0, height = 0;  // over L
};

Deposit deposit(const ParticleFrame& frame, const Column& column) {
  const double spacing = width / column.across, ring = column.dimensions == 2 ? 2 : 1;  // spacings
  std::vector<double> covered;
  Deposit d;
  for (const Vec3& x : frame.position()) {
    const double r = column.dimensions == 2 ? std::abs(x.x) : std::hypot(x.x, x.z);
    const auto k = static_cast<std::size_t>(r / (ring * spacing));
    if (k >= covered.size()) covered.resize(k + 1);
    covered[k] += 1;
    if (r < 0.2 * width) d.height = std::max(d.height, (x.y + 0.5 * spacing) / width);
  }
  std::size_t k = 0;
  for (; k < covered.size(); ++k) {
    const double inner = static_cast<double>(k) * ring;
    const double full =
        column.dimensions == 2 ? 2 * ring : std::numbers::pi * ring * (2 * inner + ring);
    if (covered[k] < (column.dimensions == 2 ? 0.5 : 0.25) * full) break;
  }
  d.run_out = static_cast<double>(k) * ring / column.across - 1;
  return d;
}

// Of a spacing.
double largest_overlap(Simulation& sim, double spacing) {
  double largest = 0;
  for (const PairTouch& pair : sim.contacts().pairs)
    largest = std::max(largest, pair.depth / spacing);
  return largest;
}

double farthest(const ParticleFrame& from, const ParticleFrame& to, double spacing) {
  double most = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    most = std::max(most, length(to.position()[i] - from.position()[i]) / spacing);
  return most;
}

struct Worst {
  double run_out = 0, height = 0, overlap = 0, change = 0;
};

Deposit collapse(const Column& column, const DeviceOptions& options, Worst& worst) {
  const auto sim = make_simulation(column_of_sand(column), options);
  sim->advance_to(settled);
  const Deposit before = deposit(sim->snapshot(), column);
  sim->advance_to(end);
  const Deposit after = deposit(sim->snapshot(), column);
  worst.run_out = std::max(worst.run_out, run_out_band(column).beyond(after.run_out));
  worst.height = std::max(worst.height, height_band(column).beyond(after.height));
  worst.change = std::max(worst.change, 100 * std::abs(after.height / before.height - 1));
  worst.overlap = std::max(worst.overlap, 100 * largest_overlap(*sim, width / column.across));
  return after;
}

void add_rest(const Column& column, double duration, const DeviceOptions& options,
              StudyResult& result) {
  const Scene scene = column_of_sand(column);
  const auto sim = make_simulation(scene, options);
  sim->advance_to(duration);
  const ParticleFrame before = sim->snapshot();
  sim->advance_to(2 * duration);
  result.checks.push_back({fmt::format("{}-D heap, moved in {:g} s after {:g} s, farthest grain",
                                       column.dimensions, duration, duration),
                           farthest(before, sim->snapshot(), scene.spacing), 0.1, "spacings"});
}

void add_columns(int dimensions, const std::vector<int>& aspects, const std::vector<int>& spacings,
                 const DeviceOptions& options, StudyResult& result) {
  Plot plot{.title = fmt::format("Columns of sand, {}-D: run-out", dimensions),
            .x_label = "aspect",
            .y_label = "run-out / L",
            .series = {}};
  for (const int across : spacings)
    plot.series.push_back({.name = fmt::format("{} grains across", across)});
  for (const int aspect : aspects) {
    Worst worst;
    for (std::size_t s = 0; s < spacings.size(); ++s) {
      const Deposit d = collapse({dimensions, aspect, spacings[s]}, options, worst);
      plot.series[s].x.push_back(aspect), plot.series[s].y.push_back(d.run_out);
    }
    const std::string name = fmt::format("{}-D, aspect {}: ", dimensions, aspect);
    result.checks.push_back({name + "run-out beyond the experiments' band", worst.run_out, 0, ""});
    result.checks.push_back({name + "height beyond the band", worst.height, 0, ""});
    result.checks.push_back({name + "change of height in the last 2 s", worst.change, 1, "%"});
    result.checks.push_back({name + "largest overlap at rest", worst.overlap, 5, "%"});
  }
  result.plots.push_back(plot);
}

}  // namespace

StudyResult unified_grains(const DeviceOptions& options, StudySize size) {
  StudyResult result{"unified/grains", "Columns of sand spread as in experiments and stay", {}, {}};
  if (size == StudySize::small) {
    add_columns(2, {1, 2}, {16}, options, result);
    return result;
  }
  add_columns(2, {1, 2, 4}, {16, 24, 32}, options, result);
  add_columns(3, {1, 2, 4}, {8, 11, 14}, options, result);
  add_rest({2, 2, 20}, 20, options, result);
  add_rest({3, 1, 8}, 20, options, result);
  return result;
}

}  // namespace panta::validation
