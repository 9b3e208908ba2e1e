// panta render: pictures of a run, or of a scene before it is run.
#pragma once

#include "commands.h"

namespace panta::app {

Command render_command();

}  // namespace panta::app
