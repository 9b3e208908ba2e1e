// Random particle frames, and their comparison bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
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

// The same with a column of every type that is not standard.
inline ParticleFrame random_frame_with_more_columns(std::size_t n) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1e3f, 1e3f);
  ParticleFrame frame = random_frame(n);
  const auto add = [&](const char* name, ColumnType type, const char* unit) -> FrameColumn& {
    return frame.require({.name = name, .type = type, .unit = unit, .shown = true});
  };
  for (float& value : std::get<0>(add("temperature", ColumnType::scalar, "K").values))
    value = std::floor(uniform(random));
  for (Vec3& value : std::get<1>(add("spin", ColumnType::vector, "rad/s").values))
    value = {uniform(random), 1, uniform(random)};
  for (SymmetricMatrix& value : std::get<2>(add("stress", ColumnType::symmetric, "Pa").values))
    for (float& component : value) component = uniform(random);
  for (std::uint32_t& value : std::get<3>(add("group", ColumnType::word, "").values))
    value = static_cast<std::uint32_t>(random());
  return frame;
}

inline void expect_same_frame(const ParticleFrame& a, const ParticleFrame& b) {
  EXPECT_EQ(std::memcmp(&a.time, &b.time, sizeof a.time), 0);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t k = 0; k < a.columns.size(); ++k) {
    const FrameColumn &left = a.columns[k], &right = b.columns[k];
    EXPECT_EQ(left.info.name, right.info.name);
    ASSERT_EQ(left.info.type, right.info.type) << left.info.name;
    ASSERT_EQ(left.size(), right.size()) << left.info.name;
    const std::size_t bytes =
        4 * static_cast<std::size_t>(component_count(left.info.type)) * left.size();
    EXPECT_TRUE(bytes == 0 || std::memcmp(left.bytes(), right.bytes(), bytes) == 0)
        << left.info.name;
  }
}

}  // namespace panta
