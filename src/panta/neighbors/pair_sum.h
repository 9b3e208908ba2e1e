// Sums over pairs of neighbouring particles.
//
// The formula is given by a body:
//
//   struct Body {
//     struct Self { ... };                          data of particle i, loaded once
//     template <class F> struct Sum { ... };        accumulators, members of type F only
//     PANTA_HD Self self(Index i) const;
//     template <class F, class J>
//     PANTA_HD void pair(Sum<F>& sum, const Self& self, const Vec3T<F>& d, F r2, const J& j) const;
//     PANTA_HD void finish(Index i, const Self& self, const Sum<float>& sum) const;
//   };
//
// d = x_i - x_j. The neighbour j provides its record (`j.record`, with the position in its first
// three floats), values of other arrays (`j.vec4(field)`, `j.number(values)`, `j.table(values,
// slots)`) and its own index (`j.index(lane)`; each_lane_below of core/scalar_math.h and
// core/pack.h finds the lanes).
//
// A pair function must be zero for r2 >= the support squared: on the CPU unused lanes have r2 =
// far_away. It is called with F = float on the GPU and F = F16, sixteen neighbours, on the CPU; the
// sixteen partial sums are added in a fixed order.
#pragma once

#include "panta/core/launch.h"
#include PANTA_FOR_DEVICE("panta/neighbors/sum_over_list_cpu.h", "panta/neighbors/sum_over_list_cuda.h")

namespace panta {

// Runs the body over every list. The lists belong to particles whose records are `queries`; the
// neighbours' records are `records`.
template <class D, class Record, class Body>
void sum_over_lists(const D& exec, RecordsView<D, Record> queries, RecordsView<D, Record> records,
                    const ListsView<D>& lists, const Vec3& period, const Body& body) {
  const Periodicity periodicity = Periodicity::of(period);
  if (period.x > 0 || period.y > 0 || period.z > 0) {
    launch_uneven(exec, lists.particles, list_block,
                  SumOverList<D, Record, true, Body>{queries, records, lists, periodicity, body});
  } else {
    launch_uneven(exec, lists.particles, list_block,
                  SumOverList<D, Record, false, Body>{queries, records, lists, periodicity, body});
  }
}

// The same where queries and neighbours are the same particles.
template <class D, class Record, class Body>
void sum_over_lists(const D& exec, RecordsView<D, Record> records, const ListsView<D>& lists,
                    const Vec3& period, const Body& body) {
  sum_over_lists(exec, records, records, lists, period, body);
}

}  // namespace panta
