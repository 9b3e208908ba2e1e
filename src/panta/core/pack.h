// Sixteen floats at a time on the CPU: one AVX-512 register, two AVX2 registers or four SSE
// registers, with the same results on all of them. The names match core/scalar_math.h.
#pragma once

#ifndef __CUDACC__

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "panta/core/exec.h"
#include "panta/core/scalar_math.h"
#include "panta/core/vec.h"

namespace panta {

inline constexpr int pack_width = 16;
using F16 = float __attribute__((vector_size(64)));
using I16 = std::int32_t __attribute__((vector_size(64)));
using LaneMask = std::uint32_t;  // bit l: lane l

namespace detail {
// clang respects the alignment only in a typedef.
typedef float F16Unaligned __attribute__((vector_size(64), aligned(4), may_alias));
typedef std::int32_t I16Unaligned __attribute__((vector_size(64), aligned(4), may_alias));
}  // namespace detail

PANTA_HD F16 splat(float a) { return F16{} + a; }
PANTA_HD I16 splat(std::int32_t a) { return I16{} + a; }
PANTA_HD I16 lane_numbers() { return I16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; }

PANTA_HD F16 load(const float* p) { return *reinterpret_cast<const detail::F16Unaligned*>(p); }
PANTA_HD I16 load(const std::uint32_t* p) {
  return *reinterpret_cast<const detail::I16Unaligned*>(p);
}
PANTA_HD void store(std::uint32_t* p, I16 a) { *reinterpret_cast<detail::I16Unaligned*>(p) = a; }

#if defined(__AVX512F__)
PANTA_HD F16 square_root(F16 a) { return _mm512_sqrt_ps(a); }
PANTA_HD F16 maximum(F16 a, F16 b) { return _mm512_max_ps(a, b); }
PANTA_HD F16 minimum(F16 a, F16 b) { return _mm512_min_ps(a, b); }
PANTA_HD F16 fused(F16 a, F16 b, F16 c) { return _mm512_fmadd_ps(a, b, c); }
PANTA_HD F16 round_nearest(F16 a) {
  return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
PANTA_HD F16 gather(const float* p, I16 index) {
  // The plain gather starts from an undefined register, which causes a warning in gcc 12.
  return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xffff, reinterpret_cast<__m512i>(index), p,
                                  4);
}
PANTA_HD LaneMask lanes_below(F16 a, F16 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
// a where the mask is set, b elsewhere
PANTA_HD F16 choose(LaneMask m, F16 a, F16 b) {
  return _mm512_mask_blend_ps(static_cast<__mmask16>(m), b, a);
}
PANTA_HD LaneMask lanes_below(I16 a, I16 b) {
  return _mm512_cmplt_epi32_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b));
}
PANTA_HD I16 choose(LaneMask m, I16 a, I16 b) {
  return reinterpret_cast<I16>(_mm512_mask_blend_epi32(
      static_cast<__mmask16>(m), reinterpret_cast<__m512i>(b), reinterpret_cast<__m512i>(a)));
}
// Stores the chosen lanes contiguously, filled up with zeros to a whole pack: compressing in a
// register and storing it is several times faster than a compressing store.
PANTA_HD void compress_store(std::uint32_t* p, LaneMask m, I16 a) {
  store(p, reinterpret_cast<I16>(_mm512_maskz_compress_epi32(static_cast<__mmask16>(m),
                                                             reinterpret_cast<__m512i>(a))));
}
PANTA_HD void compress_store(float* p, LaneMask m, F16 a) {
  *reinterpret_cast<detail::F16Unaligned*>(p) =
      F16(_mm512_maskz_compress_ps(static_cast<__mmask16>(m), a));
}
#else
namespace detail {
template <class Op>
PANTA_HD F16 by_lane(F16 a, F16 b, Op op) {
  F16 r;
  for (int l = 0; l < pack_width; ++l) r[l] = op(a[l], b[l]);
  return r;
}
}  // namespace detail
PANTA_HD F16 maximum(F16 a, F16 b) { return a > b ? a : b; }
PANTA_HD F16 minimum(F16 a, F16 b) { return a < b ? a : b; }
#if defined(__AVX2__)
namespace detail {
struct Halves {
  __m256 half[2];
};
PANTA_HD Halves split(F16 a) { return __builtin_bit_cast(Halves, a); }
PANTA_HD F16 join(__m256 lo, __m256 hi) { return __builtin_bit_cast(F16, Halves{{lo, hi}}); }
struct IndexHalves {
  __m256i half[2];
};
}  // namespace detail
PANTA_HD F16 square_root(F16 a) {
  const auto s = detail::split(a);
  return detail::join(_mm256_sqrt_ps(s.half[0]), _mm256_sqrt_ps(s.half[1]));
}
PANTA_HD F16 gather(const float* p, I16 index) {
  const auto s = __builtin_bit_cast(detail::IndexHalves, index);
  return detail::join(_mm256_i32gather_ps(p, s.half[0], 4), _mm256_i32gather_ps(p, s.half[1], 4));
}
PANTA_HD LaneMask lanes_below(F16 a, F16 b) {
  const auto s = detail::split(a), t = detail::split(b);
  const int lo = _mm256_movemask_ps(_mm256_cmp_ps(s.half[0], t.half[0], _CMP_LT_OQ));
  const int hi = _mm256_movemask_ps(_mm256_cmp_ps(s.half[1], t.half[1], _CMP_LT_OQ));
  return static_cast<LaneMask>(lo | hi << 8);
}
#else
PANTA_HD F16 square_root(F16 a) {
  return detail::by_lane(a, a, [](float x, float) { return sqrtf(x); });
}
PANTA_HD F16 gather(const float* p, I16 index) {
  F16 r;
  for (int l = 0; l < pack_width; ++l) r[l] = p[index[l]];
  return r;
}
PANTA_HD LaneMask lanes_below(F16 a, F16 b) {
  LaneMask m = 0;
  for (int l = 0; l < pack_width; ++l) m |= static_cast<LaneMask>(a[l] < b[l]) << l;
  return m;
}
#endif
#if defined(__FMA__)
PANTA_HD F16 fused(F16 a, F16 b, F16 c) {
  const auto s = detail::split(a), t = detail::split(b), u = detail::split(c);
  return detail::join(_mm256_fmadd_ps(s.half[0], t.half[0], u.half[0]),
                      _mm256_fmadd_ps(s.half[1], t.half[1], u.half[1]));
}
#else
PANTA_HD F16 fused(F16 a, F16 b, F16 c) {
  F16 r;
  for (int l = 0; l < pack_width; ++l) r[l] = fmaf(a[l], b[l], c[l]);
  return r;
}
#endif
PANTA_HD F16 round_nearest(F16 a) {
  return detail::by_lane(a, a, [](float x, float) { return rintf(x); });
}
PANTA_HD I16 choose(LaneMask m, I16 a, I16 b) {
  const I16 bits = (splat(static_cast<std::int32_t>(m)) >> lane_numbers()) & 1;
  return bits != 0 ? a : b;
}
PANTA_HD F16 choose(LaneMask m, F16 a, F16 b) {
  return __builtin_bit_cast(F16, choose(m, __builtin_bit_cast(I16, a), __builtin_bit_cast(I16, b)));
}
PANTA_HD LaneMask lanes_below(I16 a, I16 b) {
  LaneMask m = 0;
  for (int l = 0; l < pack_width; ++l) m |= static_cast<LaneMask>(a[l] < b[l]) << l;
  return m;
}
PANTA_HD void compress_store(std::uint32_t* p, LaneMask m, I16 a) {
  for (; m; m &= m - 1) *p++ = static_cast<std::uint32_t>(a[__builtin_ctz(m)]);
}
PANTA_HD void compress_store(float* p, LaneMask m, F16 a) {
  for (; m; m &= m - 1) *p++ = a[__builtin_ctz(m)];
}
#endif

