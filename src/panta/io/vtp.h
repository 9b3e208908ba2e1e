// Particles as VTK XML PolyData (.vtp): one vertex cell per particle, appended raw little-endian
// arrays with 64-bit sizes. Opens in ParaView and pyvista.
#pragma once

#include <string>

#include "panta/sim/simulation.h"

namespace panta {

void write_vtp(const std::string& path, const ParticleFrame& frame);

// Reads what write_vtp wrote, bit for bit; Error(io) for a file that is truncated or of another
// make.
ParticleFrame read_vtp(const std::string& path);

}  // namespace panta
