// Changes to a scene, from the command line ("solver.viscosity=0.1", "emitters.tap.speed=3") or by
// an event.
#pragma once

#include <string>
#include <vector>

#include "panta/json/json.h"

namespace panta {

// Sets the value at a path of keys separated by dots; creates missing objects. Entries of lists are
// given by number, counted from 0, or by the name under "name". Throws Error(usage) at `place`.
void set_at_path(json::Value& root, const std::string& path, json::Value value,
                 const json::Place& place);

// A parameter of the scene's method may be written as solver.cfl or as solver.sph.cfl. If `path` is
// one of these, removes the other from the scene, so that the later value is used in either form.
void remove_other_form(json::Value& scene, const std::string& method,
                       const std::vector<std::string>& path);

// Sets the value at the path before '=' to the JSON value after it; a word that is not JSON is
// taken as text. Throws Error(usage) that names the option.
void apply_override(json::Value& root, const std::string& assignment);

}  // namespace panta
