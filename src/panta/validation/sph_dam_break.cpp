// The collapse of a water column against an experiment (martin_moyce.h).
#include "panta/validation/martin_moyce.h"
#include "panta/validation/sph_studies.h"

namespace panta::validation {

StudyResult sph_dam_break(const DeviceOptions& options, StudySize size) {
  Scene scene = martin_moyce_column(size == StudySize::full ? 60 : 25);
  scene.solver["artificial_viscosity"] = 0.1;
  return compare_with_martin_moyce(scene, "sph/dam_break", "SPH", options);
}

}  // namespace panta::validation
