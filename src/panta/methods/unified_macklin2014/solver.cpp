#include "panta/methods/unified_macklin2014/solver.h"

#include "panta/core/make_exec.h"

namespace panta::unified {

namespace {

constexpr double solid_wall_distance = 0.5;     // spacings, between grains or bodies and walls
constexpr double liquid_solid_distance = 0.75;  // spacings, nearer than pressure lets them
constexpr int first_stabilization = 30;         // iterations, of what a scene puts into each other
constexpr double anchor_reach = 0.02;           // spacings, of slip that is remembered
constexpr double fading_time = 0.2;             // s, of what is denser than it should be
constexpr double cohesion_reach = 1.05;         // spacings, of damp grains
constexpr double explosion_supports = 100;      // farther in a step is no simulation any more

}  // namespace

template <class D>
Solver<D>::Solver(const Scene& scene, const DeviceOptions& options, D exec)
    : Base(scene, options, exec), setup_(make_setup(scene)) {
  if (setup_.contacts) anchor_ = particles_.declare("anchor", AttributeType::vector);
  if (setup_.rest_distances) start_ = particles_.declare("start", AttributeType::vector);
  if (setup_.liquids) allowance_ = particles_.declare("allowance", AttributeType::scalar);
  const SolidParticles solids = sample_solids(scene);
  const ParticleSet particles = sample_scene(scene, solids);
  ties_.set(make_constraint_lists(scene, particles.position, RegisteredConstraints{}));
  bodies_.set(make_rigid_list(scene, solids, particles.size() - solids.particles.size()));
  Base::start(particles);
  begin_with(0, particles.size());
}

template <class D>
void Solver<D>::upload_setup() {
  wall_shares_.upload(setup_.wall_shares);
  substances_.set(setup_.substances);
}

template <class D>
void Solver<D>::resize(Index slots) {
  const std::size_t size = static_cast<std::size_t>(slots);
  searched_.resize(size);
  if (walls_.have_bodies()) began_.resize(size);
  if (setup_.params.vorticity > 0) spin_.resize(size);
  candidates_.resize(size);
  multipliers_.resize(size);
  records_.resize(size);
  density_.resize(size);
  if (setup_.uneven) mobility_.resize(size);
  bodies_.resize(size);
}

template <class D>
bool Solver<D>::exploded(double fastest) const {
  return !(fastest * setup_.params.time_step < explosion_supports * setup_.support);
}

template <class D>
Error Solver<D>::explosion(std::uint32_t id, const Vec3& x, const Vec3& v) const {
  return unified::explosion(state_, id, x, v);
}

template <class D>
void Solver<D>::step() {
  timer_.start(exec_);
  StepState* const now = device_state_.data();
  launch(exec_, 1, PlanStep<StepByTravel>{now, setup_.step_length});
  sources_.begin_step(exec_, particles_, held(), &now->time, &now->done);
  walls_.update_poses(exec_, &now->time, &now->dt);
  search();
  solve();
  if (walls_.have_bodies()) keep_outside();
  timer_.mark(exec_, "constraints");
  change_velocities();
  end_step();
  timer_.mark(exec_, "velocities");
}

// Sorts by where particles will be half way, and finds neighbours and walls there.
template <class D>
void Solver<D>::search() {
  const StepState* const now = device_state_.data();
  launch(exec_, active(),
         PlaceForSearch<D>{now, particles_.position(), particles_.velocity(), searched_.view()});
  Base::sort_particles(searched_.view());
  const Field4View<D> position = particles_.position(), velocity = particles_.velocity();
  const PlaceForSearch<D> place{now, position, velocity, searched_.view()};  // in the new order
  if (setup_.contacts) {
    const float reach = static_cast<float>(anchor_reach * setup_.spacing);
    launch(exec_, active(),
           PlaceWithAnchors<D>{place, {position, particles_.vector(anchor_), reach, now}});
  } else {
    launch(exec_, active(), place);
  }
  bodies_.locate(exec_, particles_.id(), active(), living(), Base::some_may_go());
  ties_.locate(exec_, particles_.id(), active(), living(),
               {particles_.phase(), substances_.data(), held()});
  timer_.mark(exec_, "sort");
  lists_.build(exec_, grid_.view(), searched_.view(), searched_.view(), active(), true,
               setup_.search_radius, NoSum{});
  if (walls_.have_bodies())
    launch(exec_, active(), CopyField<D>{particles_.position(), began_.view()});
  walls_.find_contacts(exec_, particles_.position(), searched_.view(), particles_.phase(), active(),
                       &now->dt, static_cast<float>(setup_.spacing), setup_.search_radius);
  timer_.mark(exec_, "lists");
}

template <class D>
void Solver<D>::solve() {
  const int stabilization = setup_.contacts ? stabilization_iterations() : 0;
  if (stabilization > 0) stabilize(stabilization);
  launch(exec_, active(), OpenStep<D>{substep(setup_.rhythm), living(), stabilization > 0});
  if (setup_.uneven)
    sum_over_lists(exec_, candidates(), lists_.view(), setup_.grid.period,
                   FindMobility<D>{particles_.phase(), substances_.data(), mobility_.data()});
  Rhythm now = setup_.rhythm;
  for (now.substep = 0; now.substep < now.substeps; ++now.substep)
    for (now.iteration = 0; now.iteration < now.iterations; ++now.iteration) {
      ties_.solve(exec_, substep(now), Periodicity::of(setup_.grid.period), {});
      if (setup_.liquids) solve_density(now, now.last_iteration() && !setup_.contacts);
      if (setup_.contacts) solve_contacts(now);
    }
}

template <class D>
void Solver<D>::find_density(const FeltWalls<D>& walls, float relaxation,
                             const Allowance& allowance, bool looks_only) {
  const auto find = [&](const auto& body) {
    sum_over_lists(exec_, candidates(), lists_.view(), setup_.grid.period, body);
  };
  const auto body = [&]<bool Mixed>() {
    return SolveDensity<D, Mixed>{setup_.kernel,
                                  walls,
                                  relaxation,
                                  candidates(),
                                  multipliers(),
                                  density_.data(),
                                  held(),
                                  particles_.phase(),
                                  substances_.data(),
                                  allowance,
                                  looks_only,
                                  setup_.uneven ? mobility_.data() : nullptr};
  };
  setup_.mixed ? find(body.template operator()<true>()) : find(body.template operator()<false>());
}

template <class D>
void Solver<D>::solve_density(const Rhythm& now, bool closes) {
  find_density(felt_walls(now), static_cast<float>(setup_.params.relaxation), allowance(), false);
  sum_over_lists(
      exec_, multipliers(), lists_.view(), setup_.grid.period,
      MoveByDensity<D>{setup_.kernel, felt_walls(now), wall_rule(setup_.params.collision_distance),
                       multipliers(), substep(now), living(), particles_.phase(),
                       substances_.data(), closes});
}

template <class D>
Allowance Solver<D>::allowance() {
  return {particles_.scalars(allowance_),
          static_cast<float>(std::exp(-dt() / setup_.rhythm.iterations / fading_time))};
}

template <class D>
ContactParams Solver<D>::contact_params() const {
  const Params& p = setup_.params;
  const double spacing = setup_.spacing,
               quiet = 2 * length(to_double(setup_.gravity)) * dt() * dt();
  const Substances& substances = setup_.substances;
  const double unit_density =  // of what has mobility 1
      static_cast<double>(substances.mobility[0]) * substances.rest_density[0];
  const double solves = setup_.rhythm.iterations * setup_.contact_iterations;  // in a substep
  const auto f = [](double value) { return static_cast<float>(value); };
  return {f(spacing),
          f(liquid_solid_distance * spacing),
          f(rubs() ? p.friction : 0.0),
          f(rubs() ? p.static_friction : 0.0),
          f(p.contact_relaxation),
          p.averaging,
          f(p.restitution),
          f(quiet),
          f(p.cohesion > 0 ? cohesion_reach * spacing : 0.0),
          f(p.cohesion / (unit_density * spacing * solves)),
          f(p.rolling)};
}

template <class D>
void Solver<D>::solve_contacts(Rhythm now) {
  const ContactParams contact = contact_params();
  const bool last = now.last_iteration();
  WallContactRule rule = wall_rule(solid_wall_distance);
  if (contact.restitution == 0)
    rule.sliding = static_cast<float>(now.substep + 1) / static_cast<float>(now.substeps);
  now.iteration *= setup_.contact_iterations;
  for (int k = 0; k < setup_.contact_iterations; ++k, ++now.iteration) {
    const bool closes = last && k + 1 == setup_.contact_iterations;
    bodies_.empty() ? touch<false>(now, contact, felt_walls(now), rule, closes)
                    : touch<true>(now, contact, felt_walls(now), rule, closes);
  }
}

template <class D>
template <bool Bodies>
void Solver<D>::touch(const Rhythm& now, const ContactParams& contact, const FeltWalls<D>& walls,
                      const WallContactRule& rule, bool closes) {
  const Field4View<D> anchors =
      contact.restitution > 0 ? particles_.position() : particles_.vector(anchor_);
  launch(exec_, active(),
         RecordContacts<D, Bodies>{substep(now), anchors, records(), particles_.phase(),
                                   particles_.id(), substances_.data(), setup_.shock,
                                   bodies_.view(), contact.averaging, contact.rolling > 0});
  sum_over_lists(
      exec_, records(), lists_.view(), setup_.grid.period,
      SolveContacts<D, Bodies>{contact, walls, rule, anchors, records(), substep(now), living(),
                               particles_.id(), bodies_.view(), contact_filter(), closes});
  bodies_.match(exec_, substep(now), contact.relaxation,
                contact.averaging == ContactAveraging::local, setup_.params.rigid_velocity, closes);
}

template <class D>
int Solver<D>::stabilization_iterations() const {
  const int usual = setup_.stabilization;
  return usual > 0 && Base::fresh() ? std::max(first_stabilization, usual) : usual;
}

// Parts what overlaps at the start of a step by moving it, which gives it no speed (4.4). The
// result is left in the candidates.
template <class D>
void Solver<D>::stabilize(int iterations) {
  ContactParams contact = contact_params();
  contact.friction = contact.static_friction = contact.restitution = 0;
  contact.cohesion = 0;
  WallContactRule rule = wall_rule(solid_wall_distance);
  rule.moving = rule.sliding = 0;
  const Rhythm now = setup_.rhythm;
  launch(exec_, active(), StandAsTheyAre<D>{substep(now)});
  for (int k = 0; k < iterations; ++k)
    bodies_.empty() ? touch<false>(now, contact, felt_walls(0), rule, false)
                    : touch<true>(now, contact, felt_walls(0), rule, false);
}

template <class D>
void Solver<D>::keep_outside() {
  const double spacing = setup_.spacing;
  launch(exec_, active(),
         KeepOutside<D>{walls_.moving(), walls_.felt_by(particles_.phase()), began_.view(),
                        particles_.position(), particles_.velocity(), static_cast<float>(spacing),
                        static_cast<float>(setup_.params.collision_distance * spacing), gate(),
                        living(), held()});
}

template <class D>
void Solver<D>::damp_sliding() {
  const double spacing = setup_.spacing;
  launch(exec_, active(),
         RecordSliding<D>{particles_.position(), particles_.velocity(), records(),
                          particles_.phase(), substances_.data()});
  sum_over_lists(
      exec_, records(), lists_.view(), setup_.grid.period,
      DampSliding<D>{static_cast<float>((1 + touching_slack) * spacing),
                     static_cast<float>((solid_wall_distance + touching_slack) * spacing),
                     minimum(static_cast<float>(setup_.params.friction), 1.0f), felt_walls(1),
                     records(), particles_.velocity(), gate(), living(), held(), contact_filter()});
}

template <class D>
void Solver<D>::pull_together() {
  launch(exec_, active(),
         RecordLiquids<D>{particles_.position(), particles_.phase(), multipliers()});
  sum_over_lists(exec_, multipliers(), lists_.view(), setup_.grid.period,
                 FindNormals<D>{setup_.kernel, setup_.blunt_normal, multipliers(), records()});
  sum_over_lists(exec_, records(), lists_.view(), setup_.grid.period,
                 PullTogether<D>{setup_.kernel, records(), particles_.velocity(), gate(), living(),
                                 particles_.phase(), held(), substances_.data()});
}

template <class D>
void Solver<D>::change_velocities() {
  if (setup_.contacts && !rubs()) damp_sliding();
  if (setup_.cohesive) pull_together();
  if (setup_.adhesive)
    launch(exec_, active(),
           AdhereToWalls<D>{felt_walls(1), particles_.position(), particles_.velocity(), gate(),
                            living(), held()});
  const bool spin = setup_.params.vorticity > 0;
  if (!setup_.smooth && !spin) return;
  launch(exec_, active(),
         RecordVelocities<D>{particles_.position(), particles_.velocity(), records()});
  if (!spin) return smooth_velocities<false>();
  smooth_velocities<true>();
  const float strength = static_cast<float>(setup_.params.vorticity * setup_.support);
  sum_over_lists(exec_, multipliers(), lists_.view(), setup_.grid.period,
                 ConfineVortices<D>{setup_.kernel, multipliers(), spin_.view(),
                                    particles_.velocity(), strength, gate(), living(), held()});
}

template <class D>
template <bool Spin>
void Solver<D>::smooth_velocities() {
  sum_over_lists(exec_, records(), lists_.view(), setup_.grid.period,
                 SmoothVelocities<D, Spin>{
                     setup_.kernel, records(), particles_.velocity(), multipliers(), spin_.view(),
                     setup_.spin_scale, static_cast<float>(1 / setup_.params.time_step), gate(),
                     living(), particles_.phase(), held(), substances_.data()});
}

template <class D>
void Solver<D>::end_step() {
  StepState* const now = device_state_.data();
  const float drag = setup_.liquids ? static_cast<float>(setup_.params.free_surface_drag) : 0.0f;
  launch_maxima<2>(exec_, active(),
                   EndStep<D>{gate(),
                              particles_.position(),
                              particles_.velocity(),
                              setup_.space(),
                              sources_.population().data(),
                              sources_.emitters().specs,
                              held(),
                              sources_.sinks(),
                              static_cast<float>(setup_.params.damping),
                              {drag, density_.data(), particles_.phase(), substances_.data()}},
                   &now->now_fastest);
  launch(exec_, 1, FinishStep{now, gate().longest_list, gate().capacity});
  sources_.end_step(exec_, &now->time, &now->dt, &now->completed);
}

template <class D>
Substep<D> Solver<D>::substep(const Rhythm& now) {
  return {gate(),
          now,
          particles_.position(),
          particles_.velocity(),
          candidates(),
          {setup_.gravity, fields_.data(), static_cast<int>(fields_.size())},
          {static_cast<float>(setup_.params.max_speed),
           static_cast<float>(setup_.params.max_acceleration),
           static_cast<float>(setup_.params.sleep_speed)},
          held(),
          particles_.phase(),
          substances_.data()};
}

template <class D>
FeltWalls<D> Solver<D>::felt_walls(double elapsed) {
  return {walls_.near(),
          {wall_shares_.data(), setup_.kernel.inverse_h},
          searched_.view(),
          minimum(setup_.kernel.h, setup_.search_radius),
          static_cast<float>(elapsed),
          device_state_.data()};
}

template <class D>
std::unique_ptr<Simulation> make_solver(const Scene& scene, const DeviceOptions& options) {
  return std::make_unique<Solver<D>>(scene, options, make_exec<D>(options.threads));
}

template class Solver<PANTA_DEVICE>;
template std::unique_ptr<Simulation> make_solver<PANTA_DEVICE>(const Scene&, const DeviceOptions&);

}  // namespace panta::unified
