// The files of a run in its result folder (io/output.h): their names, and which of them a new run
// may replace.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "panta/io/body_file.h"
#include "panta/io/object_file.h"

namespace panta {

inline constexpr std::array line_file_names = {"stats.jsonl", "probes.jsonl", "timings.jsonl",
                                               body_file_name, object_file_name};

// The path of a result folder's checkpoint, which need not exist.
std::string checkpoint_path(const std::string& dir);

// Whether the folder contains a run, finished or not.
bool holds_run(const std::string& dir);

// Error(usage) if a run in `dir` would replace one of these files, which it reads. The first is the
// scene: it may be the scene.json of an earlier run in the folder.
void check_inputs_are_kept(const std::string& dir, const std::vector<std::string>& inputs);

// Removes incomplete files of a killed run.
void remove_unfinished(const std::string& dir);

// Removes the files of the earlier run. Error(io), with nothing removed, if the folder is read-only
// or if its particles are behind a symbolic link.
void remove_previous_run(const std::string& dir);

}  // namespace panta
