// panta surface: the liquids of a run as meshes and volumes, for other programs.
#pragma once

#include "commands.h"
#include "panta/surface/surface_run.h"

namespace panta::app {

Command surface_command();

// The surfaces of a result folder, with progress and messages; returns the exit code.
int make_surfaces(const std::string& dir, const Scene& scene, const SurfaceRunOptions& options,
                  bool quiet);

}  // namespace panta::app
