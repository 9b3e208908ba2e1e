// The SPH solver of Mueller et al. 2003: the order of a step. The maths is in density.h, colour.h,
// forces.h and motion.h.
#pragma once

#include "panta/methods/sph_mueller2003/density.h"
#include "panta/methods/sph_mueller2003/forces.h"
#include "panta/methods/sph_mueller2003/method.h"
#include "panta/methods/sph_mueller2003/motion.h"
#include "panta/methods/sph_mueller2003/setup.h"
#include "panta/solver/particle_driver.h"
#include "panta/viscosity/implicit_viscosity.h"

namespace panta::sph {

template <class D>
class Method final : public ParticleMethod<D> {
 public:
  explicit Method(StepKit<D>& kit);

  ParticleSetup& setup() override { return setup_; }
  void change(const Scene& scene) override { setup_ = make_setup(scene, &setup_); }
  void upload_setup() override;
  void resize(Index slots) override;
  void step() override;
  void evaluate() override;
  void read_out(ParticleFrame& frame) override;

 private:
  // The stages of a step, each enqueued on the device.
  void sum_density();
  void sum_colour();
  template <bool Weighted>
  void sum_colour_as();
  void sum_forces();
  template <TensionModel Tension>
  void sum_forces_with();
  template <TensionModel Tension, bool Several, bool Weighted>
  void sum_forces_as();
  void diffuse();
  void meet_bodies();
  void move_particles();
  template <bool Bodies>
  void move_among_walls();

  ViscousStep<D> viscous_step() {
    return {.place = kit_.set.position(),
            .began = kit_.set.velocity(),
            .walls_found = {},
            .weights = weighted() ? weights_.data() : nullptr,
            .time = {kit_.clock(), 1, true}};
  }
  bool weighted() const { return kit_.mass >= 0; }  // particles have masses of their own
  RecordsView<D> records() { return {records_.data()}; }
  RecordsView<D> stresses() { return {stresses_.data()}; }
  SymmetricView correction() { return kit_.set.columns.symmetric(correction_); }
  Field4View<D> acceleration() { return kit_.set.columns.vector(acceleration_); }
  // Positions after contact with free bodies; before that, the pressure forces by neighbours.
  Field4View<D> proposed() { return kit_.bodies.empty() ? Field4View<D>{} : proposed_.view(); }
  VelocityAndDensity<D> velocity() { return {kit_.set.velocity()}; }
  Kick<D> kick() {
    return {.gate = kit_.gate(),
            .velocity = velocity(),
            .acceleration = acceleration(),
            .dimensions = setup_.dimensions};
  }
  WallTable<WallEntry> wall_table() const {
    return {wall_entries_.data(), 1.0f / setup_.kernel.h,
            static_cast<float>(reference_sphere) * setup_.kernel.h / (setup_.kernel.dim - 1)};
  }
  SameFluid same_fluid() { return {setup_.several_fluids, kit_.set.phase(), same_.data()}; }

  StepKit<D>& kit_;
  Setup setup_;
  int acceleration_ = -1, correction_ = -1;  // columns
  Buffer<D, Record8> records_, stresses_;
  Field4<D> normal_, proposed_;
  Buffer<D, WallEntry> wall_entries_;
  Buffer<D, float> same_;
  Buffer<D, float> weights_;   // empty unless weighted
  Buffer<D, Record4> places_;  // the same, with weights
  DeviceValue<D, Phases> phases_;
  ImplicitViscosity<D> viscosity_;
};

}  // namespace panta::sph
