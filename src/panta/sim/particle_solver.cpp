#include "panta/sim/particle_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "panta/core/make_exec.h"

namespace panta {

namespace {

constexpr int longest_batch = 32;  // steps between two looks at the device

struct InvertOrder {
  const std::uint32_t* order;
  std::uint32_t* back;
  PANTA_HD void operator()(Index k) const { back[order[k]] = static_cast<std::uint32_t>(k); }
};

}  // namespace

template <class D>
ParticleSolver<D>::ParticleSolver(const Scene& scene, const DeviceOptions& options, D exec)
    : exec_(exec), scene_(scene), profile_(options.profile) {
  timer_.enabled = profile_ || D::kind == DeviceKind::cpu;
  if (!scene.emitters.empty()) held_ = particles_.declare("held", AttributeType::word);
}

template <class D>
void ParticleSolver<D>::start(const ParticleSet& particles) {
  particles_.add(particles.position, particles.velocity, particles.phase);
  population_.occupied = static_cast<std::uint32_t>(particles.size());
  population_.next_id = particles_.next_id();
  take_setup();
  make_room(roomy(particles_.size()));
  float fastest = sources_.fastest();
  for (const Vec3& v : particles.velocity) fastest = std::max(fastest, length(v));
  state_.fastest = ordered_bits(fastest);
  state_.hardest = ordered_bits(length(setup().gravity));
  device_state_.set(state_);
}

template <class D>
void ParticleSolver<D>::forget_recording() {
  recording_.forget();
  warm_ = false;
}

template <class D>
void ParticleSolver<D>::take_setup() {
  walls_.set(setup().walls);
  fields_.upload(setup().fields);
  sources_.set(setup().emitters, setup().sinks);
  some_gone_ = some_gone_ || sources_.emit() || sources_.swallow();
  upload_setup();
  forget_recording();
}

template <class D>
void ParticleSolver<D>::upload_population() {
  population_.wanted = 0;
  population_.slots = static_cast<std::uint32_t>(particles_.size());
  sources_.population().set(population_);
}

// With emitters, so many slots for so many particles that room runs out rarely.
template <class D>
Index ParticleSolver<D>::roomy(Index particles) const {
  if (!sources_.emit()) return particles;
  return particles + particles / 4 + 4 * static_cast<Index>(sources_.layer_size()) + 1024;
}

template <class D>
void ParticleSolver<D>::make_room(Index slots) {
  particles_.set_slots(slots, gone_mark);
  resize(slots);
  walls_.reserve(slots);
  lists_.reserve(slots, setup().list_capacity);
  lists_.set_living(some_gone_ ? &sources_.population().data()->occupied : nullptr);
  upload_population();
  forget_recording();
}

template <class D>
Index ParticleSolver<D>::active() {
  if constexpr (D::kind == DeviceKind::cpu) {
    return static_cast<Index>(sources_.population().data()->occupied);
  } else {
    return particles_.size();
  }
}

template <class D>
void ParticleSolver<D>::advance(double until) {
  if (until <= state_.time) return;
  if (population_.occupied == 0 && !sources_.emit()) {
    state_.time = until;
    device_state_.set(state_);
    return;
  }
  fit_grid();
  state_.until = until;
  device_state_.set(state_);
  bool first = true;
  while (state_.time < until) {
    if (!std::exchange(first, false) && sources_.emit()) fit_grid();
    const double left = (until - state_.time) / expected_step();
    run_steps(D::kind == DeviceKind::cpu
                  ? 1
                  : static_cast<int>(std::clamp(left, 1.0, double(longest_batch))));
    check_progress();
  }
}

// The grid's box follows the particles, once per call of advance, or per batch of steps where
// emitters may fill what was empty: those that leave it meanwhile are still found, only more
// slowly.
template <class D>
void ParticleSolver<D>::fit_grid() {
  const Bounds bounds = find_bounds(exec_, particles_.position(), active(), bounds_scratch_);
  const GridSpec spec =
      make_grid_spec(bounds, static_cast<Index>(population_.living()), setup().grid);
  if (grid_.fit(spec)) forget_recording();
}

template <class D>
void ParticleSolver<D>::run_steps(int count) {
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
void ParticleSolver<D>::check_progress() {
  state_ = device_state_.get();
  if (some_gone_) population_ = sources_.population().get();
  if (population_.wanted > population_.slots)
    make_room(roomy(static_cast<Index>(population_.wanted)));
  if (state_.longest_list > static_cast<std::uint32_t>(lists_.capacity()))
    set_capacity(static_cast<Index>(state_.longest_list));
  if (state_.rows_too_short()) lengthen_rows(state_.longest_row);
  // What a step may add counts too: walls stop particles that the next step will throw again.
  const double fastest =
      from_ordered_bits(state_.fastest) + from_ordered_bits(state_.hardest) * state_.dt;
  if (state_.invalid || exploded(fastest)) report_failure();
}

// Room for lists of `longest` entries and some more.
template <class D>
void ParticleSolver<D>::set_capacity(Index longest) {
  setup().list_capacity = longest * 5 / 4;
  lists_.reserve(particles_.size(), setup().list_capacity);
  lists_.reset_longest();
  forget_recording();
}

template <class D>
void ParticleSolver<D>::report_failure() {
  const auto x = particles_.download_vectors(particles_.position_handle());
  const auto v = particles_.download_vectors(particles_.velocity_handle());
  const auto id = particles_.download_words(particles_.id_handle());
  std::size_t worst = 0;
  for (std::size_t i = 0; i < sources_.population().get().occupied; ++i) {
    const bool broken = !(length(v[i].xyz()) < 1e30f) || !(length(x[i].xyz()) < 1e30f);
    if (broken || length(v[i].xyz()) > length(v[worst].xyz())) worst = i;
    if (broken) break;
  }
  throw explosion(id[worst], x[worst].xyz(), v[worst].xyz());
}

template <class D>
void ParticleSolver<D>::sort_particles(Field4View<D> by) {
  const Index n = active();
  grid_.sort(exec_, by, n, &device_state_.data()->invalid, some_gone_);
  particles_.reorder(exec_, grid_.order(), n);
  if (some_gone_) launch(exec_, 1, DropGone{sources_.population().data()});
}

// Until it is called, some of the occupied slots may hold nobody.
template <class D>
void ParticleSolver<D>::drop_gone() {
  if (population_.gone == 0) return;
  fit_grid();
  const Index n = active();
  sort_particles();
  follow_sort(n);
  exec_.synchronize();
  population_ = sources_.population().get();
}

// A method that does not sort by position has to be put back into the order it was in, which the
// sums of the next step depend on.
template <class D>
void ParticleSolver<D>::undo_sort() {
  way_back_.resize(static_cast<std::size_t>(sorted_));
  launch(exec_, sorted_, InvertOrder{grid_.order(), way_back_.data()});
  particles_.reorder(exec_, way_back_.data(), sorted_);
  exec_.synchronize();
  population_ = before_;
  upload_population();
}

template <class D>
void ParticleSolver<D>::evaluate_at_rest() {
  before_ = population_;
  fit_grid();
  walls_.update_poses(exec_, &device_state_.data()->time, &device_state_.data()->dt);
  sorted_ = active();
  sort_particles();
  follow_sort(sorted_);
  for (;;) {
    evaluate();
    exec_.synchronize();
    if (lists_.longest() <= lists_.capacity()) break;
    set_capacity(lists_.longest());
  }
  population_ = sources_.population().get();
}

template <class D>
double ParticleSolver<D>::mean_neighbors() {
  if (population_.living() == 0) return 0;
  evaluate_at_rest();
  std::uint64_t total = 0;
  for (std::uint32_t count : lists_.download_counts()) total += count;
  evaluated();
  return double(total) / double(size());
}

template <class D>
ContactFinder& ParticleSolver<D>::contact_finder() {
  if (!contact_finder_) contact_finder_ = std::make_unique<ContactFinder>(scene_);
  return *contact_finder_;
}

template <class D>
ContactFrame ParticleSolver<D>::contacts() {
  return contact_finder().find(snapshot());
}

template <class D>
std::vector<StageTime> ParticleSolver<D>::stages() {
  std::vector<StageTime> out;
  for (const auto& [name, ms] : timer_.take()) out.push_back({name, ms});
  return out;
}

template <class D>
PositionPointers ParticleSolver<D>::positions() {
  drop_gone();
  PositionPointers p;
  p.device = D::kind;
  p.count = size();
  for (int k = 0; k < 3; ++k) p.component[k] = particles_.position().component(k);
  p.stride = Field4View<D>::stride;
  return p;
}

template <class D>
int ParticleSolver<D>::threads() const {
  return thread_count(exec_);
}

template <class D>
void ParticleSolver<D>::change(const Scene& scene) {
  check_change(scene_, scene);
  const Index list_capacity = setup().list_capacity;
  // Which particles are one body is known from the scene they started in.
  if (contact_finder_ || !scene_.solids.empty()) contact_finder().change(scene);
  scene_ = scene;
  remake_setup(scene);
  setup().list_capacity = std::max(setup().list_capacity, list_capacity);
  take_setup();
  make_room(particles_.size());
}

template <class D>
void ParticleSolver<D>::add(const std::vector<Fluid>& fluids) {
  drop_gone();
  const auto living = static_cast<Index>(population_.occupied);
  std::vector<Vec3> present;
  const auto x = particles_.download_vectors(particles_.position_handle());
  for (Index i = 0; i < living; ++i) present.push_back(x[static_cast<std::size_t>(i)].xyz());
  const ParticleSet fresh = sample_added(scene_, fluids, present, state_.time);
  particles_.set_slots(living, gone_mark);
  particles_.set_next_id(population_.next_id);
  particles_.add(fresh.position, fresh.velocity, fresh.phase);
  resize(particles_.size());
  begin_with(static_cast<std::size_t>(living), fresh.size());
  population_.occupied = static_cast<std::uint32_t>(particles_.size());
  population_.next_id = particles_.next_id();
  make_room(roomy(particles_.size()));
  for (const Vec3& v : fresh.velocity)
    state_.fastest = std::max(state_.fastest, ordered_bits(length(v)));
  device_state_.set(state_);
}

template <class D>
void ParticleSolver<D>::clear(const Shape& region) {
  SinkList list;
  list.add(region);
  DeviceSinks<D> sinks;
  sinks.set(list);
  some_gone_ = true;
  make_room(particles_.size());
  launch(exec_, active(),
         ClearRegion<D>{sinks.view(), particles_.position(), sources_.population().data()});
  exec_.synchronize();
  population_ = sources_.population().get();
}

template <class D>
void ParticleSolver<D>::save(State& state) {
  const auto x = particles_.download_vectors(particles_.position_handle());
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < population_.occupied; ++i)
    if (x[i].w == 0) kept.push_back(i);
  state.put("position", filtered(x, kept));
  state.put("velocity", filtered(particles_.download_vectors(particles_.velocity_handle()), kept));
  state.put("id", filtered(particles_.download_words(particles_.id_handle()), kept));
  state.put("phase", filtered(particles_.download_words(particles_.phase_handle()), kept));
  if (held_ >= 0) state.put("held", filtered(particles_.download_words(held_), kept));
  save_more(state, kept);
  state.put_value("step", state_);
  Population population = population_;
  population.occupied = population.living();
  population.removed += population.gone;
  population.gone = 0;
  state.put_value("population", population);
  state.put_value("list capacity", setup().list_capacity);
  sources_.save(state);
}

template <class D>
void ParticleSolver<D>::restore(const State& state) {
  const auto position = state.get<Vec4>("position");
  const auto velocity = state.get<Vec4>("velocity");
  const auto id = state.get<std::uint32_t>("id"), phase = state.get<std::uint32_t>("phase");
  const auto held = held_ >= 0 ? state.get<std::uint32_t>("held") : id;
  population_ = state.get_value<Population>("population");
  const std::size_t n = position.size();
  for (const std::size_t size :
       {velocity.size(), id.size(), phase.size(), held.size(), std::size_t{population_.occupied}})
    if (size != n)
      throw Error(ErrorKind::io, "the saved state is inconsistent: its arrays differ in length");
  const auto is_gone = [](const Vec4& x) { return x.w != 0; };
  if (population_.gone > 0 || std::any_of(position.begin(), position.end(), is_gone))
    throw Error(ErrorKind::io, "the saved state is inconsistent: it has particles that are gone");
  check_saved(phase, held_ >= 0 ? held : std::vector<std::uint32_t>{}, scene_);
  state_ = state.get_value<StepState>("step");
  if (!(state_.time >= 0 && std::isfinite(state_.time)))
    throw Error(ErrorKind::io, "the saved state is inconsistent: it is of no time since the start");
  // How long rows may be is up to this solver (restore_more says), not to the one that was saved.
  state_.longest_row = 0;
  state_.row_capacity = StepState{}.row_capacity;
  sources_.restore(state);
  const auto count = static_cast<Index>(n);
  // A list longer than there are particles is of no use.
  setup().list_capacity = std::max(setup().list_capacity,
                                   std::min(state.get_value<Index>("list capacity"), roomy(count)));
  particles_.set_slots(count, gone_mark);
  particles_.upload_vectors(particles_.position_handle(), position);
  particles_.upload_vectors(particles_.velocity_handle(), velocity);
  particles_.upload_words(particles_.id_handle(), id);
  particles_.upload_words(particles_.phase_handle(), phase);
  if (held_ >= 0) particles_.upload_words(held_, held);
  resize(count);
  restore_more(state, n);
  particles_.set_next_id(population_.next_id);
  make_room(roomy(count));
  device_state_.set(state_);
}

template class ParticleSolver<PANTA_DEVICE>;

}  // namespace panta
