#include "panta/methods/viscoelastic_clavet2005/solver.h"

#include "panta/core/fill_array.h"
#include "panta/core/make_exec.h"
#include "panta/core/resize_all.h"
#include "panta/methods/viscoelastic_clavet2005/readout_impl.h"
#include "panta/methods/viscoelastic_clavet2005/relax_impl.h"
#include "panta/particles/standard_columns.h"

namespace panta::viscoelastic {

namespace {

constexpr double body_distance = 0.5;       // spacings, between particles and free bodies
constexpr float touching_distance = 0.75f;  // spacings, from walls: the first layer
constexpr double row_reserve = 1.2;         // beyond the neighbours of a lattice

}  // namespace

template <class D>
Method<D>::Method(StepKit<D>& kit) : kit_(kit), setup_(make_setup(kit.scene)) {
  check_relaxation();
  kit_.declare(columns(&kit_.scene));
  stress_error_ = kit_.set.columns.find(stress_error_column().name);
  springs_.find_columns(kit_.set.columns);
  row_room_ = kit_.add_room(
      [this](std::uint32_t needed) { springs_.resize(springs_.rows(), needed + needed / 4); });
  kit_.saved.push_back({[this](State& state, const std::vector<std::size_t>& kept) {
                          springs_.save(state, kit_.set.columns, kept);
                        },
                        [this](const State& state) { springs_.restore(state, kit_.set.columns); }});
}

template <class D>
void Method<D>::check_relaxation() const {
  if (D::kind == DeviceKind::cuda && setup_.params.relaxation != Relaxation::gather)
    throw Error(
        ErrorKind::usage,
        std::string("viscoelastic: solver.relaxation coloured and sequential run on the CPU "
                    "only; choose --device cpu or gather"));
}

template <class D>
void Method<D>::change(const Scene& scene) {
  setup_ = make_setup(scene, &setup_);
  check_relaxation();
  if (setup_.springs && !springs_.used())
    throw Error(ErrorKind::usage,
                std::string("viscoelastic: springs can only be given to a material whose scene, or "
                            "one of its events, had them at the start"));
}

template <class D>
void Method<D>::upload_setup() {
  wall_liquid_.upload(setup_.wall_liquid);
  substances_.set(setup_.substances);
  viscosity_.set(setup_.viscosity);
}

template <class D>
void Method<D>::resize(Index slots) {
  const std::size_t size = static_cast<std::size_t>(slots);
  resize_all(size, searched_, middle_, drift_, records_, places_);
  viscosity_.resize(size, kit_);
  if (setup_.chosen_steps) corrections_.resize(size);
  if (kit_.walls.have_bodies()) began_.resize(size);
  if (!kit_.bodies.empty()) landed_.resize(size);
  if (!kit_.bodies.empty() && setup_.chosen_steps) body_pushes_.resize(size);
  if (weighted()) weights_.resize(size);
  if (!springs_.used()) return;
  moves_.resize(size);
  const double neighbors = expected_neighbors(setup_.params.support, setup_.dimensions);
  springs_.resize(size, static_cast<std::uint32_t>(row_reserve * neighbors) + 4);
}

template <class D>
void Method<D>::step() {
  kit_.begin_step(setup_.step_length);
  const StepState* const now = kit_.clock();
  search();
  if (setup_.viscous) slow_approach();
  launch(kit_.exec, kit_.set.active(),
         Advance<D>{.state = now,
                    .position = kit_.set.position(),
                    .drift = drift_.view(),
                    .places = places()});
  kit_.timer.mark(kit_.exec, "viscosity");
  if (springs_.used()) weighted() ? pull_springs<true>() : pull_springs<false>();
  kit_.timer.mark(kit_.exec, "springs");
  setup_.params.relaxation == Relaxation::gather ? relax() : relax_in_turn();
  kit_.timer.mark(kit_.exec, "relaxation");
  if (viscosity_.used()) {
    diffuse();
    kit_.timer.mark(kit_.exec, "implicit viscosity");
  }
  if (!kit_.bodies.empty()) move_bodies();
  kit_.timer.mark(kit_.exec, "bodies");
  end_step();
  kit_.timer.mark(kit_.exec, "motion");
}

// Sorts by the positions at the end of the step without viscosity, finds neighbours there, and
// walls on the way.
template <class D>
void Method<D>::search() {
  const StepState* const now = kit_.clock();
  launch(kit_.exec, kit_.set.active(), place_for_search());
  kit_.sort(searched_.view());
  launch(kit_.exec, kit_.set.active(),
         RecordStepStart<D>{.place = place_for_search(),
                            .middle = middle_.view(),
                            .drift = drift_.view(),
                            .records = records()});
  kit_.timer.mark(kit_.exec, "sort");
  const auto build = [&](const auto& body) {
    kit_.set.lists.build(kit_.exec, kit_.set.grid.view(), searched_.view(), searched_.view(),
                         kit_.set.active(), true, setup_.kernel.h, body);
  };
  const MostViscosity<D> most{setup_.kernel, setup_.most_viscosity, records()};
  setup_.viscous && !weighted() ? build(FindMostViscosity<D>{most}) : build(NoSum{});
  if (weighted()) {
    find_weights();
    if (setup_.viscous) kit_.sum_over_neighbors(places(), FindMostWeightedViscosity<D>{most});
  }
  order_turns();
  if (kit_.walls.have_bodies())
    launch(kit_.exec, kit_.set.active(), CopyField<D>{kit_.set.position(), began_.view()});
  kit_.walls.find_contacts(kit_.exec, kit_.set.position(), middle_.view(), kit_.set.phase(),
                           kit_.set.active(), &now->dt, static_cast<float>(setup_.spacing),
                           setup_.kernel.h);
  kit_.timer.mark(kit_.exec, "lists");
}

// Also copies the positions of the search into places().
template <class D>
void Method<D>::find_weights() {
  launch(kit_.exec, kit_.set.active(),
         FindWeights<D>{.position = searched_.view(),
                        .mass = kit_.masses(),
                        .phase = kit_.set.phase(),
                        .mass_of_phase = substances_.data()->mass,
                        .weights = weights_.data(),
                        .places = places()});
}

template <class D>
void Method<D>::slow_approach() {
  const float part = 1 / static_cast<float>(setup_.viscous_passes);
  for (int k = 0; k < setup_.viscous_passes; ++k) {
    if (k > 0) launch(kit_.exec, kit_.set.active(), RecordDrift<D>{drift_.view(), records()});
    choose_form(
        setup_.unequally_heavy || setup_.unequally_viscous, [&]<bool Several, bool Weighted>() {
          kit_.sum_over_neighbors(
              records(), SlowApproach<D, Several, Weighted>{.kernel = setup_.kernel,
                                                            .records = records(),
                                                            .drift = drift_.view(),
                                                            .state = kit_.clock(),
                                                            .part = part,
                                                            .phase = kit_.set.phase(),
                                                            .held = kit_.set.held_by(),
                                                            .substances = substances_.data(),
                                                            .weights = weights()});
        });
  }
}

template <class D>
template <bool Weighted>
void Method<D>::pull_springs() {
  const Vec3 period = setup_.grid.period;
  const SpringInput<D> in{.springs = springs_.view(kit_.set.columns),
                          .pass = {.h = setup_.kernel.h,
                                   .inverse_h = setup_.kernel.inverse_h,
                                   .share = 1 / static_cast<float>(setup_.spring_passes),
                                   .room = setup_.springs_borne,
                                   .periodicity = Periodicity::of(period),
                                   .periodic = period.x > 0 || period.y > 0 || period.z > 0},
                          .records = records(),
                          .phase = kit_.set.phase(),
                          .living = kit_.set.occupied(),
                          .substances = substances_.data(),
                          .gate = kit_.gate(),
                          .weights = weights()};
  launch(kit_.exec, static_cast<Index>(springs_.rows()),
         FillArray<std::uint32_t>{in.springs.slot_now, nowhere});
  launch(kit_.exec, kit_.set.active(),
         FindOwners<D>{.springs = in.springs,
                       .places = places(),
                       .pass = in.pass,
                       .records = in.records,
                       .ids = kit_.set.id(),
                       .phase = in.phase,
                       .living = in.living});
  launch_uneven(kit_.exec, kit_.set.active(), list_block,
                AdjustSprings<D, Weighted>{.in = in, .ids = kit_.set.id(), .moves = moves_.view()});
  // Positions at which springs are adjusted; the search no longer needs the array.
  launch(kit_.exec, kit_.set.active(), KeepPlaces<D>{places(), searched_.view()});
  kit_.sum_over_neighbors(
      records(),
      AddSprings<D, Weighted>{
          .in = in, .rows = kit_.room(row_room_), .moves = moves_.view(), .places = places()});
  for (int k = 1; k < setup_.spring_passes; ++k) {
    launch(kit_.exec, kit_.set.active(),
           RecordPlaces<D>{.springs = in.springs,
                           .pass = in.pass,
                           .places = places(),
                           .records = in.records,
                           .living = in.living});
    launch_uneven(kit_.exec, kit_.set.active(), list_block,
                  PullSprings<D, Weighted>{.in = in, .places = places()});
  }
}

// Implicit viscosity acts on the velocities after the relaxation, so that pressure and viscous
// stress are in balance in slow flows.
template <class D>
void Method<D>::diffuse() {
  const Index n = kit_.set.active();
  launch(kit_.exec, n,
         FindRelaxedVelocity<D>{kit_.clock(), kit_.set.position(), kit_.set.velocity(),
                                kit_.set.held_by(), places(), viscosity_.velocity()});
  viscosity_.solve(kit_, viscous_step());
  launch(kit_.exec, n,
         TakeRelaxedVelocity<D>{kit_.gate(), kit_.set.position(), viscosity_.velocity(), places(),
                                drift_.view()});
}

// Bodies get the reaction of their pushes in the relaxation; then contacts of particles with bodies
// and of bodies with each other (Algorithm 6).
template <class D>
void Method<D>::move_bodies() {
  if (setup_.chosen_steps)
    kit_.bodies.take_wall_forces(
        kit_.exec, kit_.gate(),
        RelaxationReaction<D>{.walls = relaxation_walls(1),
                              .records = records(),
                              .body_pushes = body_pushes(),
                              .phase = kit_.set.phase(),
                              .substances = substances_.data(),
                              .mass = kit_.mass_of(substances_.data()->mass),
                              .held = kit_.set.held_by(),
                              .living = kit_.set.occupied()},
        kit_.set.active(), kit_.walls);
  viscosity_.push_bodies(kit_, viscous_step());
  launch(kit_.exec, kit_.set.active(),
         CopyForCoupling<D>{places(), kit_.set.position(), landed_.view()});
  kit_.couple_bodies(kit_.set.position(), landed_.view(), substances_.data()->mass,
                     between(body_distance), setup_.params.stick_distance * setup_.spacing);
  launch(kit_.exec, kit_.set.active(), CopyFromCoupling<D>{landed_.view(), places()});
}

template <class D>
void Method<D>::end_step() {
  const float spacing = static_cast<float>(setup_.spacing);
  const float distance = static_cast<float>(between(setup_.params.collision_distance));
  const WallRule rule{.distance = distance,
                      .stick_from = static_cast<float>(setup_.params.collision_distance) * spacing,
                      .stick_distance = static_cast<float>(setup_.params.stick_distance) * spacing,
                      .touching = viscosity_.used() ? 0.0f : touching_distance * spacing,
                      .friction_distance = touching_distance * spacing};
  launch(
      kit_.exec, kit_.set.active(),
      FinishVelocities<D>{.gate = kit_.gate(),
                          .walls = relaxation_walls(1),
                          .sticky = {kit_.walls.at_end(), kit_.walls.touched_by(kit_.set.phase()),
                                     setup_.sticky, rule.stick_from + rule.stick_distance},
                          .rule = rule,
                          .leapfrog = setup_.params.velocity_update == VelocityUpdate::leapfrog,
                          .max_speed = static_cast<float>(setup_.params.max_speed),
                          .position = kit_.set.position(),
                          .velocity = kit_.set.velocity(),
                          .drift = drift_.view(),
                          .places = places(),
                          .start = start_excess(true),
                          .held = kit_.set.held_by()});
  if (kit_.walls.have_bodies()) kit_.keep_outside(began_.view(), setup_.spacing, distance);
  if (springs_.used())
    launch(kit_.exec, kit_.set.active(),
           KeepRows<D>{.springs = springs_.view(kit_.set.columns),
                       .places = searched_.view(),
                       .phase = kit_.set.phase(),
                       .living = kit_.set.occupied(),
                       .substances = substances_.data(),
                       .gate = kit_.gate()});
  kit_.end_step(kit_.leave_step(setup_.space()));
  launch(kit_.exec, 1, CommitSprings{springs_.book(), kit_.clock()});
}

template <class D>
std::unique_ptr<Solver> make_solver(const Scene& scene, const DeviceOptions& options) {
  return make_particle_solver<Method>(scene, options, make_exec<D>(options.threads));
}

template class Method<PANTA_DEVICE>;
template std::unique_ptr<Solver> make_solver<PANTA_DEVICE>(const Scene&, const DeviceOptions&);

}  // namespace panta::viscoelastic
