#include "methods/tracer_toy/solver.h"

#include "methods/tracer_toy/columns.h"
#include "panta/core/make_exec.h"
#include "panta/neighbors/pair_sum.h"

namespace panta::tracer_toy {

namespace {

constexpr double travel = 0.4;     // spacings, in a step
constexpr double shortest = 0.1;   // time steps
constexpr double clearance = 0.1;  // spacings, from walls

Setup make_setup(const Scene& scene, const Setup* before = nullptr) {
  Setup s;
  s.params = make_parameters<Params>(scene.solver);
  const double support = s.params.support * scene.spacing;
  static_cast<ParticleSetup&>(s) = make_particle_setup(scene, support, before);
  s.kernel = {static_cast<float>(support), static_cast<float>(1 / support)};
  s.step_length = {s.params.time_step, shortest * s.params.time_step, travel * s.spacing};
  s.limits.tolerance = s.params.tolerance;
  s.limits.iterations = static_cast<std::uint32_t>(s.params.iterations);
  s.usual_step = s.params.time_step;
  s.remedy = "shorten solver.time_step";
  s.on_failure = s.params.on_failure;
  return s;
}

template <class D>
ParticleSet<D>& add_set(StepKit<D>& kit, const char* name) {
  ParticleSet<D>& set = kit.more_sets.emplace_back();
  set.name = name;
  return set;
}

}  // namespace

template <class D>
Method<D>::Method(StepKit<D>& kit)
    : kit_(kit), setup_(make_setup(kit.scene)), tracers_(add_set(kit, "tracers")) {
  kit_.declare(columns(&kit_.scene));
  temperature_ = kit_.set.columns.find(temperature_column().name);
  age_ = tracers_.columns.declare(age_column());
  std::vector<Vec3> places;
  const auto every = static_cast<std::size_t>(setup_.params.tracer_every);
  for (std::size_t i = 0; i < kit.start.size(); i += every) places.push_back(kit.start.position[i]);
  tracers_.columns.add(places, std::vector<Vec3>(places.size()),
                       std::vector<std::uint32_t>(places.size(), 0));
  tracers_.some_gone = true;  // sinks remove tracers, too
}

template <class D>
void Method<D>::change(const Scene& scene) {
  Setup changed = make_setup(scene, &setup_);
  if (changed.params.tracer_every != setup_.params.tracer_every)
    throw Error(ErrorKind::usage,
                std::string("'solver.tracer_every' cannot change during a run: start a new one"));
  setup_ = std::move(changed);
}

template <class D>
void Method<D>::resize(Index slots) {
  const auto size = static_cast<std::size_t>(slots);
  records_.resize(size);
  weights_.resize(size);
  began_.resize(size);
  for (Buffer<D, float>* vector : {&right_hand_side_, &solution_, &inverse_diagonal_})
    vector->resize(3 * size);
  gradient_.reserve(3 * slots);
}

template <class D>
void Method<D>::resize_set(ParticleSet<D>&, Index slots) {
  tracer_records_.resize(static_cast<std::size_t>(slots));
}

template <class D>
void Method<D>::step() {
  kit_.begin_step(setup_.step_length);
  const auto fresh = static_cast<std::uint32_t>(setup_.params.new_tracers);
  launch(kit_.exec, 1,
         PlanTracers{tracers_.population.data(), fresh, kit_.room(tracers_.slots_room)});
  kit_.sort(kit_.set.position());
  tracers_.sort(kit_.exec, tracers_.position(), &kit_.clock()->invalid);
  kit_.timer.mark(kit_.exec, "sort");
  find_neighbors();
  tracers_.lists.build(kit_.exec, kit_.set.grid.view(), kit_.set.position(), tracers_.position(),
                       tracers_.active(), false, setup_.kernel.h, NoSum{});
  kit_.timer.mark(kit_.exec, "lists");
  smooth_velocities();
  kit_.timer.mark(kit_.exec, "smoothing");
  carry_tracers();
  move_particles();
  kit_.timer.mark(kit_.exec, "motion");
}

template <class D>
void Method<D>::find_neighbors() {
  kit_.set.lists.build(kit_.exec, kit_.set.grid.view(), kit_.set.position(), kit_.set.position(),
                       kit_.set.active(), true, setup_.kernel.h,
                       SumWeights{setup_.kernel, weights_.data()});
}

template <class D>
void Method<D>::record_vectors(const D& exec, const float* values) {
  launch(exec, kit_.set.active(),
         RecordVectors<D>{unknowns(), kit_.set.position(), values, records()});
}

// Stores the smoothed velocities in the records.
template <class D>
void Method<D>::smooth_velocities() {
  const Index n = kit_.set.active();
  const float rate = static_cast<float>(setup_.params.smoothing);
  launch(kit_.exec, n,
         PrepareSolve<D>{.gate = kit_.gate(),
                         .unknowns = unknowns(),
                         .position = kit_.set.position(),
                         .velocity = kit_.set.velocity(),
                         .weights = weights_.data(),
                         .right_hand_side = right_hand_side_.data(),
                         .solution = solution_.data(),
                         .inverse_diagonal = inverse_diagonal_.data(),
                         .rate = rate,
                         .surroundings = kit_.surroundings(),
                         .dimensions = setup_.dimensions,
                         .living = kit_.set.occupied(),
                         .held = kit_.set.held_by()});
  const auto times = [&](const D& exec, const float* in, float* out) {
    record_vectors(exec, in);
    sum_over_lists(exec, records(), kit_.set.lists.view(), setup_.grid.period,
                   SmoothingTimes<D>{.kernel = setup_.kernel,
                                     .unknowns = unknowns(),
                                     .records = records(),
                                     .state = kit_.clock(),
                                     .rate = rate,
                                     .out = out});
  };
  const LinearProblem<decltype(times), StepGate> problem{
      .n = 3 * n,
      .apply = times,
      .inverse_diagonal = inverse_diagonal_.data(),
      .b = right_hand_side_.data(),
      .x = solution_.data(),
      .gate = kit_.gate()};
  gradient_.solve(kit_.exec, problem, setup_.limits, kit_.convergence.data());
  record_vectors(kit_.exec, solution_.data());
}

template <class D>
void Method<D>::carry_tracers() {
  const RecordsView<D> places{tracer_records_.data()};
  launch(kit_.exec, tracers_.active(), RecordPlaces<D>{tracers_.position(), places});
  sum_over_lists(kit_.exec, places, records(), tracers_.lists.view(), setup_.grid.period,
                 CarryTracers<D>{.gate = kit_.gate(),
                                 .kernel = setup_.kernel,
                                 .records = records(),
                                 .position = tracers_.position(),
                                 .velocity = tracers_.velocity(),
                                 .age = tracers_.columns.scalars(age_),
                                 .population = tracers_.population.data(),
                                 .space = setup_.space(),
                                 .sinks = kit_.sources.sinks()});
  launch(kit_.exec, 1,
         AddTracers<D>{.gate = kit_.gate(),
                       .population = tracers_.population.data(),
                       .count = static_cast<std::uint32_t>(setup_.params.new_tracers),
                       .place = to_float(setup_.params.tracer_source),
                       .tracers = tracers_.columns.new_particles(),
                       .position = tracers_.position(),
                       .id = tracers_.id()});
}

template <class D>
void Method<D>::move_particles() {
  ParticleSet<D>& set = kit_.set;
  launch(kit_.exec, set.active(), CopyField<D>{set.position(), began_.view()});
  sum_over_lists(kit_.exec, records(), set.lists.view(), setup_.grid.period,
                 MoveParticles<D>{.gate = kit_.gate(),
                                  .records = records(),
                                  .spacing = static_cast<float>(setup_.spacing),
                                  .share = static_cast<float>(setup_.params.relaxation),
                                  .cooling = static_cast<float>(setup_.params.cooling),
                                  .position = set.position(),
                                  .velocity = set.velocity(),
                                  .temperature = set.columns.scalars(temperature_),
                                  .living = set.occupied(),
                                  .held = set.held_by()});
  kit_.keep_outside(began_.view(), setup_.spacing, clearance * setup_.spacing);
  kit_.end_step(kit_.leave_step(setup_.space()));
}

template <class D>
void Method<D>::read_out(ParticleFrame& frame) {
  auto& crowding = frame.scalars(crowding_column().name);
  crowding = weights_.download(frame.size());
}

template <class D>
std::unique_ptr<Solver> make_solver(const Scene& scene, const DeviceOptions& options) {
  return make_particle_solver<Method>(scene, options, make_exec<D>(options.threads));
}

template std::unique_ptr<Solver> make_solver<PANTA_DEVICE>(const Scene&, const DeviceOptions&);

}  // namespace panta::tracer_toy
