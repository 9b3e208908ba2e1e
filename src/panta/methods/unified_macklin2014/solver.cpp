#include "panta/methods/unified_macklin2014/solver.h"

#include "panta/core/make_exec.h"
#include "panta/core/resize_all.h"
#include "panta/methods/unified_macklin2014/readout_impl.h"
#include "panta/methods/unified_macklin2014/solve_impl.h"
#include "panta/particles/standard_columns.h"

namespace panta::unified {

namespace {

// Spacings: slip that anchors keep, where grains rest and elsewhere; grains that move less than
// this in a step rest.
constexpr double reach_at_rest = 0.5, reach = 0.02, at_rest = 0.002;

}  // namespace

template <class D>
Method<D>::Method(StepKit<D>& kit) : kit_(kit), setup_(make_setup(kit.scene)) {
  kit.declare(columns(&kit.scene));
  const Particles<D>& stored = kit.set.columns;
  anchor_ = stored.find(anchor_column().name);
  radius_ = stored.find(standard_columns::radius().name);
  start_ = stored.find(standard_columns::start().name);
  allowance_ = stored.find(allowance_column().name);
  push_stress_ = stored.find(push_stress_column().name);
  push_potential_ = stored.find(push_potential_column().name);
  push_correction_ = stored.find(push_correction_column().name);
  groups_ = make_groups();
  const std::size_t first_id = kit.start.size() - kit.solids.particles.size();
  constraints_.set(kit.scene.constraints, kit.start.position);
  ties_.set(constraints_.all());
  bodies_.set(make_rigid_list(kit.scene, kit.solids, first_id));
  kit.saved.push_back(
      {[this](State& state, const std::vector<std::size_t>&) { bodies_.save(state); },
       [this](const State& state) { bodies_.restore(state); }});
  kit.saved.push_back(
      {[this](State& state, const std::vector<std::size_t>&) { constraints_.save(state); },
       [this](const State& state) {
         constraints_.restore(state, kit_.start.position, kit_.set.counted.next_id);
         ties_.set(constraints_.all());
       }});
}

template <class D>
void Method<D>::change(const Scene& scene) {
  Setup setup = make_setup(scene, &setup_);
  if (kit_.restoring)
    constraints_.change_before_restore(scene.constraints);
  else if (constraints_.change(scene.constraints, [this] { return places_now(); }))
    ties_.set(constraints_.all());
  setup_ = std::move(setup);
}

template <class D>
void Method<D>::upload_setup() {
  wall_shares_.upload(setup_.wall_shares);
  substances_.set(setup_.substances);
  viscosity_.set(setup_.viscosity);
}

template <class D>
void Method<D>::resize(Index slots) {
  const std::size_t size = static_cast<std::size_t>(slots);
  resize_all(size, searched_, candidates_, multipliers_, records_, density_);
  viscosity_.resize(size, kit_);
  bodies_.resize(size);
  if (kit_.walls.have_bodies()) resize_all(size, began_, mirrored_);
  if (!kit_.bodies.empty()) landed_.resize(size), body_pushes_.resize(size * ContactSet::most);
  if (setup_.params.vorticity > 0) spin_.resize(size);
  if (setup_.liquids) resize_all(size, pushed_, more_records_);
  if (setup_.uneven) mobility_.resize(size);
  if (weighted()) resize_all(size, weights_, volumes_);
}

template <class D>
void Method<D>::step() {
  kit_.begin_step(setup_.step_limits);
  search();
  solve();
  if (!kit_.bodies.empty()) meet_bodies();
  if (kit_.walls.have_bodies())
    kit_.keep_outside(began_.view(), setup_.spacing,
                      setup_.params.collision_distance * setup_.spacing);
  if (setup_.liquids) correct_pushes();
  kit_.timer.mark(kit_.exec, "constraints");
  change_velocities();
  end_step();
  kit_.timer.mark(kit_.exec, "velocities");
}

// Sorts by the positions half way through the step, and finds neighbours and walls there.
template <class D>
void Method<D>::search() {
  const StepState* const now = kit_.clock();
  const auto place = [&] {
    return PlaceForSearch<D, StoredVelocity<D>>{.state = now,
                                                .fraction = 0.5,
                                                .position = kit_.set.position(),
                                                .velocity = {kit_.set.velocity()},
                                                .searched = searched_.view()};
  };
  launch(kit_.exec, kit_.set.active(), place());
  kit_.sort(searched_.view());
  if (setup_.contacts) {
    const auto metres = [&](double spacings) {
      return static_cast<float>(spacings * setup_.spacing);
    };
    launch(kit_.exec, kit_.set.active(),
           PlaceWithAnchors<D>{
               .place = place(),
               .drop = {.position = kit_.set.position(),
                        .velocity = kit_.set.velocity(),
                        .anchors = {kit_.set.columns.vector(anchor_)},
                        .reach = metres(reach),
                        .reach_at_rest = anchors_follow() ? metres(reach_at_rest) : 0.0f,
                        .at_rest = metres(at_rest),
                        .state = now,
                        .phase = kit_.set.phase(),
                        .substances = substances_.data()},
               .grow = {.gate = kit_.gate(),
                        .radius = kit_.set.columns.scalars(radius_),
                        .sizes = setup_.sizes,
                        .ids = kit_.set.id(),
                        .held = kit_.set.held_by(),
                        .phase = kit_.set.phase(),
                        .substances = substances_.data()}});
  } else {
    launch(kit_.exec, kit_.set.active(), place());
  }
  if (weighted()) find_weights();
  bodies_.locate(kit_.exec, kit_.set.id(), kit_.set.active(), kit_.set.occupied(),
                 kit_.set.some_gone);
  ties_.locate(kit_.exec, kit_.set.id(), kit_.set.active(), kit_.set.occupied(),
               {kit_.mass_of(substances_.data()->mass), kit_.set.held_by()});
  kit_.timer.mark(kit_.exec, "sort");
  kit_.set.lists.build(kit_.exec, kit_.set.grid.view(), searched_.view(), searched_.view(),
                       kit_.set.active(), true, setup_.search_radius, NoSum{});
  if (kit_.walls.have_bodies())
    launch(kit_.exec, kit_.set.active(), CopyField<D>{kit_.set.position(), began_.view()});
  kit_.walls.find_contacts(kit_.exec, kit_.set.position(), searched_.view(), kit_.set.phase(),
                           kit_.set.active(), &now->dt, static_cast<float>(setup_.spacing),
                           setup_.search_radius);
  kit_.timer.mark(kit_.exec, "lists");
}

// By slot, after a sort. Candidates are not in use yet.
template <class D>
void Method<D>::find_weights() {
  const std::uint32_t* const phase = kit_.set.phase();
  launch(kit_.exec, kit_.set.active(),
         FindWeights<D>{.position = searched_.view(),
                        .mass = kit_.masses(),
                        .phase = phase,
                        .mass_of_phase = kit_.mass_of_phase.data(),
                        .weights = weights_.data(),
                        .places = candidates()});
  launch(kit_.exec, kit_.set.active(),
         FindVolumes{weights_.data(), phase, substances_.data(), volumes_.data()});
}

// Grains and solids that end the step nearer to a free body than half a spacing, and liquids that
// end inside it, exchange impulses with it. Few liquid particles do, because bodies are walls of
// the density constraint.
template <class D>
void Method<D>::meet_bodies() {
  ParticleSet<D>& set = kit_.set;
  launch(kit_.exec, set.active(), CopyField<D>{set.position(), landed_.view()});
  const double radius = setup_.contacts ? 0.5 * setup_.spacing : 0;
  kit_.couple_bodies(began_.view(), landed_.view(), substances_.data()->mass, radius, 0,
                     substances_.data()->body_distance, setup_.contacts ? 4 : 1);
  launch(kit_.exec, set.active(),
         ApplyCoupledMoves<D>{.gate = kit_.gate(),
                              .landed = landed_.view(),
                              .position = set.position(),
                              .velocity = set.velocity(),
                              .occupied = set.occupied(),
                              .held = set.held_by()});
}

template <class D>
void Method<D>::damp_sliding() {
  const double spacing = setup_.spacing;
  launch(kit_.exec, kit_.set.active(),
         RecordSliding<D>{.substep = substep(setup_.counts), .records = records()});
  kit_.sum_over_neighbors(
      records(),
      DampSliding<D>{
          .reach = 2 * setup_.sizes.mean + static_cast<float>(touching_slack * spacing),
          .wall_reach = static_cast<float>((solid_wall_distance + touching_slack) * spacing),
          .friction = minimum(friction_of(setup_.params, usual_friction, 0).kinetic, 1.0f),
          .walls = substep_walls(1),
          .records = records(),
          .velocity = kit_.set.velocity(),
          .gate = kit_.gate(),
          .living = kit_.set.occupied(),
          .held = kit_.set.held_by(),
          .filter = contact_filter()});
}

template <class D>
void Method<D>::apply_cohesion() {
  launch(kit_.exec, kit_.set.active(),
         RecordLiquids<D>{kit_.set.position(), kit_.set.phase(), multipliers()});
  choose_form([&]<bool Weighted>() {
    kit_.sum_over_neighbors(multipliers(), FindNormals<D, Weighted>{.kernel = setup_.kernel,
                                                                    .blunt = setup_.blunt_normal,
                                                                    .liquids = multipliers(),
                                                                    .records = records(),
                                                                    .volumes = volumes()});
    kit_.sum_over_neighbors(records(), ApplyCohesion<D, Weighted>{.kernel = setup_.kernel,
                                                                  .records = records(),
                                                                  .velocity = kit_.set.velocity(),
                                                                  .gate = kit_.gate(),
                                                                  .living = kit_.set.occupied(),
                                                                  .phase = kit_.set.phase(),
                                                                  .held = kit_.set.held_by(),
                                                                  .substances = substances_.data(),
                                                                  .weights = {weights_.data()},
                                                                  .volumes = volumes()});
  });
}

template <class D>
void Method<D>::change_velocities() {
  if (setup_.contacts && !friction_in_contacts()) damp_sliding();
  if (setup_.cohesive) apply_cohesion();
  if (setup_.adhesive)
    launch(kit_.exec, kit_.set.active(),
           AdhereToWalls<D>{.walls = substep_walls(1),
                            .position = kit_.set.position(),
                            .velocity = kit_.set.velocity(),
                            .gate = kit_.gate(),
                            .living = kit_.set.occupied(),
                            .held = kit_.set.held_by()});
  const bool spin = setup_.params.vorticity > 0;
  if (!setup_.smooth && !spin) return;
  launch(kit_.exec, kit_.set.active(),
         RecordVelocities<D>{kit_.set.position(), kit_.set.velocity(), records()});
  if (!spin) return smooth_velocities<false>();
  smooth_velocities<true>();
  confine_vortices();
}

template <class D>
void Method<D>::confine_vortices() {
  const float strength = static_cast<float>(setup_.params.vorticity * setup_.support);
  choose_form([&]<bool Weighted>() {
    kit_.sum_over_neighbors(multipliers(),
                            ConfineVortices<D, Weighted>{.kernel = setup_.kernel,
                                                         .spins = multipliers(),
                                                         .spin = spin_.view(),
                                                         .velocity = kit_.set.velocity(),
                                                         .strength = strength,
                                                         .gate = kit_.gate(),
                                                         .living = kit_.set.occupied(),
                                                         .held = kit_.set.held_by(),
                                                         .volumes = volumes()});
  });
}

template <class D>
template <bool Spin>
void Method<D>::smooth_velocities() {
  const float steps_per_second = static_cast<float>(1 / setup_.params.time_step);
  choose_form([&]<bool Weighted>() {
    kit_.sum_over_neighbors(
        records(), SmoothVelocities<D, Spin, Weighted>{.kernel = setup_.kernel,
                                                       .records = records(),
                                                       .velocity = kit_.set.velocity(),
                                                       .spins = multipliers(),
                                                       .spin = spin_.view(),
                                                       .spin_scale = setup_.spin_scale,
                                                       .steps_per_second = steps_per_second,
                                                       .gate = kit_.gate(),
                                                       .living = kit_.set.occupied(),
                                                       .phase = kit_.set.phase(),
                                                       .held = kit_.set.held_by(),
                                                       .substances = substances_.data(),
                                                       .weights = {weights_.data()},
                                                       .volumes = volumes()});
  });
}

template <class D>
void Method<D>::end_step() {
  const float drag = setup_.liquids ? static_cast<float>(setup_.params.free_surface_drag) : 0.0f;
  kit_.end_step(DampAndLeaveStep<D>{
      .leave = kit_.leave_step(setup_.space()),
      .damping = static_cast<float>(setup_.params.damping),
      .surface_drag = {drag, density_.data(), kit_.set.phase(), substances_.data()}});
}

template <class D>
Substep<D> Method<D>::substep(const SubstepCount& now) {
  return {.gate = kit_.gate(),
          .counts = now,
          .position = kit_.set.position(),
          .velocity = kit_.set.velocity(),
          .candidates = candidates(),
          .surroundings = kit_.surroundings(),
          .limits = {.max_speed = static_cast<float>(setup_.params.max_speed),
                     .max_acceleration = static_cast<float>(setup_.params.max_acceleration),
                     .sleep_speed = static_cast<float>(setup_.params.sleep_speed)},
          .held = kit_.set.held_by(),
          .phase = kit_.set.phase(),
          .substances = substances_.data(),
          .weights = weighted() ? weights_.data() : nullptr,
          .volumes = weighted() ? volumes_.data() : nullptr,
          .pushes = push_fields()};
}

template <class D>
SubstepWalls<D> Method<D>::substep_walls(double elapsed) {
  return {.found = {.near = kit_.walls.near(),
                    .searched = searched_.view(),
                    .h = minimum(setup_.kernel.h, setup_.search_radius),
                    .elapsed = static_cast<float>(elapsed),
                    .state = kit_.clock()},
          .shares = {.entries = wall_shares_.data(),
                     .inverse_h = setup_.kernel.inverse_h,
                     .reference_radius = setup_.reference_radius},
          .closest = static_cast<float>(setup_.params.collision_distance * setup_.spacing)};
}

template <class D>
std::unique_ptr<Solver> make_solver(const Scene& scene, const DeviceOptions& options) {
  return make_particle_solver<Method>(scene, options, make_exec<D>(options.threads));
}

template class Method<PANTA_DEVICE>;
template std::unique_ptr<Solver> make_solver<PANTA_DEVICE>(const Scene&, const DeviceOptions&);

}  // namespace panta::unified
