// The part of a step in which constraints move particles: the groups, and what each of them
// launches.
#pragma once

#include "panta/methods/unified_macklin2014/body_walls.h"
#include "panta/methods/unified_macklin2014/constraints/push_correction.h"
#include "panta/methods/unified_macklin2014/solver.h"

namespace panta::unified {

inline constexpr double solid_wall_distance = 0.5;  // spacings, between grains or bodies and walls
inline constexpr double body_standoff = 0.07;       // spacings, see SubstepWalls
inline constexpr double liquid_solid_distance = 0.75;  // spacings, nearer than with pressure
inline constexpr int first_stabilization = 30;         // iterations, for overlaps in a scene
inline constexpr double fading_time = 0.2;             // s, in which initial over-density decays
inline constexpr double overlap_at_rest = 0.05;        // spacings, of grains and bodies under load
inline constexpr double deep_push = 0.02;       // spacings, most for a deep particle in a solve
inline constexpr double usual_rate = 480;       // 1/s, substeps; less in shorter ones
inline constexpr double cohesion_reach = 1.05;  // spacings, of damp grains

template <class D>
ConstraintGroupList Method<D>::make_groups() {
  return {
      {{.name = "ties",
        .active = [this] { return !ties_.empty(); },
        .solve =
            [this](const SubstepCount& now, bool) {
              ties_.solve(kit_.exec, substep(now), Periodicity::of(setup_.grid.period), {});
            }},
       {.name = "density",
        .active = [this] { return setup_.liquids; },
        .solve = [this](const SubstepCount& now, bool closes) { solve_density(now, closes); },
        .can_close = true},
       {.name = "viscosity",
        .active = [this] { return viscosity_.used(); },
        .solve =
            [this](const SubstepCount& now, bool) {
              if (now.last_iteration()) diffuse(now);
            }},
       {.name = "contacts",
        .active = [this] { return setup_.contacts; },
        .solve = [this](const SubstepCount& now, bool closes) { solve_contacts(now, closes); },
        .can_close = true}},
      [this](const SubstepCount& now) {
        launch(kit_.exec, kit_.set.active(), CloseSubstep<D>{substep(now), kit_.set.occupied()});
      }};
}

template <class D>
void Method<D>::solve() {
  if (setup_.liquids && !kit_.bodies.empty()) open_bodies();
  const int stabilization = setup_.contacts ? stabilization_iterations() : 0;
  if (stabilization > 0) stabilize(stabilization);
  if (viscosity_.used())
    launch(kit_.exec, kit_.set.active(), CopyField<D>{kit_.set.velocity(), viscosity_.began()});
  launch(kit_.exec, kit_.set.active(),
         BeginFirstSubstep<D>{.substep = substep(setup_.counts),
                              .living = kit_.set.occupied(),
                              .moves = stabilization > 0});
  if (setup_.uneven)
    kit_.sum_over_neighbors(
        candidates(), FindMobility<D>{kit_.set.phase(), substances_.data(), mobility_.data()});
  SubstepCount now = setup_.counts;
  for (now.substep = 0; now.substep < now.substeps; ++now.substep)
    for (now.iteration = 0; now.iteration < now.iterations; ++now.iteration) groups_.solve(now);
}

// At the end of a step, for the next one.
template <class D>
void Method<D>::correct_pushes() {
  const Substep<D> step = substep(setup_.counts);
  const SymmetricView stress = kit_.set.columns.symmetric(push_stress_);
  const RecordsView<D> more{more_records_.data()};
  const DensityKernel& kernel = setup_.kernel;
  const double n = setup_.counts.substeps, spacing = setup_.spacing;
  launch(kit_.exec, kit_.set.active(), RecordPushes<D>{step, stress, records(), more});
  choose_form([&]<bool Weighted>() {
    kit_.sum_over_neighbors(
        records(), CorrectPushes<D, Weighted>{
                       .gate = kit_.gate(),
                       .kernel = kernel,
                       .walls = with_bodies(substep_walls(1)),
                       .records = records(),
                       .more = more,
                       .velocity = kit_.set.velocity(),
                       .stress = stress,
                       .pushes = step.pushes,
                       .mirrored = mirrored(),
                       .volumes = volumes(),
                       .substances = substances_.data(),
                       .phase = kit_.set.phase(),
                       .pressure_per_dt2 =
                           static_cast<float>(n * n * kernel.slope_scale / kernel.moment_scale),
                       .turn_rate = static_cast<float>(turn * spacing * spacing)});
  });
}

template <class D>
void Method<D>::find_density(const SubstepWalls<D>& walls, float relaxation,
                             const Allowance& allowance, bool looks_only) {
  const auto find = [&](const auto& body) { kit_.sum_over_neighbors(candidates(), body); };
  const auto body = [&]<bool Mixed, bool Weighted>() {
    return SolveDensity<D, Mixed, Weighted>{.kernel = setup_.kernel,
                                            .walls = walls,
                                            .relaxation = relaxation,
                                            .candidates = candidates(),
                                            .multipliers = multipliers(),
                                            .density = density_.data(),
                                            .held = kit_.set.held_by(),
                                            .phase = kit_.set.phase(),
                                            .substances = substances_.data(),
                                            .allowance = allowance,
                                            .looks_only = looks_only,
                                            .mobility = setup_.uneven ? mobility_.data() : nullptr,
                                            .mirrored = mirrored(),
                                            .volumes = volumes()};
  };
  if (weighted()) return find(body.template operator()<true, true>());
  setup_.mixed ? find(body.template operator()<true, false>())
               : find(body.template operator()<false, false>());
}

template <class D>
void Method<D>::solve_density(const SubstepCount& now, bool closes) {
  const SubstepWalls<D> walls = with_bodies(substep_walls(now));
  find_density(walls, static_cast<float>(setup_.params.relaxation), allowance(), false);
  choose_form([&]<bool Weighted>() {
    kit_.sum_over_neighbors(
        multipliers(),
        MoveByDensity<D, Weighted>{.kernel = setup_.kernel,
                                   .walls = walls,
                                   .contact = wall_rule(setup_.params.collision_distance),
                                   .multipliers = multipliers(),
                                   .mirrored = mirrored(),
                                   .substep = substep(now),
                                   .living = kit_.set.occupied(),
                                   .volumes = volumes(),
                                   .bodies = body_pushes(),
                                   .closes = closes});
  });
  if (kit_.bodies.empty()) return;
  const bool last = now.last_iteration() && !viscosity_.used();  // which comes after it
  kit_.bodies.push_in_substep(
      kit_.exec, kit_.gate(), now.substeps,
      {.substep = now.substep, .closes = last, .ends_step = last && now.last_substep()},
      PushedBodies<D>{body_pushes(), searched_.view(), kit_.set.occupied()}, kit_.set.active(),
      kit_.walls);
}

// Implicit viscosity of liquids in a substep; grains and solids react in the contacts.
template <class D>
void Method<D>::diffuse(const SubstepCount& now) {
  const Index n = kit_.set.active();
  launch(kit_.exec, n, FindSubstepVelocity<D>{substep(now), viscosity_.velocity()});
  const ViscousStep<D> step{.place = kit_.set.position(),
                            .began = viscosity_.began(),
                            .walls_found = searched_.view(),
                            .weights = weighted() ? weights_.data() : nullptr,
                            .time = {kit_.clock(), 1 / static_cast<float>(now.substeps)},
                            .first = now.substep == 0,
                            .in_substeps = true};
  viscosity_.solve(kit_, step);
  viscosity_.push_bodies(kit_, step, now.substeps,
                         {.substep = now.substep, .closes = true, .ends_step = now.last_substep()});
  launch(kit_.exec, n,
         TakeSubstepVelocity<D>{substep(now), viscosity_.velocity(), viscosity_.began()});
}

template <class D>
void Method<D>::open_bodies() {
  kit_.bodies.open_substeps(kit_.exec, kit_.gate(), setup_.counts.substeps,
                            setup_.substances.mass[0] * setup_.substances.mobility[0],
                            setup_.substances.rest_density[0] * setup_.substances.mobility[0],
                            NearBodies<D>{.near = kit_.walls.near(),
                                          .shares = substep_walls(0).shares,
                                          .searched = searched_.view(),
                                          .phase = kit_.set.phase(),
                                          .substances = substances_.data(),
                                          .living = kit_.set.occupied(),
                                          .volumes = volumes(),
                                          .weighted = weighted(),
                                          .touching = static_cast<float>(0.5 * setup_.spacing)},
                            kit_.set.active());
}

template <class D>
RecordedBodyPushes Method<D>::body_pushes() {
  if (kit_.bodies.empty()) return {};
  return {body_pushes_.data(), kit_.bodies.deviations(), kit_.walls.near(),
          kit_.mass_of(substances_.data()->mass)};
}

template <class D>
SubstepWalls<D> Method<D>::with_bodies(SubstepWalls<D> walls) {
  if (kit_.bodies.empty()) return walls;
  walls.bodies = kit_.bodies.deviations();
  walls.standoff = static_cast<float>(body_standoff * setup_.spacing);
  return walls;
}

template <class D>
Allowance Method<D>::allowance() {
  return {kit_.set.columns.scalars(allowance_),
          static_cast<float>(std::exp(-dt() / setup_.counts.iterations / fading_time))};
}

// The scene's values, or these by default.
inline ContactParams::Friction friction_of(const Params& p, double kinetic, double at_rest) {
  if (p.friction >= 0) kinetic = at_rest = p.friction;
  if (p.static_friction >= 0) at_rest = p.static_friction;
  return {static_cast<float>(kinetic), static_cast<float>(at_rest)};
}

template <class D>
ContactParams Method<D>::contact_params() const {
  const Params& p = setup_.params;
  const double spacing = setup_.spacing,
               quiet = 2 * length(to_double(setup_.gravity)) * dt() * dt();
  const Substances& substances = setup_.substances;
  const double unit_density =  // of a particle of mobility 1
      static_cast<double>(substances.mobility[0]) * substances.rest_density[0];
  const double solves = setup_.counts.iterations * setup_.contact_iterations;  // in a substep
  const auto f = [](double value) { return static_cast<float>(value); };
  const ContactParams::Friction no_friction;
  return {.distance = f(spacing),
          .liquid_distance = f(liquid_solid_distance * spacing),
          .friction = friction_in_contacts() ? friction_of(p, usual_friction, usual_static_friction)
                                             : no_friction,
          .of_grains = friction_in_contacts()
                           ? friction_of(p, friction_of_grains, static_friction_of_grains)
                           : no_friction,
          .relaxation = f(p.contact_relaxation),
          .averaging = p.averaging,
          .restitution = f(p.restitution),
          .quiet = f(quiet),
          .grip = f(p.cohesion > 0 ? cohesion_reach * spacing : 0.0),
          .cohesion = f(p.cohesion / (unit_density * spacing * solves)),
          .slack = 0,
          .deep_push = f(std::min(dt() * usual_rate, 1.0) * deep_push * spacing),
          .moves_anchors = false,
          .rolling = f(p.rolling < 0 ? setup_.dimensions - 1 : p.rolling)};
}

template <class D>
void Method<D>::solve_contacts(SubstepCount now, bool closes) {
  ContactParams contact = contact_params();
  contact.moves_anchors = anchors_follow();
  WallContactRule rule = wall_rule(solid_wall_distance);
  rule.dry = true;
  if (contact.restitution == 0)
    rule.sliding = static_cast<float>(now.substep + 1) / static_cast<float>(now.substeps);
  now.iteration *= setup_.contact_iterations;
  for (int k = 0; k < setup_.contact_iterations; ++k, ++now.iteration) {
    const bool ends = closes && k + 1 == setup_.contact_iterations;
    bodies_.empty() ? touch<false>(now, contact, substep_walls(now), rule, ends)
                    : touch<true>(now, contact, substep_walls(now), rule, ends);
  }
}

template <class D>
template <bool Bodies>
void Method<D>::touch(const SubstepCount& now, const ContactParams& contact,
                      const SubstepWalls<D>& walls, const WallContactRule& rule, bool closes) {
  const AnchorsView<D> anchors{contact.restitution > 0 ? kit_.set.position()
                                                       : kit_.set.columns.vector(anchor_)};
  launch(kit_.exec, kit_.set.active(),
         RecordContacts<D, Bodies>{.substep = substep(now),
                                   .anchors = anchors,
                                   .records = records(),
                                   .phase = kit_.set.phase(),
                                   .ids = kit_.set.id(),
                                   .substances = substances_.data(),
                                   .shock = setup_.shock,
                                   .bodies = bodies_.view(),
                                   .averaging = contact.averaging,
                                   .rolls = contact.rolling > 0,
                                   .radius = kit_.set.columns.scalars(radius_),
                                   .inverse_spacing = static_cast<float>(1 / setup_.spacing)});
  kit_.sum_over_neighbors(records(), SolveContacts<D, Bodies>{.params = contact,
                                                              .walls = walls,
                                                              .wall_rule = rule,
                                                              .anchors = anchors,
                                                              .records = records(),
                                                              .substep = substep(now),
                                                              .living = kit_.set.occupied(),
                                                              .ids = kit_.set.id(),
                                                              .bodies = bodies_.view(),
                                                              .filter = contact_filter(),
                                                              .closes = closes});
  bodies_.match(kit_.exec, substep(now), contact.relaxation,
                contact.averaging == ContactAveraging::local, setup_.params.rigid_velocity, closes);
}

template <class D>
int Method<D>::stabilization_iterations() const {
  const int usual = setup_.stabilization;
  return usual > 0 && kit_.fresh ? std::max(first_stabilization, usual) : usual;
}

// Separates overlapping particles at the start of a step without giving them speed (4.4). The
// result is left in the candidates.
template <class D>
void Method<D>::stabilize(int iterations) {
  ContactParams contact = contact_params();
  contact.friction = contact.of_grains = {};
  contact.restitution = contact.cohesion = 0;
  contact.deep_push = static_cast<float>(deep_push * setup_.spacing);
  contact.slack = kit_.fresh ? 0.0f : static_cast<float>(overlap_at_rest * setup_.spacing);
  WallContactRule rule = wall_rule(solid_wall_distance);
  rule.moving = rule.sliding = 0;
  const SubstepCount now = setup_.counts;
  launch(kit_.exec, kit_.set.active(), PlaceCandidatesAtRest<D>{substep(now)});
  for (int k = 0; k < iterations; ++k)
    bodies_.empty() ? touch<false>(now, contact, substep_walls(0), rule, false)
                    : touch<true>(now, contact, substep_walls(0), rule, false);
}

}  // namespace panta::unified
