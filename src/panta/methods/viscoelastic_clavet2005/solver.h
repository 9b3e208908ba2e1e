// The solver of Clavet et al. 2005, Algorithm 1: the order of things. The maths is in kernels.h,
// prediction.h, spring_rows.h, density.h, in_turn.h and motion.h.
#pragma once

#include <memory>

#include "panta/bodies/free_bodies.h"
#include "panta/methods/viscoelastic_clavet2005/density.h"
#include "panta/methods/viscoelastic_clavet2005/in_turn.h"
#include "panta/methods/viscoelastic_clavet2005/method.h"
#include "panta/methods/viscoelastic_clavet2005/motion.h"
#include "panta/methods/viscoelastic_clavet2005/prediction.h"
#include "panta/methods/viscoelastic_clavet2005/spring_store.h"
#include "panta/sim/keep_outside.h"
#include "panta/sim/particle_solver.h"

namespace panta::viscoelastic {

template <class D>
class Solver final : public ParticleSolver<D> {
 public:
  Solver(const Scene& scene, const DeviceOptions& options, D exec);

  double particle_mass(std::uint32_t phase) const override { return setup_.substances.mass[phase]; }
  double rest_density(std::uint32_t phase) const override {
    return setup_.substances.rest_density[phase];
  }
  ParticleFrame snapshot() override;
  std::vector<Counter> counters() override;

 private:
  using Base = ParticleSolver<D>;
  using Base::active;
  using Base::device_state_;
  using Base::exec_;
  using Base::fields_;
  using Base::gate;
  using Base::grid_;
  using Base::held;
  using Base::lists_;
  using Base::particles_;
  using Base::population_;
  using Base::sources_;
  using Base::state_;
  using Base::timer_;
  using Base::walls_;

  ParticleSetup& setup() override { return setup_; }
  void remake_setup(const Scene& scene) override;
  void upload_setup() override;
  void resize(Index slots) override;
  double expected_step() const override { return setup_.params.time_step; }
  void evaluate() override;
  void evaluated() override { Base::undo_sort(); }
  void lengthen_rows(std::uint32_t longest) override;
  void save_more(State& state, const std::vector<std::size_t>& kept) override;
  void restore_more(const State& state, std::size_t count) override;
  bool exploded(double fastest) const override;
  Error explosion(std::uint32_t id, const Vec3& x, const Vec3& v) const override;

  // The stages of a step, each enqueued on the device.
  void step() override;
  void search();
  void slow_approach();
  void pull_springs();
  void find_pressures(float elapsed);
  void relax();
  void order_turns();
  void relax_in_turn();
  void move_bodies();
  void end_step();

  void check_relaxation() const;
  void set_row_capacity();
  SetOut<D> set_out() {
    return {device_state_.data(),
            particles_.position(),
            particles_.velocity(),
            {setup_.gravity, fields_.data(), static_cast<int>(fields_.size())},
            held()};
  }
  FeltWalls<D> felt_walls(float elapsed) {
    return {walls_.near(),
            {setup_.params.wall_density ? wall_shares_.data() : nullptr, setup_.kernel.inverse_h},
            middle_.view(),
            setup_.kernel.h,
            device_state_.data(),
            elapsed};
  }
  template <class Body>
  void sum(const Body& body) {
    sum_over_lists(exec_, records(), lists_.view(), setup_.grid.period, body);
  }
  const std::uint32_t* living() { return &sources_.population().data()->occupied; }
  RecordsView<D> records() { return {records_.data()}; }
  RecordsView<D, Record4> places() { return {places_.data()}; }

  Setup setup_;
  Field4<D> searched_, middle_, drift_, moves_, began_, landed_;
  Buffer<D, Record8> records_;
  Buffer<D, Record4> places_;
  Buffer<D, WallShare> wall_shares_;
  DeviceValue<D, Substances> substances_;
  SpringStore<D> springs_;
  FreeBodies<D> bodies_;
  TurnOrder turns_;
};

}  // namespace panta::viscoelastic
