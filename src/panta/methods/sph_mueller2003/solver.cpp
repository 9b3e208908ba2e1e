#include "panta/methods/sph_mueller2003/solver.h"

#include <algorithm>

#include "panta/core/make_exec.h"
#include "panta/scene/sample.h"

namespace panta::sph {

namespace {

constexpr int longest_batch = 32;      // steps between two looks at the device
constexpr double explosion_mach = 10;  // faster than so many sound speeds is no simulation any more

std::vector<float> identity_matrix() {
  std::vector<float> m(max_phases * max_phases, 0.0f);
  for (int k = 0; k < max_phases; ++k) m[static_cast<std::size_t>(k * max_phases + k)] = 1.0f;
  return m;
}

}  // namespace

template <class D>
Solver<D>::Solver(const Scene& scene, const DeviceOptions& options, D exec)
    : exec_(exec), scene_(scene), setup_(make_setup(scene)), profile_(options.profile) {
  timer_.enabled = profile_ || D::kind == DeviceKind::cpu;
  if (!scene.emitters.empty()) held_ = particles_.declare("held", AttributeType::word);
  const ParticleSet start = sample_fluids(scene);
  particles_.add(start.position, start.velocity, start.phase);
  population_.occupied = static_cast<std::uint32_t>(start.size());
  population_.next_id = particles_.next_id();
  same_.upload(identity_matrix());
  upload_setup();
  make_room(roomy(particles_.size()));
  float fastest = sources_.fastest();
  for (const Vec3& v : start.velocity) fastest = std::max(fastest, length(v));
  state_.fastest = ordered_bits(fastest);
  state_.hardest = ordered_bits(length(setup_.gravity));
  device_state_.set(state_);
}

template <class D>
void Solver<D>::upload_setup() {
  walls_.set(setup_.walls);
  wall_entries_.upload(setup_.wall_table);
  fields_.upload(setup_.fields);
  phases_.set(setup_.phases);
  sources_.set(setup_.emitters, setup_.sinks);
  some_gone_ = some_gone_ || sources_.emit() || sources_.swallow();
  recording_.forget();
  warm_ = false;
}

template <class D>
void Solver<D>::upload_population() {
  population_.wanted = 0;
  population_.slots = static_cast<std::uint32_t>(particles_.size());
  sources_.population().set(population_);
}

// With emitters, so many slots for so many particles that room runs out rarely.
template <class D>
Index Solver<D>::roomy(Index particles) const {
  if (!sources_.emit()) return particles;
  return particles + particles / 4 + 4 * static_cast<Index>(sources_.layer_size()) + 1024;
}

template <class D>
void Solver<D>::make_room(Index slots) {
  const std::size_t size = static_cast<std::size_t>(slots);
  particles_.set_slots(slots, gone_mark);
  acceleration_.resize(size);
  normal_.resize(size);
  records_.resize(size);
  walls_.reserve(slots);
  lists_.reserve(slots, setup_.list_capacity);
  lists_.set_living(some_gone_ ? &sources_.population().data()->occupied : nullptr);
  upload_population();
  recording_.forget();
  warm_ = false;
}

template <class D>
Index Solver<D>::active() {
  if constexpr (D::kind == DeviceKind::cpu) {
    return static_cast<Index>(sources_.population().data()->occupied);
  } else {
    return particles_.size();
  }
}

template <class D>
void Solver<D>::advance(double until) {
  if (until <= state_.time) return;
  if (population_.occupied == 0 && !sources_.emit()) {
    state_.time = until;
    device_state_.set(state_);
    return;
  }
  fit_grid();
  state_.until = until;
  device_state_.set(state_);
  while (state_.time < until) {
    const double dt = state_.dt_before > 0 ? state_.dt_before : setup_.limits.choose(0, 0);
    const double left = (until - state_.time) / dt;
    run_steps(D::kind == DeviceKind::cpu
                  ? 1
                  : static_cast<int>(std::clamp(left, 1.0, double(longest_batch))));
    check_progress();
  }
}

// The grid's box follows the particles, once per call of advance: those that leave it meanwhile are
// still found, only more slowly.
template <class D>
void Solver<D>::fit_grid() {
  const Bounds bounds = find_bounds(exec_, particles_.position(), active(), bounds_scratch_);
  const GridSpec spec =
      make_grid_spec(bounds, static_cast<Index>(population_.living()), setup_.grid);
  if (grid_.fit(spec)) {
    recording_.forget();
    warm_ = false;
  }
}

template <class D>
void Solver<D>::run_steps(int count) {
  for (int k = 0; k < count; ++k) {
    if (!warm_ || profile_) {
      step();
      warm_ = true;
      continue;
    }
    recording_.run(
        exec_, static_cast<std::uint64_t>(particles_.current_copy()), [this] { step(); },
        [this] { particles_.swap_copies(); });
  }
  exec_.synchronize();
}

template <class D>
void Solver<D>::check_progress() {
  state_ = device_state_.get();
  if (some_gone_) population_ = sources_.population().get();
  if (population_.wanted > population_.slots)
    make_room(roomy(static_cast<Index>(population_.wanted)));
  if (state_.longest_list > static_cast<std::uint32_t>(lists_.capacity())) grow_lists();
  // What a step may add counts too: walls stop particles that the next step will throw again.
  const double fastest =
      from_ordered_bits(state_.fastest) + from_ordered_bits(state_.hardest) * state_.dt;
  if (state_.invalid || !(fastest < explosion_mach * setup_.sound_speed)) report_failure();
}

template <class D>
void Solver<D>::grow_lists() {
  setup_.list_capacity = static_cast<Index>(state_.longest_list) * 5 / 4;
  lists_.reserve(particles_.size(), setup_.list_capacity);
  lists_.reset_longest();
  recording_.forget();
  warm_ = false;
}

template <class D>
void Solver<D>::report_failure() {
  const auto x = particles_.download_vectors(particles_.position_handle());
  const auto v = particles_.download_vectors(particles_.velocity_handle());
  const auto id = particles_.download_words(particles_.id_handle());
  std::size_t worst = 0;
  for (std::size_t i = 0; i < sources_.population().get().occupied; ++i) {
    const bool broken = !(length(v[i].xyz()) < 1e30f) || !(length(x[i].xyz()) < 1e30f);
    if (broken || length(v[i].xyz()) > length(v[worst].xyz())) worst = i;
    if (broken) break;
  }
  throw explosion(state_, setup_.sound_speed, id[worst], x[worst].xyz(), v[worst].xyz());
}

template <class D>
void Solver<D>::step() {
  timer_.start(exec_);
  StepState* const now = device_state_.data();
  launch(exec_, 1, PlanStep{now, setup_.limits});
  sources_.begin_step(exec_, particles_, held(), &now->time, &now->done);
  walls_.update_poses(exec_, &now->time, &now->dt);
  sort_particles();
  timer_.mark(exec_, "sort");
  sum_density();
  timer_.mark(exec_, "lists and density");
  if (setup_.tension == TensionModel::morris2000) {
    sum_colour();
    timer_.mark(exec_, "colour");
  }
  sum_forces();
  timer_.mark(exec_, "forces");
  move_particles();
  timer_.mark(exec_, "move");
}

template <class D>
void Solver<D>::sort_particles() {
  const Index n = active();
  grid_.sort(exec_, particles_.position(), n, &device_state_.data()->invalid, some_gone_);
  particles_.reorder(exec_, grid_.order(), n);
  grid_.index(exec_);
  if (some_gone_) launch(exec_, 1, DropGone{sources_.population().data()});
}

template <class D>
void Solver<D>::sum_density() {
  walls_.find_contacts(exec_, particles_.position(), active(), setup_.kernel.h);
  lists_.build(exec_, grid_.view(), particles_.position(), particles_.position(), active(), true,
               setup_.kernel.h,
               DensitySum<D>{setup_.kernel, walls_.near(), wall_table(), particles_.position(),
                             particles_.velocity(), records(), particles_.phase(), phases_.data(),
                             device_state_.data(), held()});
}

template <class D>
void Solver<D>::sum_colour() {
  sum_over_lists(exec_, records(), lists_.view(), setup_.grid.period,
                 ColourGradient<D>{setup_.kernel, walls_.near(), wall_table(), records(),
                                   normal_.view(), same_fluid(), phases_.data()});
}

template <class D>
void Solver<D>::sum_forces() {
  const bool several = setup_.several_fluids;
  switch (setup_.tension) {
    case TensionModel::none:
      return several ? sum_forces_as<TensionModel::none, true>()
                     : sum_forces_as<TensionModel::none, false>();
    case TensionModel::morris2000:
      return several ? sum_forces_as<TensionModel::morris2000, true>()
                     : sum_forces_as<TensionModel::morris2000, false>();
    case TensionModel::mueller2003:
      return several ? sum_forces_as<TensionModel::mueller2003, true>()
                     : sum_forces_as<TensionModel::mueller2003, false>();
  }
}

template <class D>
template <TensionModel Tension, bool Several>
void Solver<D>::sum_forces_as() {
  const Surroundings surroundings{setup_.gravity, fields_.data(), static_cast<int>(fields_.size())};
  sum_over_lists(
      exec_, records(), lists_.view(), setup_.grid.period,
      ForceSum<D, Tension, Several>{setup_.kernel, walls_.near(), wall_table(), records(),
                                    normal_.view(), acceleration_.view(), same_fluid(),
                                    phases_.data(), surroundings, &device_state_.data()->time});
}

template <class D>
void Solver<D>::move_particles() {
  const auto* longest = lists_.view().longest;
  const auto capacity = static_cast<std::uint32_t>(lists_.capacity());
  StepState* const now = device_state_.data();
  if (walls_.have_bodies()) {
    move_among_walls<true>(longest, capacity);
  } else {
    move_among_walls<false>(longest, capacity);
  }
  launch(exec_, 1, FinishStep{now, longest, capacity});
  sources_.end_step(exec_, &now->time, &now->dt, &now->completed);
}

template <class D>
template <bool Bodies>
void Solver<D>::move_among_walls(const std::uint32_t* longest, std::uint32_t capacity) {
  const float contact = static_cast<float>(0.1 * setup_.spacing);
  launch_maxima<2>(
      exec_, active(),
      MoveParticles<D, Bodies>{
          device_state_.data(), longest, capacity, particles_.position(), particles_.velocity(),
          acceleration_.view(), records(), particles_.phase(), phases_.data(), walls_.at_end(),
          contact, setup_.grid.period, setup_.grid.period_origin, setup_.dimensions,
          sources_.population().data(), sources_.emitters().specs, held(), sources_.sinks()},
      &device_state_.data()->now_fastest);
}

template <class D>
int Solver<D>::threads() const {
  return thread_count(exec_);
}

template <class D>
WallTable Solver<D>::wall_table() const {
  return {wall_entries_.data(), 1.0f / setup_.kernel.h};
}

template <class D>
SameFluid Solver<D>::same_fluid() {
  return {setup_.several_fluids, particles_.phase(), same_.data()};
}

template <class D>
std::unique_ptr<Simulation> make_solver(const Scene& scene, const DeviceOptions& options) {
  return std::make_unique<Solver<D>>(scene, options, make_exec<D>(options.threads));
}

// For timeline.cpp and readout.cpp.
template Index Solver<PANTA_DEVICE>::active();
template Index Solver<PANTA_DEVICE>::roomy(Index) const;
template void Solver<PANTA_DEVICE>::make_room(Index);
template void Solver<PANTA_DEVICE>::upload_setup();
template void Solver<PANTA_DEVICE>::fit_grid();
template void Solver<PANTA_DEVICE>::grow_lists();
template void Solver<PANTA_DEVICE>::sort_particles();
template void Solver<PANTA_DEVICE>::sum_density();
template void Solver<PANTA_DEVICE>::sum_colour();

template std::unique_ptr<Simulation> make_solver<PANTA_DEVICE>(const Scene&, const DeviceOptions&);

}  // namespace panta::sph
