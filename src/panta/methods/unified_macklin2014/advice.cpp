#include "panta/methods/unified_macklin2014/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panta/geometry/bounds.h"
#include "panta/methods/unified_macklin2014/params.h"

namespace panta::unified {

namespace {

constexpr double compression_scale = 2.05;  // measured, see advice.h
constexpr double worth_mentioning = 0.1, good_enough = 0.05;

// From the highest to the lowest place of the liquids at the start, along gravity; m.
double depth_of_liquids(const Scene& scene) {
  const double g = length(scene.gravity);
  if (!(g > 0)) return 0;
  double low = 1e300, high = -1e300;
  for (const Fluid& fluid : scene.fluids) {
    const Material& material = scene.materials[static_cast<std::size_t>(fluid.material)];
    const ShapeBounds box = shape_bounds(fluid.shape);
    if (material.kind != MaterialKind::liquid || box.empty() || !box.finite()) continue;
    const Vec3d middle = (box.min + box.max) * 0.5, half = (box.max - box.min) * 0.5;
    const Vec3d up = scene.gravity * (-1 / g);
    const double reach =
        std::abs(up.x) * half.x + std::abs(up.y) * half.y + std::abs(up.z) * half.z;
    low = std::min(low, dot(middle, up) - reach);
    high = std::max(high, dot(middle, up) + reach);
  }
  return std::max(0.0, high - low);
}

}  // namespace

double expected_compression(const Scene& scene, double depth) {
  const Params params = make_parameters<Params>(scene.solver);
  const double solves = params.substeps * std::sqrt(params.iterations);
  const double dt = params.time_step / solves;
  return compression_scale * depth * length(scene.gravity) * dt * dt /
         (scene.spacing * scene.spacing);
}

std::vector<std::string> advice(const Scene& scene) {
  const double depth = depth_of_liquids(scene), compression = expected_compression(scene, depth);
  if (!(compression > worth_mentioning)) return {};
  const Params params = make_parameters<Params>(scene.solver);
  const double wanted = std::ceil(params.substeps * std::sqrt(compression / good_enough));
  return {fmt::format(
      "liquid {:.3g} m deep will be about {:.0f} % too dense at its bottom with "
      "solver.substeps {}; {} would keep that below {:.0f} %",
      depth, 100 * compression, params.substeps, std::min(wanted, 64.0), 100 * good_enough)};
}

}  // namespace panta::unified
