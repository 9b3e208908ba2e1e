// Studies of what all methods share: solids, probes.
#pragma once

#include "panta/validation/study.h"

namespace panta::validation {

StudyResult leaks_of_glass(const DeviceOptions&, StudySize);  // nothing gets out
StudyResult leaks_of_jug(const DeviceOptions&, StudySize);
StudyResult leaks_of_box(const DeviceOptions&, StudySize);
StudyResult probes_converge(const DeviceOptions&, StudySize);  // a scene at three spacings

}  // namespace panta::validation
