// Particle files of any format, chosen by the file extension.
#pragma once

#include <string>
#include <vector>

#include "panta/frame/particle_frame.h"

namespace panta {

// The names of the formats; they are also the file extensions.
const std::vector<std::string>& particle_formats();

void write_particles(const std::string& path, const std::string& format,
                     const ParticleFrame& frame);

ParticleFrame read_particles(const std::string& path);

}  // namespace panta
