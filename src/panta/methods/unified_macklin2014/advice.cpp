#include "panta/methods/unified_macklin2014/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panta/methods/unified_macklin2014/params.h"
#include "panta/scene/liquid_depth.h"

namespace panta::unified {

namespace {

constexpr double compression_scale = 2.05;  // measured, see advice.h
constexpr double worth_mentioning = 0.1, good_enough = 0.05;

}  // namespace

double expected_compression(const Scene& scene, double depth) {
  const Params params = make_parameters<Params>(scene.solver);
  const double solves = params.substeps * std::sqrt(params.iterations);
  const double dt = params.time_step / solves;
  return compression_scale * depth * length(scene.gravity) * dt * dt /
         (scene.spacing * scene.spacing);
}

std::vector<std::string> advice(const Scene& scene) {
  const double depth = liquid_depth(scene), compression = expected_compression(scene, depth);
  if (!(compression > worth_mentioning)) return {};
  const Params params = make_parameters<Params>(scene.solver);
  const double wanted = std::ceil(params.substeps * std::sqrt(compression / good_enough));
  return {fmt::format(
      "liquid {:.3g} m deep will be about {:.0f} % too dense at its bottom with "
      "solver.substeps {}; {} would keep that below {:.0f} %",
      depth, 100 * compression, params.substeps, std::min(wanted, 64.0), 100 * good_enough)};
}

}  // namespace panta::unified
