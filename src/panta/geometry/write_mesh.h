// Writes triangle meshes to files.
#pragma once

#include <string>

#include "panta/geometry/triangle_mesh.h"

namespace panta {

void write_ply(const std::string& path, const TriangleMesh& mesh);  // binary
void write_obj(const std::string& path, const TriangleMesh& mesh);

}  // namespace panta
