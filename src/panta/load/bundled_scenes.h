// Where the scenes and models that come with Panta are.
#pragma once

#include <string>

namespace panta {

// $PANTA_SCENES, or the installed or source folder that belongs to this executable, or ./scenes;
// empty if there is none. Error(usage) where PANTA_SCENES is no folder.
std::string bundled_scenes_folder();

}  // namespace panta
