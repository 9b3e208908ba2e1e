// ImplicitViscosity<D>: changes velocities by the viscous force over a step, however viscous the
// liquid is. With a the acceleration by all other forces, L v the viscous force
// (viscous_operator.h) and M the masses, two stages (Alexander 1977, SDIRK2, g = 1 - 1/sqrt 2)
//
//   (M + g dt L) y_1 = M (v + g dt a)
//   (M + g dt L) y_2 = M (v + dt a) - (1-g) dt L y_1
//   v' = v + dt a - dt M^-1 L ((1-g) y_1 + g y_2)
//
// are of second order, damp what is stiff, and leave a flow in which forces balance as it is. The
// last line is evaluated as it stands, so that momentum and angular momentum (about places at the
// start) are kept to rounding, whatever the residual of the solves. Each is by conjugate gradients
// (linear/conjugate_gradient.h), which start from v and from y_1.
//
// Particles that an emitter holds keep their velocity and drag others. Convergence is recorded in
// StepKit::convergence.
#pragma once

#include "panta/linear/conjugate_gradient.h"
#include "panta/neighbors/pair_sum.h"
#include "panta/solver/step_kit.h"
#include "panta/viscosity/viscous_operator.h"

namespace panta {

// A step, in the order of the method's neighbour lists.
template <class D>
struct ViscousStep {
  Field4View<D> place;             // x at the start: pairs pull along the lines between these
  Field4View<D> began;             // v at the start
  Field4View<D> walls_found;       // where walls were looked for; null: at `place`
  const float* weights = nullptr;  // w; null: all weigh 1
  ViscousTime time;
};

namespace detail {

inline constexpr float first_stage = 0.29289322f;  // g

// Right-hand side and first guess of the first stage; `proposed`: v + dt a.
template <class D>
struct PrepareViscousSolve {
  StepGate gate;
  ViscousPairs<D> pairs;
  ViscousTime time;
  Field4View<D> began, proposed;
  const std::uint32_t* living;
  const std::uint32_t* held;
  const float* mass;
  float *right_hand_side, *solution;

  PANTA_HD void operator()(Index i) const {
    if (gate.closed()) return;
    if (static_cast<std::uint32_t>(i) >= *living) {
      set_unknowns(right_hand_side, i, {});
      return set_unknowns(solution, i, {});
    }
    const Vec3 v = began.xyz(i), target = v + (proposed.xyz(i) - v) * first_stage;
    const auto self = pairs.self(i);
    set_unknowns(right_hand_side, i, target * mass[i] + pairs.dragged_by_walls(i, self) * time());
    set_unknowns(solution, i, held && held[i] ? proposed.xyz(i) : v);
  }
};

// velocity -= time L y / M, y in the records; where there is a right-hand side, that of the next
// stage.
template <class D>
struct ApplyViscousForce : ViscousPairs<D> {
  using Base = ViscousPairs<D>;
  StepGate gate;
  ViscousTime time, next_time;
  Field4View<D> velocity;
  const float* inverse_diagonal;
  const float* mass;
  float* right_hand_side;  // may be null

  PANTA_HD void finish(Index i, const typename Base::Self& self,
                       const typename Base::template Sum<float>& sum) const {
    if (gate.closed() || inverse_diagonal[3 * i] == 0) return;
    const Vec3 v = velocity.xyz(i) - this->pulled(i, self, sum, true) * (time() / mass[i]);
    velocity.set_xyz(i, v);
    if (!right_hand_side) return;
    set_unknowns(right_hand_side, i, v * mass[i] + this->dragged_by_walls(i, self) * next_time());
  }
};

}  // namespace detail

template <class D>
class ImplicitViscosity {
 public:
  void set(const ViscositySetup& setup) {
    setup_ = setup;
    if (!setup.implicit) return;
    materials_.set(setup.materials);
    wall_drag_.upload(setup.wall_drag);
  }
  bool used() const { return setup_.implicit; }

