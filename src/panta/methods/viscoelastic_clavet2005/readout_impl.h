// Values for frames: densities at the present positions, counters.
#pragma once

#include "panta/methods/viscoelastic_clavet2005/solver.h"

namespace panta::viscoelastic {

template <class D>
void Method<D>::evaluate() {
  if (weighted()) find_weights();
  launch(kit_.exec, kit_.set.active(),
         PlaceAtRest<D>{.position = kit_.set.position(),
                        .searched = searched_.view(),
                        .middle = middle_.view(),
                        .places = places()});
  kit_.set.lists.build(kit_.exec, kit_.set.grid.view(), searched_.view(), searched_.view(),
                       kit_.set.active(), true, setup_.kernel.h, NoSum{});
  kit_.bodies.place(kit_.exec, kit_.walls);
  kit_.walls.find_contacts(kit_.exec, searched_.view(), kit_.set.phase(), kit_.set.active(),
                           setup_.kernel.h, 0.1f * setup_.kernel.h);
  setup_.chosen_steps ? find_pressures<true>(0) : find_pressures<false>(0);
  choose_form(false, [&]<bool, bool Weighted>() {
    kit_.sum_over_neighbors(
        records(),
        FindVirial<D, Weighted>{.kernel = setup_.kernel,
                                .walls = relaxation_walls(0),
                                .records = records(),
                                .places = places(),
                                .held = kit_.set.held_by(),
                                .moment = static_cast<float>(setup_.lattice.moment),
                                .near_moment = static_cast<float>(setup_.lattice.near_moment),
                                .weights = weights()});
  });
}

template <class D>
std::vector<Counter> Method<D>::counters() {
  const SpringCounts c =
      springs_.counts(kit_.exec, kit_.set.columns, static_cast<Index>(kit_.set.counted.occupied));
  std::vector<Counter> out;
  if (springs_.used())
    out = {{"springs", c.springs}, {"springs_added", c.added}, {"springs_removed", c.removed}};
  out.push_back({"clamped", c.clamped});
  return out;
}

template <class D>
void Method<D>::read_out(ParticleFrame& frame) {
  const auto records = records_.download();
  const auto places = places_.download();
  const LatticeSums& lattice = setup_.lattice;
  const double per_unit = setup_.support / (2 * setup_.dimensions);
  const std::vector<std::uint32_t>& phase = frame.phase();
  std::vector<float>&density = frame.density(), &pressure = frame.pressure();
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const float rest = setup_.substances.rest_density[phase[i]];
    const float compressed = static_cast<float>(double{records[i].second.z} / lattice.density);
    density[i] = compressed * rest;
    const float lightest = rest * setup_.substances.mobility[phase[i]];
    pressure[i] = static_cast<float>(lightest * compressed * per_unit * places[i].first.w);
  }
}

}  // namespace panta::viscoelastic
