#include "panta/resample/resampler.h"

#include "panta/core/launch.h"
#include "panta/resample/merge_pairs.h"

namespace panta {

template <class D>
void Resampler<D>::split(const D& exec, const ResampledSet<D>& set, const std::uint32_t* children,
                         const Vec3* offset) {
  const Index n = set.active;
  more_.resize(static_cast<std::size_t>(n));
  place_.resize(static_cast<std::size_t>(n) + 1);
  launch(
      exec, n,
      CountChildren<D>{set.gate, children, set.columns.position(), set.population, more_.data()});
  exclusive_scan(exec, more_.data(), place_.data(), n, scan_);
  launch(exec, 1, PlanSplit{set.gate, place_.data() + n, set.population, set.slots, plan_.data()});
  launch(exec, n,
         WriteChildren<D>{.plan = plan_.data(),
                          .more = more_.data(),
                          .place = place_.data(),
                          .offset = offset,
                          .rules = set.columns.merge_rules(),
                          .id = set.columns.id(),
                          .space = set.space});
}

template <class D>
void Resampler<D>::merge(const D& exec, const ResampledSet<D>& set, const std::uint32_t* partner) {
  launch(exec, set.active,
         MergePairs<D>{.gate = set.gate,
                       .partner = partner,
                       .rules = set.columns.merge_rules(),
                       .position = set.columns.position(),
                       .mass = set.columns.scalars(set.mass),
                       .id = set.columns.id(),
                       .population = set.population,
                       .space = set.space});
}

template class Resampler<PANTA_DEVICE>;

}  // namespace panta
