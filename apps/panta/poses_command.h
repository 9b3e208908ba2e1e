// panta poses: where the free solids of a run were, frame by frame.
#pragma once

#include "commands.h"

namespace panta::app {

Command poses_command();

}  // namespace panta::app
