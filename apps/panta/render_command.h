// panta render: pictures of a run, or of a scene before its run.
#pragma once

#include "commands.h"
#include "panta/render/render_run.h"

namespace panta::app {

Command render_command();

// The pictures of a result folder, with progress and messages; returns the exit code.
int draw_run(const std::string& dir, const Scene& scene, const RenderOptions& options, bool quiet);

}  // namespace panta::app
