// Studies that run the same scenes under every method, with default parameters.
#pragma once

#include <string>

#include "panta/validation/study.h"

namespace panta::validation {

StudyResult bodies_in_tanks(const std::string& method, const DeviceOptions&, StudySize);
StudyResult liquid_at_rest(const std::string& method, const DeviceOptions&, StudySize);
StudyResult any_spacing(const std::string& method, const DeviceOptions&, StudySize);
StudyResult impact(const std::string& method, const DeviceOptions&, StudySize);
StudyResult waves(const std::string& method, const DeviceOptions&, StudySize);
StudyResult rayleigh_taylor(const std::string& method, const DeviceOptions&, StudySize);
StudyResult thick_liquids(const std::string& method, const DeviceOptions&, StudySize);

}  // namespace panta::validation
