// The toy method: the order of a step. The formulas are in kernels.h.
//
// It is an example of what a method can have: columns, a second set of particles with neighbours
// among the scene's particles, and a linear system that is solved in each step.
#pragma once

#include "methods/tracer_toy/kernels.h"
#include "methods/tracer_toy/method.h"
#include "panta/linear/conjugate_gradient.h"
#include "panta/solver/particle_driver.h"

namespace panta::tracer_toy {

struct Setup : ParticleSetup {
  Params params;
  Kernel kernel;
  StepByTravel step_length;
  SolveLimits limits;
};

template <class D>
class Method final : public ParticleMethod<D> {
 public:
  explicit Method(StepKit<D>& kit);

  ParticleSetup& setup() override { return setup_; }
  void change(const Scene& scene) override;
  void resize(Index slots) override;
  void resize_set(ParticleSet<D>& set, Index slots) override;
  void step() override;
  void evaluate() override { find_neighbors(); }
  void read_out(ParticleFrame& frame) override;

 private:
  // The stages of a step, each enqueued on the device.
  void find_neighbors();
  void smooth_velocities();
  void carry_tracers();
  void move_particles();

  Unknowns unknowns() { return {kit_.set.active()}; }
  RecordsView<D> records() { return {records_.data()}; }
  void record_vectors(const D& exec, const float* values);

  StepKit<D>& kit_;
  Setup setup_;
  ParticleSet<D>& tracers_;
  int temperature_ = -1, age_ = -1;  // columns
  Buffer<D, Record8> records_, tracer_records_;
  Buffer<D, float> weights_;
  Buffer<D, float> right_hand_side_, solution_, inverse_diagonal_;
  Field4<D> began_;
  ConjugateGradient<D> gradient_;
};

}  // namespace panta::tracer_toy
