#include "panta/methods/unified_macklin2014/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panta/methods/unified_macklin2014/steps.h"
#include "panta/scene/liquid_depth.h"

namespace panta::unified {

namespace {

constexpr double worth_mentioning = 0.1, good_enough = 0.05;

}  // namespace

std::vector<std::string> advice(const Scene& scene) {
  const Params params = with_steps(scene, make_parameters<Params>(scene.solver));
  const double depth = liquid_depth(scene);
  const double compression = expected_compression(scene, params, depth);
  if (!(compression > worth_mentioning)) return {};
  const double wanted = std::ceil(params.substeps * std::sqrt(compression / good_enough));
  return {fmt::format(
      "liquid {:.3g} m deep will be about {:.0f} % too dense at its bottom with "
      "solver.substeps {}; {} would keep that below {:.0f} %",
      depth, 100 * compression, params.substeps, std::min(wanted, 64.0), 100 * good_enough)};
}

}  // namespace panta::unified
