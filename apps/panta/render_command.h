// panta render: pictures of a run.
#pragma once

#include "commands.h"

namespace panta::app {

Command render_command();

}  // namespace panta::app
