// The SPH solver of Mueller et al. 2003: the order of things. The maths is in density.h, colour.h,
// forces.h and motion.h.
#pragma once

#include <memory>

#include "panta/methods/sph_mueller2003/density.h"
#include "panta/methods/sph_mueller2003/forces.h"
#include "panta/methods/sph_mueller2003/method.h"
#include "panta/methods/sph_mueller2003/motion.h"
#include "panta/methods/sph_mueller2003/setup.h"
#include "panta/sim/particle_solver.h"

namespace panta::sph {

template <class D>
class Solver final : public ParticleSolver<D> {
 public:
  Solver(const Scene& scene, const DeviceOptions& options, D exec);

  double particle_mass(std::uint32_t phase) const override { return setup_.phases.mass[phase]; }
  double rest_density(std::uint32_t phase) const override {
    return setup_.phases.rest_density[phase];
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
  void remake_setup(const Scene& scene) override;
  void upload_setup() override;
  void resize(Index slots) override;
  double expected_step() const override;
  void evaluate() override { sum_density(); }
  bool exploded(double fastest) const override;
  Error explosion(std::uint32_t id, const Vec3& x, const Vec3& v) const override;
  void follow_sort(Index n) override;
  void begin_with(std::size_t first, std::size_t count) override;
  void save_more(State& state, const std::vector<std::size_t>& kept) override;
  void restore_more(const State& state, std::size_t count) override;

  // The stages of a step, each enqueued on the device.
  void step() override;
  void sum_density();
  void sum_colour();
  void sum_forces();
  template <TensionModel Tension, bool Several>
  void sum_forces_as();
  void move_particles();
  template <bool Bodies>
  void move_among_walls();

  RecordsView<D> records() { return {records_.data()}; }
  WallTable wall_table() const;
  SameFluid same_fluid();

  Setup setup_;
  Buffer<D, Record8> records_;
  Field4<D> acceleration_, normal_;
  Buffer<D, WallEntry> wall_entries_;
  Buffer<D, float> same_;
  DeviceValue<D, Phases> phases_;
};

}  // namespace panta::sph
