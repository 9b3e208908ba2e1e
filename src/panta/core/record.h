// Records: the values of a neighbour that a pair sum reads, contiguous in memory: eight floats (32
// bytes, one memory sector on the GPU and half a cache line on the CPU) or four. Particles keep
// their state in fields (core/field.h), which suit loops over all particles; a solver copies what
// pairs need into records once per pass.
//
// On the CPU sixteen records are read and transposed in registers, which is several times faster
// than gathering fields.
#pragma once

#include "panta/core/buffer.h"
#include "panta/core/pack.h"
#include "panta/core/vec.h"

namespace panta {

template <class F>
struct RecordT {
  Vec4T<F> first, second;
};
using Record8 = RecordT<float>;
static_assert(sizeof(Record8) == 32);

template <class F>
struct ShortRecordT {
  Vec4T<F> first;
};
using Record4 = ShortRecordT<float>;
static_assert(sizeof(Record4) == 16);

template <class D, class Record = Record8>
struct RecordsView {
  static constexpr int quads = sizeof(Record) / 16;
  Record* p = nullptr;

  PANTA_HD Record get(Index i) const {
#ifdef __CUDA_ARCH__
    Record r;
    for (int k = 0; k < quads; ++k)
      reinterpret_cast<float4*>(&r)[k] = reinterpret_cast<const float4*>(p + i)[k];
    return r;
#else
    return p[i];
#endif
  }
#ifdef __CUDACC__
  // For kernels in which no thread writes the records.
  __device__ __forceinline__ Record constant(Index i) const {
    Record r;
    for (int k = 0; k < quads; ++k)
      reinterpret_cast<float4*>(&r)[k] = __ldg(reinterpret_cast<const float4*>(p + i) + k);
    return r;
  }
#endif
  PANTA_HD void set(Index i, const Record& r) const {
#ifdef __CUDA_ARCH__
    for (int k = 0; k < quads; ++k)
      reinterpret_cast<float4*>(p + i)[k] = reinterpret_cast<const float4*>(&r)[k];
#else
    p[i] = r;
#endif
  }
};

#ifndef __CUDACC__
// Reads the sixteen records whose indices are in a list.
#if defined(__AVX512F__)
PANTA_HD ShortRecordT<F16> gather_records(const RecordsView<Cpu, Record4>& records,
                                          const std::uint32_t* list) {
  const float* base = reinterpret_cast<const float*>(records.p);
  const auto row = [&](int k) { return _mm_loadu_ps(base + std::size_t{4} * list[k]); };
  // Records k, k + 4, k + 8 and k + 12 share a register: four 4 x 4 transposes at once.
  const auto rows = [&](int k) {
    const __m256 low = _mm256_set_m128(row(k + 4), row(k));
    const __m256 high = _mm256_set_m128(row(k + 12), row(k + 8));
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
  };
  const __m512 a = rows(0), b = rows(1), c = rows(2), d = rows(3);
  const __m512d ab = _mm512_castps_pd(_mm512_unpacklo_ps(a, b));
  const __m512d cd = _mm512_castps_pd(_mm512_unpacklo_ps(c, d));
  const __m512d ab_high = _mm512_castps_pd(_mm512_unpackhi_ps(a, b));
  const __m512d cd_high = _mm512_castps_pd(_mm512_unpackhi_ps(c, d));
  return {{F16(_mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd))),
           F16(_mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd))),
           F16(_mm512_castpd_ps(_mm512_unpacklo_pd(ab_high, cd_high))),
           F16(_mm512_castpd_ps(_mm512_unpackhi_pd(ab_high, cd_high)))}};
}
PANTA_HD RecordT<F16> gather_records(const RecordsView<Cpu>& records, const std::uint32_t* list) {
  const float* base = reinterpret_cast<const float*>(records.p);
  const auto row = [&](int k) { return _mm256_loadu_ps(base + std::size_t{8} * list[k]); };
  const auto rows = [&](int k) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(row(k)), row(k + 4), 1);
  };
  // Rows k and k + 4 share a register; transposing 4 x 4 blocks and pairing 128-bit lanes then puts
  // the records into their order.
  __m512 t[8];
  for (int half = 0; half < 2; ++half) {
    const __m512 a = rows(8 * half), b = rows(8 * half + 1), c = rows(8 * half + 2),
                 d = rows(8 * half + 3);
    const __m512d ab = _mm512_castps_pd(_mm512_unpacklo_ps(a, b));
    const __m512d cd = _mm512_castps_pd(_mm512_unpacklo_ps(c, d));
    const __m512d ab_high = _mm512_castps_pd(_mm512_unpackhi_ps(a, b));
    const __m512d cd_high = _mm512_castps_pd(_mm512_unpackhi_ps(c, d));
    t[4 * half] = _mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd));
    t[4 * half + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd));
    t[4 * half + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(ab_high, cd_high));
    t[4 * half + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(ab_high, cd_high));
  }
  const auto low = [&](int k) { return F16(_mm512_shuffle_f32x4(t[k], t[k + 4], 0x88)); };
  const auto high = [&](int k) { return F16(_mm512_shuffle_f32x4(t[k], t[k + 4], 0xdd)); };
  return {{low(0), low(1), low(2), low(3)}, {high(0), high(1), high(2), high(3)}};
}
#else
PANTA_HD ShortRecordT<F16> gather_records(const RecordsView<Cpu, Record4>& records,
                                          const std::uint32_t* list) {
  ShortRecordT<F16> r;
  for (int l = 0; l < pack_width; ++l) {
    const Vec4 one = records.p[list[l]].first;
    r.first.x[l] = one.x, r.first.y[l] = one.y, r.first.z[l] = one.z, r.first.w[l] = one.w;
  }
  return r;
}
PANTA_HD RecordT<F16> gather_records(const RecordsView<Cpu>& records, const std::uint32_t* list) {
  RecordT<F16> r;
  for (int l = 0; l < pack_width; ++l) {
    const Record8 one = records.p[list[l]];
    r.first.x[l] = one.first.x, r.first.y[l] = one.first.y;
    r.first.z[l] = one.first.z, r.first.w[l] = one.first.w;
    r.second.x[l] = one.second.x, r.second.y[l] = one.second.y;
    r.second.z[l] = one.second.z, r.second.w[l] = one.second.w;
  }
  return r;
}
#endif
#endif  // __CUDACC__

}  // namespace panta
