// panta poses: where the free solids and bodies of a run were, frame by frame.
#pragma once

#include "commands.h"

namespace panta::app {

Command poses_command();

}  // namespace panta::app
