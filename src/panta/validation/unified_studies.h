// The studies of the unified method.
#pragma once

#include "panta/validation/study.h"

namespace panta::validation {

StudyResult unified_repose(const DeviceOptions&, StudySize);       // how steep heaps of sand stand
StudyResult unified_grains(const DeviceOptions&, StudySize);       // columns of sand collapse
StudyResult unified_stack(const DeviceOptions&, StudySize);        // ten boxes come to rest
StudyResult unified_spin(const DeviceOptions&, StudySize);         // a body turns for ten seconds
StudyResult unified_floating(const DeviceOptions&, StudySize);     // Archimedes
StudyResult unified_tank(const DeviceOptions&, StudySize);         // forty layers of water at rest
StudyResult unified_ramp(const DeviceOptions&, StudySize);         // Coulomb's friction
StudyResult unified_dam_break(const DeviceOptions&, StudySize);    // Martin and Moyce's experiment
StudyResult unified_two_liquids(const DeviceOptions&, StudySize);  // heavy over light overturns

}  // namespace panta::validation
