// The collapse of a water column against an experiment (martin_moyce.h). The column is only 11 cm
// high and falls in a fifth of a second: the step is chosen so that the column is as stiff as the
// tank of unified_tank.cpp, where layers g time_step^2 / (substeps^2 spacing) is 0.015.
#include <cmath>

#include "panta/validation/martin_moyce.h"
#include "panta/validation/unified_scenes.h"
#include "panta/validation/unified_studies.h"

namespace panta::validation {

StudyResult unified_dam_break(const DeviceOptions& options, StudySize size) {
  constexpr double substeps = 4, stiffness = 0.015;
  const int across = size == StudySize::full ? 60 : 25, layers = 2 * across;
  Scene scene = martin_moyce_column(across);
  scene.method = "unified";
  scene.solver["substeps"] = substeps;
  scene.solver["time_step"] =
      substeps * std::sqrt(stiffness * scene.spacing / (layers * earth_gravity));
  return compare_with_martin_moyce(scene, "unified/dam_break", "unified", options);
}

}  // namespace panta::validation
