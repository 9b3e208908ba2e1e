// Particles as a binary little-endian PLY point cloud: one vertex per particle with all shown
// columns of the frame as properties with their headings (x, y, z, vx, ...; see
// particles/column.h). The time is in a comment. Opens in Blender, MeshLab, CloudCompare and
// ParaView.
#pragma once

#include <string>
#include <string_view>

#include "panta/frame/particle_frame.h"

namespace panta {

void write_ply(const std::string& path, const ParticleFrame& frame);

// Reads files of write_ply, bitwise equal; Error(io) for a file that is truncated or from another
// program.
ParticleFrame read_ply(const std::string& path);

// Whether a PLY file's content was written by write_ply; false for a mesh.
bool is_particle_ply(std::string_view content);

}  // namespace panta
