// Particles as comma-separated values: a line of column names, then a line per particle, each with
// the frame's time first so that frames can be joined. Numbers read back to the same bits. For
// spreadsheets and small scripts; large runs are better served by .vtp or .ply.
#pragma once

#include <string>

#include "panta/frame/particle_frame.h"

namespace panta {

void write_csv(const std::string& path, const ParticleFrame& frame);

// Reads what write_csv wrote; Error(io) with the line for anything else. The time of a frame
// without particles is lost.
ParticleFrame read_csv(const std::string& path);

}  // namespace panta
