#include "panta/geometry/read_mesh.h"
#include "targets.h"

namespace panta::fuzz {

void fuzz_ply(std::string_view content) { describe(inspect_mesh(parse_ply(content, "input.ply"))); }

}  // namespace panta::fuzz
