// One particle's sum over its list on the CPU: sixteen neighbours at a time.
#pragma once

#include <cstring>

#include "panta/core/field.h"
#include "panta/core/pack.h"
#include "panta/core/record.h"
#include "panta/neighbors/lists_view.h"
#include "panta/neighbors/pair_maths.h"

namespace panta {

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

// Sixteen neighbours with their records.
template <class Records>
struct SixteenNeighbors {
  const std::uint32_t* list;
  Records record;
  PANTA_HD Index index(int lane) const { return static_cast<Index>(list[lane]); }
  PANTA_HD Vec4T<F16> vec4(const Field4View<Cpu>& f) const {
    const I16 j = load(list);
    return {gather(f.component(0), j), gather(f.component(1), j), gather(f.component(2), j),
            gather(f.component(3), j)};
  }
  template <class View>
  PANTA_HD auto from(const View& other) const {
    return gather_records(other, list);
  }
  PANTA_HD F16 number(const float* values) const { return gather(values, load(list)); }
  PANTA_HD F16 table(const float* values, const std::uint32_t* slots) const {
    F16 r;
    for (int l = 0; l < pack_width; ++l) r[l] = values[slots[list[l]]];
    return r;
  }
};

template <class D, class Record, bool Periodic, class Body>
struct SumOverList;

template <class Record, bool Periodic, class Body>
struct SumOverList<Cpu, Record, Periodic, Body> {
  RecordsView<Cpu, Record> queries, records;
  ListsView<Cpu> lists;
  Periodicity periodicity;
  Body body;

  PANTA_HD void operator()(Index i) const {
    const auto self = body.self(i);
    const Vec3 x = queries.get(i).first.xyz();
    typename Body::template Sum<F16> sum{};
    const std::uint32_t* list = lists.row(i);
    const Index count = lists.count(i);
    for (Index k = 0; k < count; k += pack_width) {
      const auto sixteen = gather_records(records, list + k);
      const SixteenNeighbors<decltype(gather_records(records, list))> j{list + k, sixteen};
      Vec3T<F16> d{x.x - j.record.first.x, x.y - j.record.first.y, x.z - j.record.first.z};
      if constexpr (Periodic) periodicity.shorten(d);
      const F16 r2 = choose(first_lanes(count - k), squared_length(d), splat(far_away));
      body.pair(sum, self, d, r2, j);
    }
    body.finish(i, self, add_lanes<Body::template Sum>(sum));
  }
};

}  // namespace panta
