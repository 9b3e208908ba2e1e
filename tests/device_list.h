// The devices that a test of whole simulations runs on.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "panta/sim/simulation.h"

namespace panta {

inline std::vector<std::string> devices() {
  return cuda_available() ? std::vector<std::string>{"cpu", "cuda"}
                          : std::vector<std::string>{"cpu"};
}

inline bool same_bits(const ParticleFrame& a, const ParticleFrame& b) {
  return a.id == b.id && a.phase == b.phase && a.position == b.position &&
         a.velocity == b.velocity && a.density == b.density && a.pressure == b.pressure &&
         a.normal == b.normal;
}

}  // namespace panta