PANTA_HD F16 reciprocal(F16 a) { return 1.0f / a; }
PANTA_HD F16 maximum(F16 a, float b) { return maximum(a, splat(b)); }
PANTA_HD F16 minimum(F16 a, float b) { return minimum(a, splat(b)); }
PANTA_HD LaneMask lanes_below(F16 a, float b) { return lanes_below(a, splat(b)); }

PANTA_HD F16 to_float(I16 a) { return __builtin_convertvector(a, F16); }
PANTA_HD I16 to_int(F16 a) { return __builtin_convertvector(a, I16); }  // towards zero
PANTA_HD I16 gather(const std::uint32_t* p, I16 index) {
  return __builtin_bit_cast(I16, gather(reinterpret_cast<const float*>(p), index));
}

// The first `count` lanes.
PANTA_HD LaneMask first_lanes(Index count) {
  return count >= pack_width ? 0xffffu : (1u << count) - 1u;
}

PANTA_HD F16 where_below(F16 a, F16 b, F16 then, F16 otherwise) {
  return choose(lanes_below(a, b), then, otherwise);
}

template <class Visit>
PANTA_HD void each_lane_below(F16 a, F16 b, const Visit& visit) {
  for (LaneMask m = lanes_below(a, b); m; m &= m - 1) visit(__builtin_ctz(m));
}
PANTA_HD float lane_of(F16 a, int lane) { return a[lane]; }

// The sum of the lanes in a fixed order: a binary tree.
PANTA_HD float lane_sum(F16 a) {
#if defined(__AVX512F__)
  const __m512 v = a;
  const __m256 s8 = _mm256_add_ps(_mm512_castps512_ps256(v),
                                  _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1)));
#elif defined(__AVX2__)
  const auto s = detail::split(a);
  const __m256 s8 = _mm256_add_ps(s.half[0], s.half[1]);
#endif
#if defined(__AVX2__)
  const __m128 s4 = _mm_add_ps(_mm256_castps256_ps128(s8), _mm256_extractf128_ps(s8, 1));
  const __m128 s2 = _mm_add_ps(s4, _mm_movehl_ps(s4, s4));
  return _mm_cvtss_f32(_mm_add_ss(s2, _mm_shuffle_ps(s2, s2, 1)));
#else
  float s[pack_width];
  for (int l = 0; l < pack_width; ++l) s[l] = a[l];
  for (int half = pack_width / 2; half >= 1; half /= 2)
    for (int l = 0; l < half; ++l) s[l] += s[l + half];
  return s[0];
#endif
}
PANTA_HD Vec3 lane_sum(const Vec3T<F16>& a) {
  return {lane_sum(a.x), lane_sum(a.y), lane_sum(a.z)};
}

}  // namespace panta

#endif  // __CUDACC__
