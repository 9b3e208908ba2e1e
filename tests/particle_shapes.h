// Particles that fill simple shapes, for tests of surfaces.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "panta/core/vec.h"

namespace panta {

// The points of a cubic lattice for which `inside` is true, each displaced at random by up to
// `jitter` spacings.
template <class Inside>
std::vector<Vec3> filled(float spacing, float half_size, float jitter, const Inside& inside) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> shift(-jitter, jitter);
  const int n = static_cast<int>(half_size / spacing) + 1;
  std::vector<Vec3> points;
  for (int z = -n; z < n; ++z)
    for (int y = -n; y < n; ++y)
      for (int x = -n; x < n; ++x) {
        const Vec3 p = Vec3{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f,
                            static_cast<float>(z) + 0.5f} *
                       spacing;
        if (inside(p))
          points.push_back(p +
                           Vec3{shift(generator), shift(generator), shift(generator)} * spacing);
      }
  return points;
}

inline std::vector<Vec3> ball(float spacing, float radius, float jitter = 0, Vec3 center = {}) {
  std::vector<Vec3> points =
      filled(spacing, radius, jitter, [&](const Vec3& p) { return length(p) < radius; });
  for (Vec3& p : points) p += center;
  return points;
}

// Around the z axis.
inline std::vector<Vec3> torus(float spacing, float large, float small, float jitter = 0) {
  return filled(spacing, large + small, jitter, [&](const Vec3& p) {
    const float out = std::sqrt(p.x * p.x + p.y * p.y) - large;
    return out * out + p.z * p.z < small * small;
  });
}

// A block from -half to half whose top is at y = 0.
inline std::vector<Vec3> pool(float spacing, float half, float depth, float jitter = 0) {
  return filled(spacing, half, jitter, [&](const Vec3& p) { return p.y < 0 && p.y > -depth; });
}

}  // namespace panta
