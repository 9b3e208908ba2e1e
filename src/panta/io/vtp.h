// Particles as VTK XML PolyData (.vtp): one vertex cell per particle, appended raw little-endian
// arrays with 64-bit sizes. Every shown column of the frame is an array with its name; the
// positions are the points, and units are in an attribute that other readers ignore. Opens in
// ParaView and pyvista. Surfaces (surface_file.h) have the same form, with triangles instead.
#pragma once

#include <optional>
#include <string>

#include "panta/frame/particle_frame.h"
#include "panta/geometry/triangle_mesh.h"

namespace panta {

void write_vtp(const std::string& path, const ParticleFrame& frame);

// Reads files of write_vtp, bitwise equal, and files of the same form with other arrays; Error(io)
// for a file that is truncated or from another program.
ParticleFrame read_vtp(const std::string& path);

// The triangles that write_surface_vtp wrote; empty for a file of particles, Error(io) as above.
std::optional<TriangleMesh> read_vtp_triangles(const std::string& path);

}  // namespace panta
