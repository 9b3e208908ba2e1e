#include "panta/methods/viscoelastic_clavet2005/solver.h"

#include "panta/core/make_exec.h"

namespace panta::viscoelastic {

namespace {

constexpr double explosion_supports = 100;  // farther in a step is no simulation any more
constexpr double most_move = 0.5;           // supports, that relaxation moves a particle at once
constexpr double body_distance = 0.5;       // spacings, between particles and free bodies
constexpr int coupling_turns = 4;
constexpr float touching_distance = 0.75f;  // spacings, from no-slip walls: the first layer
constexpr double row_reserve = 1.2;         // beyond the neighbours of a lattice

bool has_springs(const Scene& scene) {
  const auto tied = [](const Scene& s) {
    return std::any_of(s.materials.begin(), s.materials.end(),
                       [](const Material& m) { return m.viscoelastic.springs > 0; });
  };
  return tied(scene) || std::any_of(scene.events.begin(), scene.events.end(),
                                    [&](const Event& e) { return e.changed && tied(*e.changed); });
}

}  // namespace

template <class D>
Solver<D>::Solver(const Scene& scene, const DeviceOptions& options, D exec)
    : Base(scene, options, exec), setup_(make_setup(scene)) {
  check_relaxation();
  if (has_springs(scene)) springs_.declare(particles_);
  Base::start(sample_scene(scene));
}

template <class D>
void Solver<D>::check_relaxation() const {
  if (D::kind == DeviceKind::cuda && setup_.params.relaxation != Relaxation::gather)
    throw Error(
        ErrorKind::usage,
        std::string("viscoelastic: solver.relaxation coloured and sequential run on the CPU "
                    "only; choose --device cpu or gather"));
}

template <class D>
void Solver<D>::remake_setup(const Scene& scene) {
  setup_ = make_setup(scene);
  check_relaxation();
  if (setup_.springs && !springs_.used())
    throw Error(ErrorKind::usage,
                std::string("viscoelastic: springs can only be given to a material whose scene, or "
                            "one of its events, had them at the start"));
}

template <class D>
void Solver<D>::upload_setup() {
  wall_shares_.upload(setup_.wall_shares);
  substances_.set(setup_.substances);
  if (!setup_.bodies.specs.empty()) bodies_.set(setup_.bodies);
}

template <class D>
void Solver<D>::resize(Index slots) {
  const std::size_t size = static_cast<std::size_t>(slots);
  searched_.resize(size);
  middle_.resize(size);
  drift_.resize(size);
  records_.resize(size);
  places_.resize(size);
  if (walls_.have_bodies()) began_.resize(size);
  if (!bodies_.empty()) {
    landed_.resize(size);
    bodies_.reserve(slots);
  }
  if (!springs_.used()) return;
  moves_.resize(size);
  const double neighbors = expected_neighbors(setup_.params.support, setup_.dimensions);
  springs_.resize(size, static_cast<std::uint32_t>(row_reserve * neighbors) + 4);
  set_row_capacity();
}

template <class D>
void Solver<D>::set_row_capacity() {
  state_.row_capacity = springs_.capacity();
  state_.longest_row = 0;
  device_state_.set(state_);
}

template <class D>
void Solver<D>::lengthen_rows(std::uint32_t longest) {
  springs_.resize(springs_.rows(), longest + longest / 4);
  set_row_capacity();
  Base::forget_recording();
}

template <class D>
bool Solver<D>::exploded(double fastest) const {
  return !(fastest * setup_.params.time_step < explosion_supports * setup_.support);
}

template <class D>
Error Solver<D>::explosion(std::uint32_t id, const Vec3& x, const Vec3& v) const {
  return viscoelastic::explosion(state_, id, x, v);
}

template <class D>
void Solver<D>::step() {
  timer_.start(exec_);
  StepState* const now = device_state_.data();
  launch(exec_, 1, PlanStep<StepByTravel>{now, setup_.step_length});
  sources_.begin_step(exec_, particles_, held(), &now->time, &now->done);
  walls_.update_poses(exec_, &now->time, &now->dt);
  if (!bodies_.empty())
    bodies_.begin_step(
        exec_, gate(),
        {to_double(setup_.gravity), fields_.data(), static_cast<int>(fields_.size())}, walls_);
  search();
  if (setup_.viscous) slow_approach();
  launch(exec_, active(), Advance<D>{now, particles_.position(), drift_.view(), places()});
  timer_.mark(exec_, "viscosity");
  if (springs_.used()) pull_springs();
  timer_.mark(exec_, "springs");
  setup_.params.relaxation == Relaxation::gather ? relax() : relax_in_turn();
  timer_.mark(exec_, "relaxation");
  if (!bodies_.empty()) move_bodies();
  timer_.mark(exec_, "bodies");
  end_step();
  timer_.mark(exec_, "motion");
}

// Sorts by where particles would be at the end of the step, and finds neighbours there and walls on
// the way.
template <class D>
void Solver<D>::search() {
  const StepState* const now = device_state_.data();
  launch(exec_, active(), PlaceForSearch<D>{set_out(), searched_.view()});
  Base::sort_particles(searched_.view());
  launch(exec_, active(),
         OpenStep<D>{{set_out(), searched_.view()}, middle_.view(), drift_.view(), records()});
  timer_.mark(exec_, "sort");
  const auto build = [&](const auto& body) {
    lists_.build(exec_, grid_.view(), searched_.view(), searched_.view(), active(), true,
                 setup_.kernel.h, body);
  };
  setup_.viscous ? build(FindMostViscosity<D>{setup_.kernel, setup_.most_viscosity, records()})
                 : build(NoSum{});
  order_turns();
  if (walls_.have_bodies())
    launch(exec_, active(), CopyField<D>{particles_.position(), began_.view()});
  walls_.find_contacts(exec_, particles_.position(), middle_.view(), particles_.phase(), active(),
                       &now->dt, static_cast<float>(setup_.spacing), setup_.kernel.h);
  timer_.mark(exec_, "lists");
}

template <class D>
void Solver<D>::slow_approach() {
  const auto pass = [&]<bool Several>(const ViscousPass& now) {
    sum(SlowApproach<D, Several>{setup_.kernel, records(), places(), drift_.view(),
                                 device_state_.data(), now, particles_.phase(), held(),
                                 substances_.data()});
  };
  const auto& passes = setup_.viscous_passes;
  for (std::size_t k = 0; k < passes.size(); ++k) {
    if (k > 0) launch(exec_, active(), RecordDrift<D>{drift_.view(), records(), places()});
    setup_.several || setup_.unequally_viscous ? pass.template operator()<true>(passes[k])
                                               : pass.template operator()<false>(passes[k]);
  }
}

template <class D>
void Solver<D>::pull_springs() {
  const SpringView<D> springs = springs_.view(particles_);
  const Vec3 period = setup_.grid.period;
  const SpringPass pass{
      setup_.kernel.h,      setup_.kernel.inverse_h, 1 / static_cast<float>(setup_.spring_passes),
      setup_.springs_borne, Periodicity::of(period), period.x > 0 || period.y > 0 || period.z > 0};
  launch(exec_, static_cast<Index>(springs_.rows()), ForgetSlots<D>{springs});
  launch(exec_, active(),
         FindOwners<D>{springs, places(), pass, records(), particles_.id(), particles_.phase(),
                       living()});
  launch_uneven(exec_, active(), list_block,
                AdjustSprings<D>{springs, pass, records(), particles_.id(), particles_.phase(),
                                 living(), substances_.data(), gate(), moves_.view()});
  // Where particles stand when springs are adjusted; the search is done with it.
  launch(exec_, active(), KeepPlaces<D>{places(), searched_.view()});
  sum(AddSprings<D>{springs, pass, records(), particles_.phase(), living(), substances_.data(),
                    gate(), device_state_.data(), moves_.view(), places()});
  for (int k = 1; k < setup_.spring_passes; ++k) {
    launch(exec_, active(), RecordPlaces<D>{springs, pass, places(), records(), living()});
    launch_uneven(exec_, active(), list_block,
                  PullSprings<D>{springs, pass, records(), particles_.phase(), living(),
                                 substances_.data(), gate(), places()});
  }
}

template <class D>
void Solver<D>::find_pressures(float elapsed) {
  sum_over_lists(exec_, places(), lists_.view(), setup_.grid.period,
                 FindPressures<D>{setup_.kernel, setup_.crowding, felt_walls(elapsed), places(),
                                  records(), particles_.phase(), held(), substances_.data()});
}

template <class D>
void Solver<D>::relax() {
  find_pressures(1);
  const auto move = [&]<bool Several>() {
    sum(Relax<D, Several>{setup_.kernel, felt_walls(1), records(), places(), device_state_.data(),
                          held(), static_cast<float>(most_move * setup_.support),
                          &springs_.book()->clamped_now});
  };
  setup_.several ? move.template operator()<true>() : move.template operator()<false>();
}

// In the places for which the lists are.
template <class D>
void Solver<D>::order_turns() {
  if constexpr (D::kind == DeviceKind::cpu) {
    if (setup_.params.relaxation == Relaxation::sequential)
      turns_.make_sequential(particles_.id(), active());
    if (setup_.params.relaxation == Relaxation::coloured)
      turns_.make_coloured(searched_.view(), particles_.id(), active(), setup_.kernel.h,
                           setup_.grid.period, setup_.grid.period_origin);
  }
}

template <class D>
void Solver<D>::relax_in_turn() {
  if constexpr (D::kind == DeviceKind::cpu) {
    if (gate().closed()) return;
    turns_.run(
        exec_, device_state_.data()->steps,
        RelaxInTurn{setup_.kernel, felt_walls(1), places(), lists_.view(),
                    Periodicity::of(setup_.grid.period), particles_.phase(), held(),
                    substances_.data(), static_cast<float>(device_state_.data()->dt),
                    static_cast<float>(most_move * setup_.support), &springs_.book()->clamped_now});
  }
}

// Particles and bodies push each other, then bodies each other (Algorithm 6).
template <class D>
void Solver<D>::move_bodies() {
  const float radius = static_cast<float>(body_distance * setup_.spacing);
  launch(exec_, active(), Land<D>{places(), particles_.position(), landed_.view()});
  bodies_.couple(exec_, gate(),
                 {particles_.position(), landed_.view(), particles_.phase(),
                  substances_.data()->mass, living(), held(), radius, active(),
                  static_cast<float>(setup_.params.stick_distance * setup_.spacing)},
                 walls_, coupling_turns);
  bodies_.resolve(exec_, gate(), walls_);
  launch(exec_, active(), LandAgain<D>{landed_.view(), places()});
}

template <class D>
void Solver<D>::end_step() {
  StepState* const now = device_state_.data();
  const float spacing = static_cast<float>(setup_.spacing);
  const float distance = static_cast<float>(setup_.params.collision_distance) * spacing;
  const WallRule rule{distance, static_cast<float>(setup_.params.stick_distance) * spacing,
                      touching_distance * spacing};
  launch(exec_, active(),
         EndStep<D>{gate(),
                    felt_walls(1),
                    {walls_.at_end(), walls_.felt_by(particles_.phase()), setup_.sticky,
                     rule.distance + rule.stick_distance},
                    rule,
                    setup_.params.velocity_update == VelocityUpdate::leapfrog,
                    static_cast<float>(setup_.params.max_speed),
                    particles_.position(),
                    particles_.velocity(),
                    drift_.view(),
                    places(),
                    held()});
  if (walls_.have_bodies())
    launch(exec_, active(),
           KeepOutside<D>{walls_.moving(), walls_.felt_by(particles_.phase()), began_.view(),
                          particles_.position(), particles_.velocity(), spacing, distance, gate(),
                          living(), held()});
  if (springs_.used())
    launch(exec_, active(),
           KeepRows<D>{springs_.view(particles_), searched_.view(), particles_.phase(), living(),
                       substances_.data(), gate()});
  launch_maxima<2>(exec_, active(),
                   LeaveStep<D>{gate(), particles_.position(), particles_.velocity(),
                                setup_.space(), sources_.population().data(),
                                sources_.emitters().specs, held(), sources_.sinks()},
                   &now->now_fastest);
  launch(exec_, 1, FinishStep{now, gate().longest_list, gate().capacity});
  launch(exec_, 1, CloseBook{springs_.book(), now});
  sources_.end_step(exec_, &now->time, &now->dt, &now->completed);
}

template <class D>
std::unique_ptr<Simulation> make_solver(const Scene& scene, const DeviceOptions& options) {
  return std::make_unique<Solver<D>>(scene, options, make_exec<D>(options.threads));
}

template class Solver<PANTA_DEVICE>;
template std::unique_ptr<Simulation> make_solver<PANTA_DEVICE>(const Scene&, const DeviceOptions&);

}  // namespace panta::viscoelastic
