// Sums over pairs of neighbouring particles.
//
// The maths is a body:
//
//   struct Body {
//     struct Self { ... };                          what a pair needs of particle i, loaded once
//     template <class F> struct Sum { ... };        accumulators, members of type F only
//     PANTA_HD Self self(Index i) const;
//     template <class F, class J>
//     PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const;
//     PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const;
//   };
//
// d = x_i - x_j. The neighbour j gives its record (`j.record`, with the position in its first three
// floats) and values from elsewhere (`j.vec4(field)`, `j.table(values, slots)`).
//
// A pair function must vanish for r2 >= the support squared: on the CPU unused lanes are given
// r2 = far_away. It is called with F = float on the GPU and F = F16, sixteen neighbours, on the
// CPU; the sixteen partial sums are added in a fixed order.
#pragma once

#include <cstring>

#include "panta/core/field.h"
#include "panta/core/launch.h"
#include "panta/core/record.h"
#include "panta/core/scalar_math.h"
#include "panta/neighbors/lists_view.h"

namespace panta {

inline constexpr float far_away = 1e30f;  // m^2, beyond every support

// Shortest image of a difference on periodic axes.
struct Periodicity {
  Vec3 period, inverse;  // 0 on axes that are not periodic
  template <class F>
  PANTA_HD void shorten(Vec3T<F>& d) const {
    d.x = d.x - round_nearest(d.x * inverse.x) * period.x;
    d.y = d.y - round_nearest(d.y * inverse.y) * period.y;
    d.z = d.z - round_nearest(d.z * inverse.z) * period.z;
  }
  static Periodicity of(const Vec3& period) {
    const auto inverse = [](float p) { return p > 0 ? 1.0f / p : 0.0f; };
    return {period, {inverse(period.x), inverse(period.y), inverse(period.z)}};
  }
};

template <class F>
PANTA_HD F squared_length(const Vec3T<F>& d) {
  return fused(d.x, d.x, fused(d.y, d.y, d.z * d.z));
}

#ifndef __CUDACC__
// Adds the lanes of every accumulator.
template <template <class> class Sum>
PANTA_HD Sum<float> add_lanes(const Sum<F16>& packed) {
  constexpr std::size_t members = sizeof(Sum<float>) / sizeof(float);
  static_assert(sizeof(Sum<F16>) == members * sizeof(F16), "Sum may only have members of type F");
  F16 lanes[members];
  std::memcpy(lanes, &packed, sizeof lanes);
  float totals[members];
  for (std::size_t k = 0; k < members; ++k) totals[k] = lane_sum(lanes[k]);
  Sum<float> sum;
  std::memcpy(&sum, totals, sizeof totals);
  return sum;
}
#endif

// The neighbour of a pair, with its record.
struct OneNeighbor {
  Index j;
  Record8 record;
  template <class View>
  PANTA_HD Vec4 vec4(const View& field) const {
    return field.vec4(j);
  }
  PANTA_HD float table(const float* values, const std::uint32_t* slots) const {
    return values[slots[j]];
  }
};

#ifndef __CUDACC__
// Sixteen neighbours.
struct SixteenNeighbors {
  const std::uint32_t* list;
  RecordT<F16> record;
  PANTA_HD Vec4T<F16> vec4(const Field4View<Cpu>& f) const {
    const I16 j = load(list);
    return {gather(f.component(0), j), gather(f.component(1), j), gather(f.component(2), j),
            gather(f.component(3), j)};
  }
  PANTA_HD F16 table(const float* values, const std::uint32_t* slots) const {
    F16 r;
    for (int l = 0; l < pack_width; ++l) r[l] = values[slots[list[l]]];
    return r;
  }
};
#endif

// One particle's sum over its list.
template <class D, bool Periodic, class Body>
struct SumOverList;

template <bool Periodic, class Body>
struct SumOverList<Cpu, Periodic, Body> {
  RecordsView<Cpu> records;
  ListsView<Cpu> lists;
  Periodicity periodicity;
  Body body;

#ifndef __CUDACC__
  PANTA_HD void operator()(Index i) const {
    const auto self = body.self(i);
    const Vec3 x = records.get(i).first.xyz();
    typename Body::template Sum<F16> sum{};
    const std::uint32_t* list = lists.row(i);
    const Index count = lists.count(i);
    for (Index k = 0; k < count; k += pack_width) {
      const SixteenNeighbors j{list + k, gather_records(records, list + k)};
      Vec3T<F16> d{x.x - j.record.first.x, x.y - j.record.first.y, x.z - j.record.first.z};
      if constexpr (Periodic) periodicity.shorten(d);
      const F16 r2 = choose(first_lanes(count - k), squared_length(d), splat(far_away));
      body.pair(sum, self, d, r2, j);
    }
    body.finish(i, self, add_lanes<Body::template Sum>(sum));
  }
#endif
};

#ifdef __CUDACC__
template <bool Periodic, class Body>
struct SumOverList<Cuda, Periodic, Body> {
  RecordsView<Cuda> records;
  ListsView<Cuda> lists;
  Periodicity periodicity;
  Body body;

  __device__ __forceinline__ void operator()(Index i) const {
    const auto self = body.self(i);
    const Vec3 x = records.get(i).first.xyz();
    typename Body::template Sum<float> sum{};
    const Index count = lists.count(i);
    for (Index k = 0; k < count; k += 4) {
      const uint4 four = __ldg(reinterpret_cast<const uint4*>(lists.four(i, k / 4)));
      const std::uint32_t index[4] = {four.x, four.y, four.z, four.w};
      OneNeighbor j[4];
#pragma unroll
      for (int m = 0; m < 4; ++m) {
        j[m].j = static_cast<Index>(index[m]);
        j[m].record = records.constant(j[m].j);
      }
#pragma unroll
      for (int m = 0; m < 4; ++m) {
        Vec3 d = x - j[m].record.first.xyz();
        if constexpr (Periodic) periodicity.shorten(d);
        body.pair(sum, self, d, k + m < count ? squared_length(d) : far_away, j[m]);
      }
    }
    body.finish(i, self, sum);
  }
};
#endif

// Runs the body over every particle's list.
template <class D, class Body>
void sum_over_lists(const D& exec, RecordsView<D> records, const ListsView<D>& lists,
                    const Vec3& period, const Body& body) {
  const Periodicity periodicity = Periodicity::of(period);
  if (period.x > 0 || period.y > 0 || period.z > 0) {
    launch_uneven(exec, lists.particles, list_block,
                  SumOverList<D, true, Body>{records, lists, periodicity, body});
  } else {
    launch_uneven(exec, lists.particles, list_block,
                  SumOverList<D, false, Body>{records, lists, periodicity, body});
  }
}

}  // namespace panta
