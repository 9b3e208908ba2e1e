// Particles as a binary little-endian PLY point cloud: one vertex per particle with all columns of
// the frame that are shown, as properties with their headings (x, y, z, vx, ...; see
// particles/column.h). The time is in a comment. Opens in Blender, MeshLab, CloudCompare and
// ParaView.
#pragma once

#include <string>
#include <string_view>

#include "panta/frame/particle_frame.h"

namespace panta {

void write_ply(const std::string& path, const ParticleFrame& frame);

// Reads what write_ply wrote, bit for bit; Error(io) for a file that is truncated or of another
// make.
ParticleFrame read_ply(const std::string& path);

// Whether a PLY file's content was written by write_ply, rather than being a mesh.
bool is_particle_ply(std::string_view content);

}  // namespace panta
