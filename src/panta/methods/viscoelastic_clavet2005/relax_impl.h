// Double density relaxation as stages of a step: pressures, then pushes, gathered or in turn.
#pragma once

#include "panta/methods/viscoelastic_clavet2005/solver.h"

namespace panta::viscoelastic {

// Supports, largest displacement by the relaxation.
inline constexpr double most_move = 0.5;

template <class D>
template <bool Completed>
void Method<D>::find_pressures(float elapsed) {
  choose_form(false, [&]<bool, bool Weighted>() {
    kit_.sum_over_neighbors(
        places(), FindPressures<D, Weighted, Completed>{.kernel = setup_.kernel,
                                                        .bounds = setup_.density_bounds,
                                                        .surface = setup_.surface,
                                                        .walls = relaxation_walls(elapsed),
                                                        .places = places(),
                                                        .records = records(),
                                                        .corrections = corrections(),
                                                        .stress_error = stress_error(),
                                                        .stress_law = stress_law(),
                                                        .start = start_excess(elapsed > 0),
                                                        .held = kit_.set.held_by(),
                                                        .weights = weights()});
  });
}

template <class D>
void Method<D>::relax() {
  setup_.corrected ? find_pressures<true>(1) : find_pressures<false>(1);
  setup_.corrected ? relax_as<true>() : relax_as<false>();
}

template <class D>
template <bool Corrected>
void Method<D>::relax_as() {
  choose_form(false, [&]<bool, bool Weighted>() {
    kit_.sum_over_neighbors(records(), Relax<D, Weighted, Corrected>{
                                           .kernel = setup_.kernel,
                                           .walls = relaxation_walls(1),
                                           .records = records(),
                                           .corrections = corrections(),
                                           .places = places(),
                                           .body_pushes = body_pushes(),
                                           .stress_error = stress_error(),
                                           .stress_law = stress_law(),
                                           .gate = kit_.gate(),
                                           .phase = kit_.set.phase(),
                                           .held = kit_.set.held_by(),
                                           .substances = substances_.data(),
                                           .most = static_cast<float>(most_move * setup_.support),
                                           .clamped = &springs_.book()->clamped_now,
                                           .weights = weights()});
  });
}

// At the positions of the neighbour lists.
template <class D>
void Method<D>::order_turns() {
  if constexpr (D::kind == DeviceKind::cpu) {
    if (setup_.params.relaxation == Relaxation::sequential)
      turns_.make_sequential(kit_.set.id(), kit_.set.active());
    if (setup_.params.relaxation == Relaxation::coloured)
      turns_.make_coloured(searched_.view(), kit_.set.id(), kit_.set.active(), setup_.kernel.h,
                           setup_.grid.period, setup_.grid.period_origin);
  }
}

template <class D>
void Method<D>::relax_in_turn() {
  if constexpr (D::kind == DeviceKind::cpu) {
    if (kit_.gate().closed()) return;
    choose_form(false, [&]<bool, bool Weighted>() {
      turns_.run(kit_.exec, kit_.clock()->steps,
                 RelaxInTurn<Weighted>{.kernel = setup_.kernel,
                                       .walls = relaxation_walls(1),
                                       .places = places(),
                                       .records = records(),
                                       .lists = kit_.set.lists.view(),
                                       .periodicity = Periodicity::of(setup_.grid.period),
                                       .phase = kit_.set.phase(),
                                       .held = kit_.set.held_by(),
                                       .substances = substances_.data(),
                                       .dt = static_cast<float>(kit_.clock()->dt),
                                       .most = static_cast<float>(most_move * setup_.support),
                                       .clamped = &springs_.book()->clamped_now,
                                       .weights = weights()});
    });
  }
}

}  // namespace panta::viscoelastic
