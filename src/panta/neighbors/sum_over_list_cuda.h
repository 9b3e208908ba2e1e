// One particle's sum over its list on the GPU: one thread per particle, four neighbours in flight.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/neighbors/lists_view.h"
#include "panta/neighbors/pair_maths.h"

namespace panta {

// The neighbour of a pair, with its record.
template <class Record>
struct OneNeighbor {
  Index j;
  Record record;
  PANTA_HD Index index(int) const { return j; }
  template <class View>
  PANTA_HD Vec4 vec4(const View& field) const {
    return field.vec4(j);
  }
  template <class View>
  PANTA_HD auto from(const View& other) const {
    return other.get(j);
  }
  PANTA_HD float number(const float* values) const { return values[j]; }
  PANTA_HD float table(const float* values, const std::uint32_t* slots) const {
    return values[slots[j]];
  }
};

template <class D, class Record, bool Periodic, class Body>
struct SumOverList;

template <class Record, bool Periodic, class Body>
struct SumOverList<Cuda, Record, Periodic, Body> {
  RecordsView<Cuda, Record> queries, records;
  ListsView<Cuda> lists;
  Periodicity periodicity;
  Body body;

  __device__ __forceinline__ void operator()(Index i) const {
    const auto self = body.self(i);
    const Vec3 x = queries.get(i).first.xyz();
    typename Body::template Sum<float> sum{};
    const Index count = lists.count(i);
    for (Index k = 0; k < count; k += 4) {
      const uint4 four = __ldg(reinterpret_cast<const uint4*>(lists.four(i, k / 4)));
      const std::uint32_t index[4] = {four.x, four.y, four.z, four.w};
      OneNeighbor<Record> j[4];
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

}  // namespace panta
