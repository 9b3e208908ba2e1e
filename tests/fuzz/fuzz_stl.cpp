#include "panta/geometry/read_mesh.h"
#include "targets.h"

namespace panta::fuzz {

void fuzz_stl(std::string_view content) { describe(inspect_mesh(parse_stl(content, "input.stl"))); }

}  // namespace panta::fuzz
