// The solver of Clavet et al. 2005, Algorithm 1: the order of a step. The maths is in kernels.h,
// prediction.h, spring_rows.h, density.h, in_turn.h and motion.h.
#pragma once

#include "panta/methods/viscoelastic_clavet2005/body_pushes.h"
#include "panta/methods/viscoelastic_clavet2005/density.h"
#include "panta/methods/viscoelastic_clavet2005/in_turn.h"
#include "panta/methods/viscoelastic_clavet2005/method.h"
#include "panta/methods/viscoelastic_clavet2005/motion.h"
#include "panta/methods/viscoelastic_clavet2005/prediction.h"
#include "panta/methods/viscoelastic_clavet2005/relax.h"
#include "panta/methods/viscoelastic_clavet2005/spring_store.h"
#include "panta/solver/particle_driver.h"
#include "panta/viscosity/implicit_viscosity.h"

namespace panta::viscoelastic {

inline constexpr double mirror_distance = 0.5;  // contact distance of mirrors over that of walls

template <class D>
class Method final : public ParticleMethod<D> {
 public:
  explicit Method(StepKit<D>& kit);

  ParticleSetup& setup() override { return setup_; }
  void change(const Scene& scene) override;
  void upload_setup() override;
  void resize(Index slots) override;
  void step() override;
  void evaluate() override;
  void read_out(ParticleFrame& frame) override;
  std::vector<Counter> counters() override;

 private:
  // The stages of a step, each enqueued on the device.
  void search();
  void slow_approach();
  void diffuse();
  void find_weights();
  template <bool Weighted>
  void pull_springs();
  template <bool Completed>
  void find_pressures(float elapsed);
  void relax();
  template <bool Corrected>
  void relax_as();
  void order_turns();
  void relax_in_turn();
  void move_bodies();
  void end_step();

  void check_relaxation() const;
  PlaceForSearch<D, StartVelocity<D>> place_for_search() {
    return {.state = kit_.clock(),
            .fraction = 1,
            .position = kit_.set.position(),
            .velocity = {.state = kit_.clock(),
                         .position = kit_.set.position(),
                         .velocity = kit_.set.velocity(),
                         .surroundings = kit_.surroundings(),
                         .held = kit_.set.held_by()},
            .searched = searched_.view()};
  }
  RelaxationWalls<D> relaxation_walls(float elapsed) {
    return {
        .found = {.near = kit_.walls.near(),
                  .searched = middle_.view(),
                  .h = setup_.kernel.h,
                  .elapsed = elapsed,
                  .state = kit_.clock()},
        .liquid = {.table = {.entries = setup_.params.wall_density ? wall_liquid_.data() : nullptr,
                             .inverse_h = setup_.kernel.inverse_h},
                   .whole = setup_.kernel.lattice + 1,
                   .whole_near = static_cast<float>(setup_.lattice.near_density) + 1,
                   .spacing = static_cast<float>(setup_.spacing)},
        .bodies = setup_.chosen_steps,
        .mirrored = setup_.corrected};
  }
  StressLaw stress_law() const {
    const float dim = static_cast<float>(setup_.dimensions);
    return {dim, setup_.kernel.inverse_h, static_cast<float>(setup_.lattice.moment) / dim,
            static_cast<float>(setup_.lattice.near_moment) / dim};
  }
  StartExcess<D> start_excess(bool in_step) {
    return {kit_.set.velocity(), kit_.gate(), setup_.start_decay, in_step};
  }
  ViscousStep<D> viscous_step() {
    return {.place = kit_.set.position(),
            .began = kit_.set.velocity(),
            .walls_found = middle_.view(),
            .weights = weighted() ? weights_.data() : nullptr,
            .time = {kit_.clock()}};
  }
  // m, contact distance of walls, from that in spacings; images keep particles away.
  double between(double spacings) const {
    return spacings * setup_.spacing * (setup_.corrected ? mirror_distance : 1);
  }
  bool weighted() const { return kit_.mass >= 0; }  // particles have masses of their own
  Weights weights() { return {weights_.data()}; }
  // f<Several, Weighted>(); what has weights takes the form for several substances.
  template <class F>
  void choose_form(bool several, const F& f) {
    if (weighted()) return f.template operator()<true, true>();
    several ? f.template operator()<true, false>() : f.template operator()<false, false>();
  }
  RecordsView<D> records() { return {records_.data()}; }
  RecordsView<D, Record4> places() { return {places_.data()}; }
  RecordsView<D> corrections() { return {setup_.corrected ? corrections_.data() : nullptr}; }
  // Null where there are no free bodies.
  RecordsView<D, Record4> body_pushes() { return {body_pushes_.data()}; }
  SymmetricView stress_error() {
    return stress_error_ < 0 ? SymmetricView{} : kit_.set.columns.symmetric(stress_error_);
  }

  StepKit<D>& kit_;
  Setup setup_;
  Field4<D> searched_, middle_, drift_, moves_, began_, landed_;
  Buffer<D, Record8> records_, corrections_;
  Buffer<D, Record4> places_, body_pushes_;
  Buffer<D, float> weights_;  // empty unless weighted
  Buffer<D, WallLiquid> wall_liquid_;
  DeviceValue<D, Substances> substances_;
  SpringStore<D> springs_;
  int row_room_ = -1, stress_error_ = -1;
  TurnOrder turns_;
  ImplicitViscosity<D> viscosity_;
};

}  // namespace panta::viscoelastic
