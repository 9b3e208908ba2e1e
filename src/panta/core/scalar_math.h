// Arithmetic of pair functions beyond + - * /, for one float. core/pack.h has the same functions
// for sixteen floats.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "panta/core/macros.h"

namespace panta {

// On the GPU the hardware's own root and reciprocal, accurate to one or two units in the last
// place: several times faster than the correctly rounded ones. Results agree with the CPU within a
// tolerance only, in any case.
PANTA_HD float square_root(float a) {
#ifdef __CUDA_ARCH__
  float r;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
#else
  return sqrtf(a);
#endif
}
PANTA_HD float reciprocal(float a) {
#ifdef __CUDA_ARCH__
  float r;
  asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
#else
  return 1.0f / a;
#endif
}
PANTA_HD float maximum(float a, float b) { return a > b ? a : b; }
PANTA_HD float minimum(float a, float b) { return a < b ? a : b; }
PANTA_HD float fused(float a, float b, float c) { return fmaf(a, b, c); }  // a b + c
PANTA_HD float round_nearest(float a) { return rintf(a); }
PANTA_HD float where_below(float a, float b, float then, float otherwise) {
  return a < b ? then : otherwise;
}

// visit(lane) for every lane in which a < b; lane_of(a, lane) is its value. Of one float, lane 0.
template <class Visit>
PANTA_HD void each_lane_below(float a, float b, const Visit& visit) {
  if (a < b) visit(0);
}
PANTA_HD float lane_of(float a, int) { return a; }

template <class T>
PANTA_HD T clamp(T a, T lo, T hi) {
  return a < lo ? lo : a > hi ? hi : a;
}

// Whether a is finite, tested on the bits so that no compiler setting can remove the test.
PANTA_HD bool is_finite(float a) {
#ifdef __CUDA_ARCH__
  return (__float_as_uint(a) & 0x7f800000u) != 0x7f800000u;
#else
  std::uint32_t bits;
  std::memcpy(&bits, &a, sizeof bits);
  return (bits & 0x7f800000u) != 0x7f800000u;
#endif
}

}  // namespace panta
