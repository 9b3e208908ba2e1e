#include "panta/methods/sph_mueller2003/solver.h"

#include <utility>

#include "panta/core/make_exec.h"
#include "panta/core/resize_all.h"
#include "panta/particles/standard_columns.h"

namespace panta::sph {

namespace {

constexpr float curvature_share = 0.25f;  // h, over which curvatures of walls are found
constexpr double contact_share = 0.1;     // spacings, that particles stay away from walls

std::vector<float> identity_matrix() {
  std::vector<float> m(max_materials * max_materials, 0.0f);
  for (int k = 0; k < max_materials; ++k) m[static_cast<std::size_t>(k * max_materials + k)] = 1.0f;
  return m;
}

}  // namespace

template <class D>
Method<D>::Method(StepKit<D>& kit) : kit_(kit), setup_(make_setup(kit.scene)) {
  kit_.declare(columns(&kit_.scene));
  correction_ = kit_.set.columns.find(correction_column().name);
  acceleration_ = kit_.set.columns.find(acceleration_column().name);
  same_.upload(identity_matrix());
}

template <class D>
void Method<D>::upload_setup() {
  wall_entries_.upload(setup_.wall_table);
  phases_.set(setup_.phases);
  viscosity_.set(setup_.viscosity);
}

template <class D>
void Method<D>::resize(Index slots) {
  const std::size_t size = static_cast<std::size_t>(slots);
  resize_all(size, normal_, records_, stresses_);
  viscosity_.resize(size, kit_);
  if (!kit_.bodies.empty()) proposed_.resize(size);
  if (weighted()) resize_all(size, weights_, places_);
}

template <class D>
void Method<D>::step() {
  kit_.begin_step(setup_.limits);
  kit_.sort(kit_.set.position());
  kit_.timer.mark(kit_.exec, "sort");
  sum_density();
  kit_.timer.mark(kit_.exec, "lists and density");
  if (setup_.tension == TensionModel::morris2000) {
    sum_colour();
    kit_.timer.mark(kit_.exec, "colour");
  }
  sum_forces();
  kit_.timer.mark(kit_.exec, "forces");
  if (viscosity_.used()) {
    diffuse();
    kit_.timer.mark(kit_.exec, "viscosity");
  }
  if (!kit_.bodies.empty()) {
    meet_bodies();
    kit_.timer.mark(kit_.exec, "bodies");
  }
  move_particles();
  kit_.timer.mark(kit_.exec, "move");
}

template <class D>
void Method<D>::evaluate() {
  kit_.bodies.place(kit_.exec, kit_.walls);
  sum_density();
}

template <class D>
void Method<D>::sum_density() {
  ParticleSet<D>& set = kit_.set;
  const Index n = set.active();
  kit_.walls.find_contacts(kit_.exec, set.position(), set.phase(), n, setup_.kernel.h,
                           curvature_share * setup_.kernel.h);
  const FinishDensity<D> finish{.kernel = setup_.kernel,
                                .walls = kit_.walls.near(),
                                .wall_table = wall_table(),
                                .position = set.position(),
                                .velocity = velocity(),
                                .records = records(),
                                .stresses = stresses(),
                                .correction = correction(),
                                .phase = set.phase(),
                                .phases = phases_.data(),
                                .state = kit_.clock(),
                                .held = set.held_by()};
  const auto build = [&](const auto& sum) {
    set.lists.build(kit_.exec, set.grid.view(), set.position(), set.position(), n, true,
                    setup_.kernel.h, sum);
  };
  if (!weighted()) return build(DensitySum<D>{finish});
  build(NoSum{});
  const RecordsView<D, Record4> places{places_.data()};
  launch(kit_.exec, n,
         FindWeights<D>{.position = set.position(),
                        .mass = kit_.masses(),
                        .phase = set.phase(),
                        .mass_of_phase = phases_.data()->mass,
                        .weights = weights_.data(),
                        .places = places});
  kit_.sum_over_neighbors(places, WeightedDensity<D>{finish, weights_.data()});
}

template <class D>
void Method<D>::sum_colour() {
  weighted() ? sum_colour_as<true>() : sum_colour_as<false>();
}

template <class D>
template <bool Weighted>
void Method<D>::sum_colour_as() {
  kit_.sum_over_neighbors(records(), ColourGradient<D, Weighted>{.kernel = setup_.kernel,
                                                                 .walls = kit_.walls.near(),
                                                                 .wall_table = wall_table(),
                                                                 .records = records(),
                                                                 .normal = normal_.view(),
                                                                 .fluid = same_fluid(),
                                                                 .phases = phases_.data(),
                                                                 .weights = {weights_.data()}});
}

template <class D>
void Method<D>::sum_forces() {
  switch (setup_.tension) {
    case TensionModel::none:
      return sum_forces_with<TensionModel::none>();
    case TensionModel::morris2000:
      return sum_forces_with<TensionModel::morris2000>();
    case TensionModel::mueller2003:
      return sum_forces_with<TensionModel::mueller2003>();
  }
}

// Weighted particles always use the form for several fluids, which holds for one, too: this halves
// the number of kernels to compile.
template <class D>
template <TensionModel Tension>
void Method<D>::sum_forces_with() {
  if (weighted()) return sum_forces_as<Tension, true, true>();
  setup_.several_fluids ? sum_forces_as<Tension, true, false>()
                        : sum_forces_as<Tension, false, false>();
}

template <class D>
template <TensionModel Tension, bool Several, bool Weighted>
void Method<D>::sum_forces_as() {
  kit_.sum_over_neighbors(
      records(), ForceSum<D, Tension, Several, Weighted>{.gate = kit_.gate(),
                                                         .kernel = setup_.kernel,
                                                         .walls = kit_.walls.near(),
                                                         .wall_table = wall_table(),
                                                         .records = records(),
                                                         .stresses = stresses(),
                                                         .correction = correction(),
                                                         .normal = normal_.view(),
                                                         .acceleration = acceleration(),
                                                         .pressure_force = proposed(),
                                                         .fluid = same_fluid(),
                                                         .phases = phases_.data(),
                                                         .weights = {weights_.data()},
                                                         .surroundings = kit_.surroundings(),
                                                         .clock = kit_.clock()});
}

// Adds the implicit viscous force to the accelerations.
template <class D>
void Method<D>::diffuse() {
  const Index n = kit_.set.active();
  launch(kit_.exec, n, ProposeVelocities<D>{kick(), kit_.set.held_by(), viscosity_.velocity()});
  viscosity_.solve(kit_, viscous_step());
  launch(kit_.exec, n,
         TakeDiffused<D>{kit_.gate(), velocity(), viscosity_.velocity(), acceleration()});
}

// Free bodies get the reaction of their walls; then contacts of bodies with particles that would
// end up inside them.
template <class D>
void Method<D>::meet_bodies() {
  ParticleSet<D>& set = kit_.set;
  kit_.bodies.take_wall_forces(kit_.exec, kit_.gate(),
                               WallForceReaction<D>{.kernel = setup_.kernel,
                                                    .walls = kit_.walls.near(),
                                                    .wall_table = wall_table(),
                                                    .records = records(),
                                                    .pressure_force = proposed(),
                                                    .gravity = kit_.surroundings().gravity,
                                                    .phase = set.phase(),
                                                    .phases = phases_.data(),
                                                    .occupied = set.occupied()},
                               set.active(), kit_.walls);
  viscosity_.push_bodies(kit_, viscous_step());
  launch(kit_.exec, set.active(), ProposePositions<D>{kick(), set.position(), proposed()});
  kit_.couple_bodies(set.position(), proposed(), phases_.data()->mass,
                     contact_share * setup_.spacing);
}

template <class D>
void Method<D>::move_particles() {
  if (kit_.walls.have_bodies()) {
    move_among_walls<true>();
  } else {
    move_among_walls<false>();
  }
}

template <class D>
template <bool Bodies>
void Method<D>::move_among_walls() {
  ParticleSet<D>& set = kit_.set;
  kit_.end_step(MoveParticles<D, Bodies>{
      .gate = kit_.gate(),
      .kick = kick(),
      .position = set.position(),
      .velocity = velocity(),
      .coupled = proposed(),
      .records = records(),
      .mass = kit_.mass_of(phases_.data()->mass),
      .walls = kit_.walls.at_end(),
      .contact_distance = static_cast<float>(contact_share * setup_.spacing),
      .space = setup_.space(),
      .boundaries = kit_.boundaries()});
}

template <class D>
void Method<D>::read_out(ParticleFrame& frame) {
  sum_colour();
  kit_.exec.synchronize();
  const auto record = records_.download();
  const auto normal = normal_.download();
  const auto acceleration = kit_.set.columns.download_vectors(acceleration_);
  std::vector<std::uint32_t> held(frame.size(), 0);
  if (kit_.set.held >= 0) held = kit_.set.columns.download_words(kit_.set.held);
  float half_step = static_cast<float>(0.5 * kit_.now.dt_before);
  for (const ForceField& field : setup_.fields)
    if (field.active && largest_rate(field) * half_step > 1) half_step = 0;  // it would overshoot
  const std::vector<std::uint32_t>& phase = frame.phase();
  const std::vector<float>& masses = std::as_const(frame).scalars(standard_columns::mass().name);
  std::vector<Vec3>&velocities = frame.velocity(), &normals = frame.normal();
  std::vector<float>&density = frame.density(), &pressure = frame.pressure();
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (!held[i]) velocities[i] += acceleration[i].xyz() * half_step;  // v(n) from v(n-1/2)
    const float volume = record[i].second.w;
    density[i] = (masses.empty() ? setup_.phases.mass[phase[i]] : masses[i]) / volume;
    pressure[i] = record[i].first.w / (volume * volume) - setup_.phases.background;
    if (normal[i].w > setup_.params.surface_threshold) normals[i] = normalized(-normal[i].xyz());
  }
}

template <class D>
std::unique_ptr<Solver> make_solver(const Scene& scene, const DeviceOptions& options) {
  return make_particle_solver<Method>(scene, options, make_exec<D>(options.threads));
}

template std::unique_ptr<Solver> make_solver<PANTA_DEVICE>(const Scene&, const DeviceOptions&);

}  // namespace panta::sph
