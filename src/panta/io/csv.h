// Particles as comma-separated values: a line of headings, then a line per particle, which starts
// with the frame's time so that frames can be concatenated. Every shown column of the frame has its
// headings (particles/column.h). Numbers read back bitwise equal. For spreadsheets and small
// scripts; for large runs use .vtp or .ply.
#pragma once

#include <string>

#include "panta/frame/particle_frame.h"

namespace panta {

void write_csv(const std::string& path, const ParticleFrame& frame);

// Reads any table with headings x, y and z; else Error(io) with the line. Columns that are not
// standard are words if no number has a point, a sign or an exponent, else scalars. The time of a
// frame without particles is lost.
ParticleFrame read_csv(const std::string& path);

}  // namespace panta
