// Triangle meshes from files: OBJ, PLY (text and binary) and STL (text and binary).
//
// Polygons become fans of triangles, vertices at the same place become one, and a closed mesh that
// is inside out is turned. What cannot be read is an Error(io) that names the file and the line, or
// in a binary file the byte. Counts are compared with the file's size before anything is allocated,
// so that no file, however broken, takes more than a small multiple of its size in memory.
#pragma once

#include <string>
#include <string_view>

#include "panta/geometry/triangle_mesh.h"

namespace panta {

// By the extension: .obj, .ply or .stl.
TriangleMesh read_mesh(const std::string& path);

// The same from memory; `name` stands for the file in messages.
TriangleMesh parse_obj(std::string_view content, const std::string& name);
TriangleMesh parse_ply(std::string_view content, const std::string& name);
TriangleMesh parse_stl(std::string_view content, const std::string& name);

}  // namespace panta
