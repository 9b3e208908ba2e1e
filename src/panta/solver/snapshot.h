// Frames read out of a device.
#pragma once

#include <cstdint>
#include <vector>

#include "panta/frame/particle_frame.h"

namespace panta {

// A frame of particles with these ids and materials, of which the first ids.size() count, with the
// columns that every method computes.
inline ParticleFrame frame_of(double time, std::vector<std::uint32_t> ids,
                              std::vector<std::uint32_t> phases) {
  ParticleFrame frame;
  const std::size_t n = ids.size();
  frame.time = time;
  frame.density();
  frame.pressure();
  frame.normal();
  frame.id() = std::move(ids);
  frame.phase() = std::move(phases);
  frame.resize(n);
  return frame;
}

}  // namespace panta
