// The devices for tests of whole simulations.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "panta/engine/devices.h"
#include "panta/engine/simulation.h"

namespace panta {

inline std::vector<std::string> devices() {
  return cuda_available() ? std::vector<std::string>{"cpu", "cuda"}
                          : std::vector<std::string>{"cpu"};
}

inline bool same_bits(const ParticleFrame& a, const ParticleFrame& b) {
  return std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
                    [](const FrameColumn& left, const FrameColumn& right) {
                      return left.info.name == right.info.name && left.values == right.values;
                    });
}

// Mean distance between the same particles of two frames.
inline double mean_distance(const ParticleFrame& a, const ParticleFrame& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += double(length(a.position()[i] - b.position()[i]));
  return sum / double(a.size());
}

// Mean position of the particles of a material.
inline Vec3d middle(const ParticleFrame& frame, std::uint32_t material) {
  Vec3d sum;
  double count = 0;
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (frame.phase()[i] == material) sum += to_double(frame.position()[i]), count += 1;
  return sum * (1 / count);
}

}  // namespace panta
