// Triangle meshes from files: OBJ, PLY (text and binary) and STL (text and binary).
//
// Polygons become fans of triangles, vertices at the same position are merged, and a closed mesh
// that is inside out is flipped. Unreadable input throws Error(io) that names the file and the
// line, or in a binary file the byte. Counts are compared with the file's size before anything is
// allocated, so that a broken file takes at most a small multiple of its size in memory.
#pragma once

#include <string>
#include <string_view>

#include "panta/geometry/triangle_mesh.h"

namespace panta {

// By the extension: .obj, .ply or .stl.
TriangleMesh read_mesh(const std::string& path);

// The same from memory; `name` replaces the file name in messages.
TriangleMesh parse_obj(std::string_view content, const std::string& name);
TriangleMesh parse_ply(std::string_view content, const std::string& name);
TriangleMesh parse_stl(std::string_view content, const std::string& name);

}  // namespace panta
