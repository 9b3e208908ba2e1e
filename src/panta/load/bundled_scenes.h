// The folder of the scenes and models that belong to Panta.
#pragma once

#include <string>

namespace panta {

// $PANTA_SCENES, or the installed or source folder of this executable, or ./scenes; empty if there
// is none. Error(usage) if PANTA_SCENES is not a folder.
std::string bundled_scenes_folder();

}  // namespace panta
