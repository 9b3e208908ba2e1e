#include "panta/solver/particle_driver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "panta/core/loop.h"
#include "panta/core/make_exec.h"
#include "panta/particles/standard_columns.h"
#include "panta/solver/common_columns.h"
#include "panta/solver/object_table.h"
#include "panta/solver/particle_access_impl.h"
#include "panta/solver/particle_keep_impl.h"
#include "panta/solver/particle_readout_impl.h"
#include "panta/solver/particle_resample_impl.h"
#include "panta/solver/particle_sets_impl.h"
#include "panta/solver/run_errors.h"

namespace panta {

namespace {

constexpr int longest_batch = 32;  // steps between two reads of the clock from the device

// For the message about an explosion.
struct WorstParticle {
  std::uint32_t id = 0;
  Vec3 position, velocity;
  bool broken = false;  // its position or velocity is not finite
};

// The first particle with a broken position or velocity, else the fastest one.
template <class D>
WorstParticle worst_particle(ParticleSet<D>& set) {
  Particles<D>& columns = set.columns;
  const auto x = columns.download_vectors(columns.position_handle());
  const auto v = columns.download_vectors(columns.velocity_handle());
  const auto id = columns.download_words(columns.id_handle());
  const std::size_t occupied = set.population.get().occupied;
  WorstParticle worst;
  for (std::size_t i = 0; i < occupied && !worst.broken; ++i) {
    const bool broken = !(length(v[i].xyz()) < 1e30f) || !(length(x[i].xyz()) < 1e30f);
    if (i == 0 || broken || length(v[i].xyz()) > length(worst.velocity))
      worst = {id[i], x[i].xyz(), v[i].xyz(), broken};
  }
  return worst;
}

}  // namespace

template <class D>
ParticleDriver<D>::ParticleDriver(const Scene& scene, const DeviceOptions& options, const D& exec,
                                  const MakeMethod<D>& make_method)
    : kit_(scene, exec), profile_(options.profile) {
  kit_.timer.enabled = profile_ || D::kind == DeviceKind::cpu;
  kit_.solids = sample_solids(scene);
  kit_.start = sample_scene(scene, kit_.solids);
  objects_ = make_objects(scene, kit_.solids);
  start_objects_ = objects_.size();
  Particles<D>& columns = kit_.set.columns;
  for (const ColumnInfo& column : common_columns(&scene)) columns.declare(column);
  kit_.set.held = columns.find(standard_columns::held().name);
  kit_.set.object = columns.find(standard_columns::object().name);
  kit_.add_room(
      [this](std::uint32_t needed) { make_room(with_spare(static_cast<Index>(needed))); });
  kit_.add_room([this](std::uint32_t needed) { set_list_capacity(static_cast<Index>(needed)); });
  StepState* const clock = kit_.clock();
  kit_.set.lists.report_to(&clock->needed[kit_.lists_room], &clock->closed,
                           StepState::lacks_room(kit_.lists_room));
  method_ = make_method(kit_);
  kit_.setup = &setup();
  start_particles();
  for (ParticleSet<D>& set : kit_.more_sets) start_set(set);
}

template <class D>
void ParticleDriver<D>::start_particles() {
  take_setup();
  append(kit_.start, 0);
  StepState& now = kit_.now;
  now.fastest = std::max(now.fastest, ordered_bits(kit_.sources.fastest()));
  now.hardest = ordered_bits(length(setup().gravity));
  kit_.state.set(now);
}

// Appends particles. Requires that kit_.set has no removed particles.
template <class D>
void ParticleDriver<D>::append(const SampledParticles& particles, std::size_t first_object) {
  ParticleSet<D>& set = kit_.set;
  const auto first = static_cast<std::size_t>(set.columns.size());
  set.columns.add(particles.position, particles.velocity, particles.phase);
  if (set.object >= 0) {
    auto objects = set.columns.download_words(set.object);
    for (std::size_t i = 0; i < particles.size(); ++i)
      objects[first + i] = static_cast<std::uint32_t>(first_object + particles.object[i]);
    set.columns.upload_words(set.object, objects);
  }
  set.counted.occupied = static_cast<std::uint32_t>(set.columns.size());
  set.counted.next_id = set.columns.next_id();
  method_->resize(set.columns.size());
  method_->particles_added(first, particles.size());
  make_room(slots_for(set.columns.size()));
  kit_.fill_masses();
  kit_.exec.synchronize();
  for (const Vec3& v : particles.velocity)
    kit_.now.fastest = std::max(kit_.now.fastest, ordered_bits(length(v)));
}

template <class D>
void ParticleDriver<D>::forget_recording() {
  recording_.forget();
  warm_ = false;
}

template <class D>
void ParticleDriver<D>::take_setup() {
  kit_.walls.set(setup().walls);
  kit_.fields.upload(setup().fields);
  EmitterList emitters = setup().emitters;
  for (std::size_t e = 0; e < emitters.specs.size(); ++e)
    emitters.specs[e].object = static_cast<std::uint32_t>(kit_.first_emitter_object() + e);
  kit_.sources.set(emitters, setup().sinks);
  kit_.set.some_gone =
      kit_.set.some_gone || kit_.sources.has_emitters() || kit_.sources.has_sinks();
  if (!setup().bodies.specs.empty()) kit_.bodies.set(setup().bodies);
  std::vector<float> masses;
  for (std::size_t k = 0; k < kit_.scene.materials.size(); ++k)
    masses.push_back(static_cast<float>(panta::particle_mass(kit_.scene, k)));
  kit_.mass_of_phase.upload(masses);
  method_->upload_setup();
  forget_recording();
}

// A number of slots with reserve, so that steps rarely request room.
template <class D>
Index ParticleDriver<D>::with_spare(Index particles) const {
  return particles + particles / 4 + 4 * static_cast<Index>(kit_.sources.layer_size()) + 1024;
}

template <class D>
Index ParticleDriver<D>::slots_for(Index particles) const {
  return kit_.sources.has_emitters() ? with_spare(particles) : particles;
}

template <class D>
void ParticleDriver<D>::make_room(Index slots) {
  arrays_changed();
  kit_.set.make_room(slots, setup().list_capacity);
  method_->resize(slots);
  kit_.walls.reserve(slots);
  kit_.bodies.reserve(slots);
  forget_recording();
}

template <class D>
void ParticleDriver<D>::set_list_capacity(Index longest) {
  setup().list_capacity = longest * 5 / 4;
  kit_.set.lists.reserve(kit_.set.columns.size(), setup().list_capacity);
  forget_recording();
}

template <class D>
void ParticleDriver<D>::advance_to(double until) {
  StepState& now = kit_.now;
  if (until <= now.time) return;
  check_motions(kit_.scene, now.time);
  arrays_changed();
  loads_before_ = kit_.bodies.loads();
  time_before_ = now.time;
  if (is_empty()) {
    now.time = until;
    kit_.state.set(now);
    return;
  }
  fit_grids();
  now.until = until;
  kit_.state.set(now);
  bool first = true;
  while (now.time < until) {
    if (!std::exchange(first, false) && kit_.sources.has_emitters()) fit_grids();
    const double step = now.dt_before > 0 ? now.dt_before : setup().usual_step;
    const double left = std::clamp((until - now.time) / step, 1.0, double(longest_batch));
    run_steps(D::kind == DeviceKind::cpu ? 1 : static_cast<int>(left));
    check_progress();
  }
  check_solves();
}

// Whether a step would have nothing to move or emit.
template <class D>
bool ParticleDriver<D>::is_empty() {
  for (const ParticleSet<D>* set : kit_.sets())
    if (set->counted.occupied > 0) return false;
  return !kit_.sources.has_emitters() && kit_.bodies.empty();
}

// Fits the grid's box to the particles: once per call of advance_to, and with emitters once per
// batch of steps. Particles that leave the box in between are still found, but more slowly.
template <class D>
void ParticleDriver<D>::fit_grid(ParticleSet<D>& set) {
  const Bounds bounds = find_bounds(kit_.exec, set.position(), set.active(), bounds_scratch_);
  const GridSpec spec =
      make_grid_spec(bounds, static_cast<Index>(set.counted.living()), setup().grid);
  if (set.grid.fit(spec)) forget_recording();
}

template <class D>
void ParticleDriver<D>::fit_grids() {
  for (ParticleSet<D>* set : kit_.sets()) fit_grid(*set);
}

template <class D>
void ParticleDriver<D>::run_steps(int count) {
  const bool has_loops = setup().on_failure.has_value();
  const bool record = !profile_ && (!has_loops || loops_can_be_recorded<D>());
  for (int k = 0; k < count; ++k) {
    kit_.fresh = kit_.now.steps == 0 && !warm_;
    if (!warm_ || !record) {
      method_->step();
      warm_ = true;
      continue;
    }
    const std::uint64_t copies = current_copies();
    recording_.run(
        kit_.exec, copies,
        [&] {
          method_->step();
          swapped_ = copies ^ current_copies();
        },
        [this] { swap_copies(swapped_); });
  }
  kit_.exec.synchronize();
}

template <class D>
bool ParticleDriver<D>::enlarge_arrays() {
  StepState& now = kit_.now;
  bool enlarged = false;
  for (std::size_t k = 0; k < kit_.rooms().size(); ++k) {
    const std::uint32_t needed = std::exchange(now.needed[k], 0);
    if (needed == 0) continue;
    kit_.rooms()[k](needed);
    now.closed &= ~StepState::lacks_room(static_cast<int>(k));
    forget_recording();
    enlarged = true;
  }
  if (enlarged) kit_.state.set(now);
  return enlarged;
}

template <class D>
void ParticleDriver<D>::check_progress() {
  StepState& now = kit_.now;
  now = kit_.state.get();
  check_motions(kit_.scene, now.time);
  for (ParticleSet<D>* set : kit_.sets())
    if (set->some_gone) set->counted = set->population.get();
  enlarge_arrays();
  // Includes the velocity that the next step may add: a particle that a wall has stopped may be
  // accelerated again.
  const double fastest = from_ordered_bits(now.fastest) + from_ordered_bits(now.hardest) * now.dt;
  if (now.invalid || !(fastest < setup().highest_speed)) report_failure();
}

template <class D>
void ParticleDriver<D>::report_failure() {
  WorstParticle worst = worst_particle(kit_.set);
  std::string name = std::to_string(worst.id);
  for (ParticleSet<D>& set : kit_.more_sets) {
    if (worst.broken) break;
    if (const WorstParticle other = worst_particle(set); other.broken) {
      worst = other;
      name = std::to_string(other.id) + " of '" + set.name + "'";
    }
  }
  throw explosion(kit_.now, name, worst.position, worst.velocity, setup().remedy);
}

// Removes the empty slots between particles.
template <class D>
void ParticleDriver<D>::drop_gone(ParticleSet<D>& set) {
  if (set.counted.gone == 0) return;
  arrays_changed();
  fit_grid(set);
  set.sort_at_rest(kit_.exec, &kit_.clock()->invalid);
  kit_.exec.synchronize();
  set.counted = set.population.get();
}

template <class D>
std::vector<StageTime> ParticleDriver<D>::stages() {
  std::vector<StageTime> out;
  for (auto& [name, ms] : kit_.timer.take()) out.push_back({name, ms});
  return out;
}

template <class D>
int ParticleDriver<D>::threads() const {
  return thread_count(kit_.exec);
}

template <class D>
void ParticleDriver<D>::change_to(const Scene& scene, bool restoring) {
  check_change(kit_.scene, scene);
  kit_.restoring = restoring;
  const Index list_capacity = setup().list_capacity;
  method_->change(scene);
  kit_.scene = scene;
  setup().list_capacity = std::max(setup().list_capacity, list_capacity);
  take_setup();
  make_room(kit_.set.columns.size());
  for (ParticleSet<D>& set : kit_.more_sets) make_room_of(set, set.columns.size());
}

template <class D>
void ParticleDriver<D>::add(const std::vector<Fluid>& fluids) {
  ParticleSet<D>& set = kit_.set;
  drop_gone(set);
  const auto living = static_cast<Index>(set.counted.occupied);
  std::vector<Vec3> present;
  const auto x = set.columns.download_vectors(set.columns.position_handle());
  for (Index i = 0; i < living; ++i) present.push_back(x[static_cast<std::size_t>(i)].xyz());
  const SampledParticles fresh = sample_added(kit_.scene, fluids, present, kit_.now.time);
  const std::size_t first_object = objects_.size();
  for (const Fluid& fluid : fluids)
    objects_.push_back(added_object(kit_.scene, fluid.material, objects_.size() - start_objects_));
  if (set.object < 0) set.object = set.columns.declare(standard_columns::object());
  set.columns.set_slots(living);
  set.columns.set_next_id(set.counted.next_id);
  append(fresh, first_object);
  kit_.state.set(kit_.now);
}

template <class D>
void ParticleDriver<D>::clear(const Shape& region) {
  SinkList list;
  list.add(region);
  DeviceSinks<D> sinks;
  sinks.set(list);
  ParticleSet<D>& set = kit_.set;
  set.some_gone = true;
  make_room(set.columns.size());
  launch(kit_.exec, set.active(),
         ClearRegion<D>{sinks.view(), set.position(), set.population.data()});
  kit_.exec.synchronize();
  set.counted = set.population.get();
}

template class ParticleDriver<PANTA_DEVICE>;

}  // namespace panta
