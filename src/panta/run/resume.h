// Going on with a run from the checkpoint in its result folder.
#pragma once

#include <optional>
#include <string>

#include "panta/core/log.h"
#include "panta/io/checkpoint.h"

namespace panta {

// A hash of all in the effective scene (JSON text) that has to stay the same for a run to go on.
// Title, duration and output may change, and so may the solver's parameters: a run that blew up can
// go on with a shorter step.
std::string scene_key(const std::string& effective_scene);

// The checkpoint in the result folder `dir`; none if the run has to start afresh, which is logged.
// Error(usage) if it belongs to another scene, naming the first key that differs, or if the folder
// holds a finished run without a checkpoint; Error(io) if it cannot be read.
std::optional<Checkpoint> find_checkpoint(const std::string& dir,
                                          const std::string& effective_scene, const Log& log);

// "done", "interrupted", … as run.json in the folder says; empty where there is none.
std::string run_status(const std::string& dir);

}  // namespace panta
