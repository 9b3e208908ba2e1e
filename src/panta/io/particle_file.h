// Particle files of any format, told apart by their extensions.
#pragma once

#include <string>
#include <vector>

#include "panta/frame/particle_frame.h"

namespace panta {

// The formats by name, which is also the file's extension.
const std::vector<std::string>& particle_formats();

void write_particles(const std::string& path, const std::string& format,
                     const ParticleFrame& frame);

ParticleFrame read_particles(const std::string& path);

}  // namespace panta
