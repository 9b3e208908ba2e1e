// ImplicitViscosity<D>: changes velocities by the viscous force over a step, however viscous the
// liquid is. With a the acceleration by all other forces, L v the viscous force
// (viscous_operator.h) and M the masses, two stages (Alexander 1977, SDIRK2, g = 1 - 1/sqrt 2)
//
//   (M + g dt L) y_1 = M (v + g dt a)
//   (M + g dt L) y_2 = M (v + dt a) - (1-g) dt L y_1
//   v' = v + dt a - dt M^-1 L ((1-g) y_1 + g y_2)
//
// are of second order, damp stiff modes, and do not change a flow in which forces balance. The last
// line is evaluated in this form, so that momentum and angular momentum (about places at the
// start) are kept to rounding, whatever the residual of the solves. Each is by conjugate gradients
// (linear/conjugate_gradient.h), which start from v and from y_1.
//
// Particles that an emitter holds keep their velocity and drag others. Free bodies with no-slip
// surfaces are unknowns, too (viscous_bodies.h); push_bodies() gives them their impulses.
// Convergence is recorded in StepKit::convergence.
#pragma once

#include "panta/linear/conjugate_gradient.h"
#include "panta/neighbors/pair_sum.h"
#include "panta/solver/step_kit.h"
#include "panta/viscosity/viscous_bodies.h"

namespace panta {

// A step, in the order of the method's neighbour lists.
template <class D>
struct ViscousStep {
  Field4View<D> place;             // x at the start: pairs pull along the lines between these
  Field4View<D> began;             // v at the start
  Field4View<D> walls_found;       // of the search for walls; null: at `place`
  const float* weights = nullptr;  // w; null: all weigh 1
  ViscousTime time;
  bool first = true;         // of the solves of a step
  bool in_substeps = false;  // bodies deviate from the step's path (bodies/body_substeps.h)
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

// velocity -= time L y / M, y in the records.
template <class D>
struct ApplyViscousForce : ViscousPairs<D> {
  using Base = ViscousPairs<D>;
  struct Arguments {
    StepGate gate;
    ViscousTime time;
    Field4View<D> velocity;
    const float* inverse_diagonal;
    const float* mass;
    Vec3* impulses;  // by particle and contact; null: there are no free bodies
    bool clears;     // impulses, first
  } in;

  PANTA_HD void finish(Index i, const typename Base::Self& self,
                       const typename Base::template Sum<float>& sum) const {
    if (in.gate.closed()) return;
    Vec3* const mine = in.impulses ? in.impulses + i * ContactSet::most : nullptr;
    for (int k = 0; mine && in.clears && k < ContactSet::most; ++k) mine[k] = {};
    const Vec3 pull = this->pulled(i, self, sum, true, [&](Index k, const Vec3& by_body) {
      if (mine) mine[k] -= by_body * in.time();
    });
    if (in.inverse_diagonal[3 * i] == 0) return;
    in.velocity.set_xyz(i, in.velocity.xyz(i) - pull * (in.time() / in.mass[i]));
  }
};

// Right-hand side of the second stage; the first guess is the solution of the first.
template <class D>
struct PrepareSecondStage {
  StepGate gate;
  ViscousPairs<D> pairs;
  ViscousTime time;
  Field4View<D> velocity;
  const float* mass;
  float* right_hand_side;

