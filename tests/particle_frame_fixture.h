// Random particle frames, and their comparison bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "panta/frame/particle_frame.h"

namespace panta {

inline ParticleFrame random_frame(std::size_t n) {
  std::mt19937 random(42);
  std::uniform_real_distribution<float> uniform(-1e3f, 1e3f);
  const auto vector = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };
  ParticleFrame frame;
  frame.time = 1.0 / 3;
  frame.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    frame.id()[k] = static_cast<std::uint32_t>(random());
    frame.phase()[k] = static_cast<std::uint32_t>(k % 3);
    frame.position()[k] = vector();
    frame.velocity()[k] = vector();
    frame.density()[k] = uniform(random);
    frame.pressure()[k] = uniform(random);
    frame.normal()[k] = vector();
  }
  return frame;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline void expect_same_frame(const ParticleFrame& a, const ParticleFrame& b) {
  EXPECT_EQ(std::memcmp(&a.time, &b.time, sizeof a.time), 0);
  EXPECT_TRUE(same_bits(a.id(), b.id()));
  EXPECT_TRUE(same_bits(a.phase(), b.phase()));
  EXPECT_TRUE(same_bits(a.position(), b.position()));
  EXPECT_TRUE(same_bits(a.velocity(), b.velocity()));
  EXPECT_TRUE(same_bits(a.density(), b.density()));
  EXPECT_TRUE(same_bits(a.pressure(), b.pressure()));
  EXPECT_TRUE(same_bits(a.normal(), b.normal()));
}

}  // namespace panta
