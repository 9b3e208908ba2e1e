// Finds scenes: by path, or by the name of a bundled scene ("basics/dam_break").
#pragma once

#include <string>
#include <vector>

#include "options.h"

namespace panta::app {

// The folder of bundled scenes: $PANTA_SCENES, or the installed or source folder of this
// executable, or ./scenes; empty if there is none.
std::string scenes_folder();

// Names of the bundled scenes, sorted.
std::vector<std::string> bundled_scenes();

// The path of a bundled scene.
std::string bundled_path(const std::string& name);

// The path of the scene given on the command line; Error(usage) with the nearest name if there is
// none.
std::string find_scene(const std::string& given);

// The option --strict: Error(usage) if there are keys without effect (load/load.h).
inline const Option strict_option = {"--strict", "",
                                     "keys without effect in the scene's method are errors"};
void check_strictly(const Arguments& args, const std::vector<std::string>& unused_keys);

}  // namespace panta::app
