// Surface meshes to files, with their vertex attributes:
//   ply  binary little-endian; normals as nx ny nz, velocities as vx vy vz, values as value
//   obj  text; normals only, the format has no place for the rest
//   vtp  VTK XML PolyData for ParaView; arrays Normals, velocity, value
// A file appears under its name only when it is complete. A mesh without triangles gives a file
// without vertices, so that a sequence has no gaps.
#pragma once

#include <string>
#include <vector>

#include "panta/geometry/surface_mesh.h"

namespace panta {

// The names of the formats; they are also the file extensions.
const std::vector<std::string>& surface_formats();

void write_surface(const std::string& path, const std::string& format, const SurfaceMesh& mesh,
                   double time);

void write_surface_ply(const std::string& path, const SurfaceMesh& mesh, double time);
void write_surface_obj(const std::string& path, const SurfaceMesh& mesh, double time);
void write_surface_vtp(const std::string& path, const SurfaceMesh& mesh, double time);

}  // namespace panta
