// The list of methods.
#pragma once

#include <string>
#include <vector>

#include "panta/solver/method_info.h"

namespace panta {

const std::vector<MethodInfo>& methods();

// Error(usage) for an unknown name, with the nearest known one.
const MethodInfo& find_method(const std::string& name);

// Error(usage) where the scene holds what its method cannot represent.
void check_contents(const Scene& scene);

}  // namespace panta
