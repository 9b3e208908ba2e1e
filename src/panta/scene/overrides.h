// Changes to a scene from the command line: "solver.viscosity=0.1", "fluids.0.velocity=[1,0,0]".
#pragma once

#include <string>

#include "panta/scene/json.h"

namespace panta {

// Sets the value at the path before '=', creating objects on the way, to the JSON value behind it;
// a word that is not JSON is taken as text. Throws Error(usage) that names the option.
void apply_override(json::Value& root, const std::string& assignment);

}  // namespace panta
