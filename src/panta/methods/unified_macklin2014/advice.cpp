#include "panta/methods/unified_macklin2014/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panta/geometry/bounds.h"
#include "panta/methods/unified_macklin2014/steps.h"
#include "panta/scene/liquid_depth.h"

namespace panta::unified {

namespace {

constexpr double worth_mentioning = 0.1, good_enough = 0.05;

// Bodies and liquids that differ less in density take minutes to rise or sink (README.md, known
// limits).
constexpr double may_hang = 0.02;          // difference of density, as a share of the liquid's
constexpr double small_may_hang = 0.025;   // the same for small bodies
constexpr double small_extent = 9;         // spacings, of their smallest extent
constexpr double may_not_overturn = 0.96;  // ratio of densities

void add_compression(const Scene& scene, std::vector<std::string>& lines) {
  const Params params = with_steps(scene, make_parameters<Params>(scene.solver));
  const double depth = liquid_depth(scene);
  const double compression = expected_compression(scene, params, depth);
  if (!(compression > worth_mentioning)) return;
  const double wanted = std::ceil(params.substeps * std::sqrt(compression / good_enough));
  lines.push_back(fmt::format(
      "liquid {:.3g} m deep will be about {:.0f} % too dense at its bottom with "
      "solver.substeps {}; {} would keep that below {:.0f} %",
      depth, 100 * compression, params.substeps, std::min(wanted, 64.0), 100 * good_enough));
}

// Grains in a scene that sets its own steps.
void add_overlap(const Scene& scene, std::vector<std::string>& lines) {
  const Params given = make_parameters<Params>(scene.solver), params = with_steps(scene, given);
  const double overlap = expected_overlap(scene, params);
  if (!(overlap > 1.2 * overlap_of_grains)) return;
  Params open = given;
  open.time_step = open.substeps = 0;
  const Params chosen = with_steps(scene, open);
  lines.push_back(fmt::format(
      "grains will overlap by up to {:.0f} % of a spacing where they lie deepest; without "
      "solver.time_step and solver.substeps, steps of {:.2g} s with {} substeps are chosen, which "
      "keep that below {:.0f} %",
      100 * std::min(overlap, 1.0), chosen.time_step, chosen.substeps, 100 * overlap_of_grains));
}

void add_hanging_bodies(const Scene& scene, std::vector<std::string>& lines) {
  for (const Body& body : scene.bodies) {
    if (!body.free || body.free->mass) continue;
    const ShapeBounds bounds = shape_bounds(body.shape);
    const Vec3d size = bounds.max - bounds.min;
    const double extent = std::min(std::min(size.x, size.y), size.z);
    const double least = extent < small_extent * scene.spacing ? small_may_hang : may_hang;
    for (const Material& m : scene.materials) {
      const double difference = std::abs(body.free->density / m.density - 1);
      if (m.kind != MaterialKind::liquid || !(difference < least)) continue;
      lines.push_back(
          fmt::format("body '{}' of {:.4g} kg/m3 may hang in '{}' of {:.4g} kg/m3: under unified a "
                      "liquid holds "
                      "bodies of nearly its own density; method sph lets them rise or sink",
                      body.name, body.free->density, m.name, m.density));
    }
  }
}

// A heavier liquid that starts above a lighter one.
void add_stuck_layers(const Scene& scene, std::vector<std::string>& lines) {
  const auto material = [&](const Fluid& f) -> const Material& {
    return scene.materials[static_cast<std::size_t>(f.material)];
  };
  const auto height = [&](const Fluid& f) {
    const ShapeBounds bounds = shape_bounds(f.shape);
    return -dot(scene.gravity, (bounds.min + bounds.max) * 0.5);
  };
  for (const Fluid& upper : scene.fluids)
    for (const Fluid& lower : scene.fluids) {
      const Material &above = material(upper), &below = material(lower);
      if (above.kind != MaterialKind::liquid || below.kind != MaterialKind::liquid) continue;
      if (!(height(upper) > height(lower)) || !(above.density > below.density)) continue;
      if (below.density < may_not_overturn * above.density) continue;
      lines.push_back(fmt::format(
          "'{}' above the lighter '{}' may stay there: under unified liquids of nearly the same "
          "density do not overturn by themselves; method sph lets them",
          above.name, below.name));
    }
}

}  // namespace

std::vector<std::string> advice(const Scene& scene) {
  std::vector<std::string> lines;
  add_compression(scene, lines);
  add_overlap(scene, lines);
  add_hanging_bodies(scene, lines);
  add_stuck_layers(scene, lines);
  return lines;
}

}  // namespace panta::unified
