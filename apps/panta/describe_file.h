// Describes the content of a file or result folder: checkpoints, particles, meshes, JSON lines,
// runs.
#pragma once

#include <string>

namespace panta::app {

// Several lines of text. Error(io) for a damaged file, Error(usage) for one of an unknown kind.
std::string describe_file(const std::string& path);

}  // namespace panta::app
