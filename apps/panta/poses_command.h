// panta poses: the poses of the free solids and bodies of a run, frame by frame.
#pragma once

#include "commands.h"

namespace panta::app {

Command poses_command();

}  // namespace panta::app