  PANTA_HD void operator()(Index i) const {
    if (gate.closed()) return;
    set_unknowns(right_hand_side, i,
                 velocity.xyz(i) * mass[i] + pairs.dragged_by_walls(i, pairs.self(i)) * time());
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

  // Allocates for so many slots, if implicit viscosity is used.
  void resize(std::size_t slots, const StepKit<D>& kit) {
    if (!used()) return;
    velocity_.resize(slots);
    began_.resize(slots);
    records_.resize(slots);
    mass_.resize(slots);
    const std::size_t bodies = kit.bodies.size(), unknowns = 3 * slots + 6 * bodies;
    for (Buffer<D, float>* vector : {&right_hand_side_, &solution_, &inverse_diagonal_})
      vector->resize(unknowns);
    gradient_.reserve(static_cast<Index>(unknowns));
    if (bodies == 0) return;
    const auto chunks = static_cast<std::size_t>(chunks_of(static_cast<Index>(slots)));
    impulses_.resize(slots * ContactSet::most);
    changes_.resize(bodies);
    body_starts_.resize(bodies);
    chunk_hits_.resize(chunks);
    sums_.resize(chunks * bodies);
  }

  // Input v + dt a of the method, output v'.
  Field4View<D> velocity() { return velocity_.view(); }
  // Room for v at the start, for methods that do not keep it.
  Field4View<D> began() { return began_.view(); }

  void solve(StepKit<D>& kit, const ViscousStep<D>& step) {
    const Index n = kit.set.active();
    if (step.first) start_bodies(kit, step);
    const ViscousTime stage = step.time.times(detail::first_stage);
    launch(kit.exec, n,
           RecordViscous<D>{.place = step.place,
                            .velocity = step.began,
                            .weights = step.weights,
                            .phase = kit.set.phase(),
                            .living = kit.set.occupied(),
                            .materials = materials_.data(),
                            .records = records()});
    const ViscousPairs<D> pairs = pairs_of(kit, step, nullptr, 0);
    sum(kit, kit.exec,
        ViscousDiagonal<D>{pairs,
                           {.time = stage,
                            .phase = kit.set.phase(),
                            .living = kit.set.occupied(),
                            .held = kit.set.held_by(),
                            .materials = materials_.data(),
                            .inverse_diagonal = inverse_diagonal_.data(),
                            .mass = mass_.data()}});
    sum_bodies(kit, kit.exec, pairs, stage, {.rows = BodyRows::diagonal});
    launch(kit.exec, n,
           detail::PrepareViscousSolve<D>{.gate = kit.gate(),
                                          .pairs = pairs,
                                          .time = stage,
                                          .began = step.began,
                                          .proposed = velocity(),
                                          .living = kit.set.occupied(),
                                          .held = kit.set.held_by(),
                                          .mass = mass_.data(),
                                          .right_hand_side = right_hand_side_.data(),
                                          .solution = solution_.data()});
    sum_bodies(kit, kit.exec, pairs, stage,
               {.rows = BodyRows::walls,
                .out = tail(right_hand_side_, n),
                .solution = tail(solution_, n)});
    solve_stage(kit, step, stage);
    apply(kit, step, step.time.times(1 - detail::first_stage), 0);
    prepare_second_stage(kit, step, stage);
    solve_stage(kit, step, stage);
    apply(kit, step, stage, 1);
    ViscousStep<D> next = step;
    next.first = false;
    start_bodies(kit, next);
  }

  // Applies the impulses of the step's solve to free bodies.
  void push_bodies(StepKit<D>& kit, const ViscousStep<D>& step) {
    if (!used() || kit.bodies.empty()) return;
    kit.bodies.take_wall_forces(kit.exec, kit.gate(),
                                BodyDrag<D>{.walls = pairs_of(kit, step, nullptr, 1).walls,
                                            .place = step.place,
                                            .impulses = impulses_.data(),
                                            .living = kit.set.occupied(),
                                            .state = kit.clock(),
                                            .unit_mass = static_cast<float>(setup_.unit_mass)},
                                kit.set.active(), kit.walls);
  }
  // The same at the end of a substep.
  void push_bodies(StepKit<D>& kit, const ViscousStep<D>& step, int substeps,
                   const BodySubstepEnd& now) {
    if (kit.bodies.empty()) return;
    kit.bodies.push_in_substep(
        kit.exec, kit.gate(), substeps, now,
        BodyDragInSubstep<D>{.walls = pairs_of(kit, step, nullptr, 1).walls,
                             .place = step.place,
                             .impulses = impulses_.data(),
                             .living = kit.set.occupied(),
                             .time = step.time,
                             .unit_mass = static_cast<float>(setup_.unit_mass)},
        kit.set.active(), kit.walls);
  }

 private:
  struct BodyPass {
    BodyRows rows;
    const float* in = nullptr;
    float *out = nullptr, *solution = nullptr;
  };

  RecordsView<D> records() { return {records_.data()}; }
  // The unknowns of free bodies behind those of n particles.
  static float* tail(Buffer<D, float>& vector, Index n) { return vector.data() + 3 * n; }

  ViscousPairs<D> pairs_of(StepKit<D>& kit, const ViscousStep<D>& step, const float* changes,
                           int stage) {
    return {.kernel = setup_.kernel,
            .records = records(),
            .walls = {.near = kit.walls.near(),
                      .found = step.walls_found,
                      .drag = wall_drag_.data(),
                      .h = 1 / setup_.kernel.inverse_h,
                      .specs = kit.bodies.device_specs(),
                      .states = kit.bodies.starts(),
                      .changes = changes,
                      .body_starts = body_starts_.data(),
                      .deviations = step.in_substeps ? kit.bodies.deviations() : nullptr,
                      .progress = stage == 0 ? detail::first_stage : 1.0f}};
  }
  void start_bodies(StepKit<D>& kit, const ViscousStep<D>& step) {
    if (kit.bodies.empty()) return;
    launch(kit.exec, static_cast<Index>(kit.bodies.size()),
           StartBodies{.gate = kit.gate(),
                       .specs = kit.bodies.device_specs(),
                       .states = kit.bodies.starts(),
                       .ends = kit.bodies.ends(),
                       .deviations = step.in_substeps ? kit.bodies.deviations() : nullptr,
                       .changes = changes_.data(),
                       .first = step.first,
                       .starts = body_starts_.data()});
  }
  template <class Body>
  void sum(StepKit<D>& kit, const D& exec, const Body& body) {
    sum_over_lists(exec, records(), kit.set.lists.view(), kit.setup->grid.period, body);
  }
  void sum_bodies(StepKit<D>& kit, const D& exec, const ViscousPairs<D>& pairs,
                  const ViscousTime& time, const BodyPass& pass) {
    if (kit.bodies.empty()) return;
    const Index n = kit.set.active(), chunks = chunks_of(n);
    const Index bodies = static_cast<Index>(kit.bodies.size());
    launch_teams(exec, chunks, hits_per_chunk,
                 SumBodyRows<D>{.pairs = pairs,
                                .time = time,
                                .rows = pass.rows,
                                .gate = kit.gate(),
                                .living = kit.set.occupied(),
                                .particles = n,
                                .bodies = static_cast<int>(bodies),
                                .chunk_hits = chunk_hits_.data(),
                                .sums = sums_.data()});
    launch_teams(exec, bodies, chunks,
                 EndBodyRows{.rows = pass.rows,
                             .gate = kit.gate(),
                             .specs = kit.bodies.device_specs(),
                             .states = kit.bodies.starts(),
                             .chunk_hits = chunk_hits_.data(),
                             .sums = sums_.data(),
                             .chunks = chunks,
                             .bodies = static_cast<int>(bodies),
                             .unit_mass = setup_.unit_mass,
                             .changes = changes_.data(),
                             .in = pass.in,
                             .out = pass.out,
                             .inverse_diagonal = tail(inverse_diagonal_, n),
                             .solution = pass.solution});
  }
  void solve_stage(StepKit<D>& kit, const ViscousStep<D>& step, const ViscousTime& time) {
    const Index n = kit.set.active();
    const auto times = [&](const D& exec, const float* in, float* out) {
      const ViscousPairs<D> pairs = pairs_of(kit, step, in + 3 * n, 1);
      launch(exec, n, RecordUnknowns<D>{in, records()});
      sum(kit, exec, ViscousTimes<D>{pairs, time, inverse_diagonal_.data(), mass_.data(), out});
      sum_bodies(kit, exec, pairs, time,
                 {.rows = BodyRows::times, .in = in + 3 * n, .out = out + 3 * n});
    };
    const LinearProblem<decltype(times), StepGate> problem{
        .n = 3 * n + 6 * static_cast<Index>(kit.bodies.size()),
        .apply = times,
        .inverse_diagonal = inverse_diagonal_.data(),
        .b = right_hand_side_.data(),
        .x = solution_.data(),
        .gate = kit.gate()};
    gradient_.solve(kit.exec, problem, setup_.limits, kit.convergence.data());
  }
  // Velocities change by the viscous force of a stage's solution.
  void apply(StepKit<D>& kit, const ViscousStep<D>& step, const ViscousTime& time, int stage) {
    const Index n = kit.set.active();
    const ViscousPairs<D> pairs = pairs_of(kit, step, tail(solution_, n), stage);
    launch(kit.exec, n, RecordUnknowns<D>{solution_.data(), records()});
    sum_bodies(kit, kit.exec, pairs, time, {.rows = BodyRows::force});
    sum(kit, kit.exec,
        detail::ApplyViscousForce<D>{pairs,
                                     {.gate = kit.gate(),
                                      .time = time,
                                      .velocity = velocity(),
                                      .inverse_diagonal = inverse_diagonal_.data(),
                                      .mass = mass_.data(),
                                      .impulses = kit.bodies.empty() ? nullptr : impulses_.data(),
                                      .clears = stage == 0}});
  }
  void prepare_second_stage(StepKit<D>& kit, const ViscousStep<D>& step, const ViscousTime& time) {
    const Index n = kit.set.active();
    const ViscousPairs<D> pairs = pairs_of(kit, step, nullptr, 1);
    launch(kit.exec, n,
           detail::PrepareSecondStage<D>{.gate = kit.gate(),
                                         .pairs = pairs,
                                         .time = time,
                                         .velocity = velocity(),
                                         .mass = mass_.data(),
                                         .right_hand_side = right_hand_side_.data()});
    sum_bodies(kit, kit.exec, pairs, time,
               {.rows = BodyRows::walls, .out = tail(right_hand_side_, n)});
  }

  ViscositySetup setup_;
  Field4<D> velocity_, began_;
  Buffer<D, Record8> records_;
  Buffer<D, float> wall_drag_, mass_, right_hand_side_, solution_, inverse_diagonal_;
  DeviceValue<D, ViscousMaterials> materials_;
  Buffer<D, Vec3> impulses_;
  Buffer<D, ViscousBodyChange> changes_;
  Buffer<D, ViscousBodyStart> body_starts_;
  Buffer<D, ViscousBodySum> sums_;
  Buffer<D, double> chunk_hits_;
  ConjugateGradient<D> gradient_;
};

}  // namespace panta
