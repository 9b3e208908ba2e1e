// Resuming a run from the checkpoint in its result folder.
#pragma once

#include <optional>
#include <string>

#include "panta/core/log.h"
#include "panta/io/checkpoint.h"

namespace panta {

// A hash of the parts of the effective scene (JSON text) that must not change when a run is
// resumed. Title, duration and output may change, and so may the solver's parameters: a run that
// became unstable can continue with a shorter step.
std::string scene_key(const std::string& effective_scene);

// The checkpoint in the result folder `dir`; empty if the run has to start again, which is logged.
// Error(usage) if it belongs to another scene (names the first key that differs) or if the folder
// contains a finished run without a checkpoint; Error(io) if it cannot be read.
std::optional<Checkpoint> find_checkpoint(const std::string& dir,
                                          const std::string& effective_scene, const Log& log);

// "done", "interrupted", … from run.json in the folder; empty if there is none.
std::string run_status(const std::string& dir);

}  // namespace panta
