// Tables of solver parameters for the terminal.
#pragma once

#include <string>

#include "panta/scene/parameters.h"

namespace panta::app {

// One line per parameter: name, value (from `set` or the default), unit, range or choices,
// explanation.
std::string parameter_table(const std::vector<ParameterInfo>& parameters,
                            const ParameterSet& set = {});

}  // namespace panta::app
