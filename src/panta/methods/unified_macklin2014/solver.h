// The solver of Macklin et al. 2014, Algorithm 1: the order of things. The maths is in substep.h,
// velocities.h and constraints/.
#pragma once

#include <memory>

#include "panta/methods/unified_macklin2014/cohesion.h"
#include "panta/methods/unified_macklin2014/constraints/constraint_groups.h"
#include "panta/methods/unified_macklin2014/constraints/contact.h"
#include "panta/methods/unified_macklin2014/constraints/density.h"
#include "panta/methods/unified_macklin2014/method.h"
#include "panta/methods/unified_macklin2014/rigid_bodies.h"
#include "panta/methods/unified_macklin2014/velocities.h"
#include "panta/sim/keep_outside.h"
#include "panta/sim/particle_solver.h"

namespace panta::unified {

template <class D>
class Solver final : public ParticleSolver<D> {
 public:
  Solver(const Scene& scene, const DeviceOptions& options, D exec);

  double particle_mass(std::uint32_t phase) const override { return setup_.substances.mass[phase]; }
  double rest_density(std::uint32_t phase) const override {
    return setup_.substances.rest_density[phase];
  }
  ParticleFrame snapshot() override;

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
  void remake_setup(const Scene& scene) override { setup_ = make_setup(scene); }
  void upload_setup() override;
  void resize(Index slots) override;
  double expected_step() const override { return setup_.params.time_step; }
  void evaluate() override;
  void evaluated() override { Base::undo_sort(); }
  void begin_with(std::size_t first, std::size_t count) override;
  void save_more(State& state, const std::vector<std::size_t>& kept) override;
  void restore_more(const State& state, std::size_t count) override;
  bool exploded(double fastest) const override;
  Error explosion(std::uint32_t id, const Vec3& x, const Vec3& v) const override;

  // The stages of a step, each enqueued on the device.
  void step() override;
  void search();
  void solve();
  void find_density(const FeltWalls<D>& walls, float relaxation, const Allowance& allowance,
                    bool looks_only);
  void solve_density(const Rhythm& now, bool closes);
  void solve_contacts(Rhythm now);
  template <bool Bodies>
  void touch(const Rhythm& now, const ContactParams& contact, const FeltWalls<D>& walls,
             const WallContactRule& rule, bool closes);
  int stabilization_iterations() const;
  void stabilize(int iterations);
  void keep_outside();
  void damp_sliding();
  void pull_together();
  void change_velocities();
  template <bool Spin>
  void smooth_velocities();
  void end_step();

  Substep<D> substep(const Rhythm& now);
  Allowance allowance();
  ContactParams contact_params() const;
  ContactFilter<D> contact_filter() {
    if (!setup_.filtered) return {};
    return {particles_.phase(), substances_.data(),
            start_ < 0 ? Field4View<D>{} : particles_.vector(start_)};
  }
  FeltWalls<D> felt_walls(double elapsed);  // of the step
  FeltWalls<D> felt_walls(const Rhythm& now) {
    return felt_walls((now.substep + 1.0) / now.substeps);
  }
  WallContactRule wall_rule(double distance) {
    const float substep = 1 / static_cast<float>(setup_.rhythm.substeps);
    return {device_state_.data(), static_cast<float>(distance * setup_.spacing), substep, substep,
            rubs()};
  }
  bool rubs() const { return setup_.params.friction_model == FrictionModel::positions; }
  double dt() const { return setup_.params.time_step / setup_.rhythm.substeps; }
  const std::uint32_t* living() { return &sources_.population().data()->occupied; }
  RecordsView<D, Record4> candidates() { return {candidates_.data()}; }
  RecordsView<D, Record4> multipliers() { return {multipliers_.data()}; }
  RecordsView<D> records() { return {records_.data()}; }

  Setup setup_;
  int allowance_ = -1, anchor_ = -1;  // attributes; -1 without liquids, without contacts
  int start_ = -1;                    // where particles started; -1 without rest distances
  Field4<D> searched_, began_, spin_;
  Buffer<D, Record4> candidates_, multipliers_;
  Buffer<D, Record8> records_;
  Buffer<D, float> density_, mobility_;
  Buffer<D, WallShare> wall_shares_;
  DeviceValue<D, Substances> substances_;
  ConstraintGroups<D> ties_;
  RigidBodies<D> bodies_;
};

}  // namespace panta::unified
