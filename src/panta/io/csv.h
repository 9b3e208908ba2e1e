// Particles as comma-separated values: a line of headings, then a line per particle, each with the
// frame's time first so that frames can be joined. Every column of the frame that is shown has its
// headings (particles/column.h). Numbers read back to the same bits. For spreadsheets and small
// scripts; large runs are better served by .vtp or .ply.
#pragma once

#include <string>

#include "panta/frame/particle_frame.h"

namespace panta {

void write_csv(const std::string& path, const ParticleFrame& frame);

// Reads any table that has headings x, y and z; Error(io) with the line for anything else. Columns
// that are not standard are words where no number has a point, a sign or an exponent, else scalars.
// The time of a frame without particles is lost.
ParticleFrame read_csv(const std::string& path);

}  // namespace panta
