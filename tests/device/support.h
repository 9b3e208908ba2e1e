// Shared by the tests of every device: executors and random sets of points.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "panta/core/field.h"
#include "panta/core/make_exec.h"

namespace panta::test {

using D = panta::PANTA_DEVICE;
inline constexpr bool on_cpu = D::kind == DeviceKind::cpu;

// Executors whose results must be bitwise equal: 1, 2 and 3 CPU threads, or three streams of a GPU.
inline const std::vector<D>& executors() {
  static const std::vector<D> all = {make_exec<D>(1), make_exec<D>(2), make_exec<D>(3)};
  return all;
}
inline const D& executor() { return executors()[1]; }

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  float uniform(float lo, float hi) {
    return std::uniform_real_distribution<float>(lo, hi)(engine_);
  }
  Vec3 in_box(const Vec3& lo, const Vec3& hi) {
    const float x = uniform(lo.x, hi.x), y = uniform(lo.y, hi.y);
    return {x, y, uniform(lo.z, hi.z)};
  }
  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

inline std::vector<Vec3> random_points(std::size_t n, const Vec3& lo, const Vec3& hi,
                                       unsigned seed = 1) {
  Random random(seed);
  std::vector<Vec3> points(n);
  for (Vec3& p : points) p = random.in_box(lo, hi);
  return points;
}

inline std::vector<Vec4> with_w(const std::vector<Vec3>& points, float w = 0) {
  std::vector<Vec4> out;
  for (const Vec3& p : points) out.push_back({p.x, p.y, p.z, w});
  return out;
}

inline Field4<D> field_of(const std::vector<Vec3>& points) {
  Field4<D> field;
  field.resize(points.size());
  field.upload(0, with_w(points));
  return field;
}

}  // namespace panta::test