  // Allocates for so many slots, if it is used.
  void resize(std::size_t slots) {
    if (!used()) return;
    velocity_.resize(slots);
    began_.resize(slots);
    records_.resize(slots);
    mass_.resize(slots);
    for (Buffer<D, float>* vector : {&right_hand_side_, &solution_, &inverse_diagonal_})
      vector->resize(3 * slots);
    gradient_.reserve(static_cast<Index>(3 * slots));
  }

  // The method puts v + dt a here, and finds v' here.
  Field4View<D> velocity() { return velocity_.view(); }
  // Room for v at the start, for methods that do not keep it.
  Field4View<D> began() { return began_.view(); }

  void solve(StepKit<D>& kit, const ViscousStep<D>& step) {
    const Index n = kit.set.active();
    const ViscousPairs<D> pairs = pairs_of(kit, step);
    const ViscousTime stage = step.time.times(detail::first_stage);
    launch(kit.exec, n,
           RecordViscous<D>{step.place, step.began, step.weights, kit.set.phase(),
                            kit.set.occupied(), materials_.data(), records()});
    sum(kit, kit.exec,
        ViscousDiagonal<D>{pairs, stage, kit.set.phase(), kit.set.occupied(), kit.set.held_by(),
                           materials_.data(), inverse_diagonal_.data(), mass_.data()});
    launch(kit.exec, n,
           detail::PrepareViscousSolve<D>{kit.gate(), pairs, stage, step.began, velocity(),
                                          kit.set.occupied(), kit.set.held_by(), mass_.data(),
                                          right_hand_side_.data(), solution_.data()});
    solve_stage(kit, pairs, stage);
    apply(kit, pairs, step.time.times(1 - detail::first_stage), stage, right_hand_side_.data());
    solve_stage(kit, pairs, stage);
    apply(kit, pairs, stage, stage, nullptr);
  }

 private:
  RecordsView<D> records() { return {records_.data()}; }

  ViscousPairs<D> pairs_of(StepKit<D>& kit, const ViscousStep<D>& step) {
    return {setup_.kernel,
            records(),
            {kit.walls.near(), step.walls_found, wall_drag_.data(), 1 / setup_.kernel.inverse_h}};
  }
  template <class Body>
  void sum(StepKit<D>& kit, const D& exec, const Body& body) {
    sum_over_lists(exec, records(), kit.set.lists.view(), kit.setup->grid.period, body);
  }
  void solve_stage(StepKit<D>& kit, const ViscousPairs<D>& pairs, const ViscousTime& time) {
    const Index n = kit.set.active();
    const auto times = [&](const D& exec, const float* in, float* out) {
      launch(exec, n, RecordUnknowns<D>{in, records()});
      sum(kit, exec, ViscousTimes<D>{pairs, time, inverse_diagonal_.data(), mass_.data(), out});
    };
    const LinearProblem<decltype(times), StepGate> problem{
        .n = 3 * n,
        .apply = times,
        .inverse_diagonal = inverse_diagonal_.data(),
        .b = right_hand_side_.data(),
        .x = solution_.data(),
        .gate = kit.gate()};
    gradient_.solve(kit.exec, problem, setup_.limits, kit.convergence.data());
  }
  void apply(StepKit<D>& kit, const ViscousPairs<D>& pairs, const ViscousTime& time,
             const ViscousTime& next_time, float* right_hand_side) {
    launch(kit.exec, kit.set.active(), RecordUnknowns<D>{solution_.data(), records()});
    sum(kit, kit.exec,
        detail::ApplyViscousForce<D>{pairs, kit.gate(), time, next_time, velocity(),
                                     inverse_diagonal_.data(), mass_.data(), right_hand_side});
  }

  ViscositySetup setup_;
  Field4<D> velocity_, began_;
  Buffer<D, Record8> records_;
  Buffer<D, float> wall_drag_, mass_, right_hand_side_, solution_, inverse_diagonal_;
  DeviceValue<D, ViscousMaterials> materials_;
  ConjugateGradient<D> gradient_;
};

}  // namespace panta
