#include "panta/geometry/read_mesh.h"
#include "targets.h"

namespace panta::fuzz {

void fuzz_obj(std::string_view content) { describe(inspect_mesh(parse_obj(content, "input.obj"))); }

}  // namespace panta::fuzz
