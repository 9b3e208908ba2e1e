// Frames and other data read from a running simulation, and its saved state. Reading changes no
// result.
#pragma once

#include <algorithm>
#include <cmath>

#include "panta/core/make_exec.h"
#include "panta/particles/standard_columns.h"
#include "panta/solver/object_table.h"
#include "panta/solver/particle_driver.h"
#include "panta/solver/read_columns.h"

namespace panta {

namespace detail {

struct InvertOrder {
  const std::uint32_t* order;
  std::uint32_t* back;
  PANTA_HD void operator()(Index k) const { back[order[k]] = static_cast<std::uint32_t>(k); }
};

[[noreturn]] inline void inconsistent(const char* what) {
  throw Error(ErrorKind::io, std::string("the saved state is inconsistent: ") + what);
}

template <class D>
inline void save_set(State& state, ParticleSet<D>& set, const std::vector<std::size_t>& kept,
                     const std::string& prefix) {
  set.columns.save(state, kept, prefix);
  state.put_value(prefix + "population", set.settled());
}

template <class D>
inline void restore_set(const State& state, ParticleSet<D>& set, const std::string& prefix,
                        const Scene& scene) {
  Particles<D>& columns = set.columns;
  const Population population = state.get_value<Population>(prefix + "population");
  // Columns that may be missing in the saved state, because they are added during a run.
  const std::vector<std::string> later = {standard_columns::object().name,
                                          standard_columns::force().name,
                                          standard_columns::mass().name};
  columns.restore(state, prefix, later);
  if (population.gone > 0 || population.occupied != static_cast<std::uint32_t>(columns.size()))
    inconsistent("its number of particles is another");
  check_saved(columns.download_words(columns.phase_handle()),
              set.held < 0 ? std::vector<std::uint32_t>{} : columns.download_words(set.held),
              scene);
  set.counted = population;
  columns.set_next_id(population.next_id);
}

inline void check_saved_masses(const std::vector<float>& masses) {
  for (const float mass : masses)
    if (!(mass >= 0 && std::isfinite(mass))) inconsistent("it has a particle of an invalid mass");
}

// Prefix of the names of an additional set's arrays in a saved state.
inline std::string saved_prefix(const std::string& set) { return set + " "; }

}  // namespace detail

// Sorts particles by position, and computes lists and values for frames.
template <class D>
void ParticleDriver<D>::evaluate_at_rest() {
  ParticleSet<D>& set = kit_.set;
  arrays_changed();
  before_readout_ = set.counted;
  fit_grid(set);
  kit_.walls.update_poses(kit_.exec, &kit_.clock()->time, &kit_.clock()->dt);
  kit_.fill_masses();
  sorted_ = set.active();
  set.sort_at_rest(kit_.exec, &kit_.clock()->invalid);
  do {
    method_->evaluate();
    kit_.exec.synchronize();
    kit_.now = kit_.state.get();
  } while (enlarge_arrays());
  set.counted = set.population.get();
}

// Restores the order of particles, for methods whose sums depend on it.
template <class D>
void ParticleDriver<D>::end_readout() {
  if (!setup().order_matters) return;
  ParticleSet<D>& set = kit_.set;
  inverse_order_.resize(static_cast<std::size_t>(sorted_));
  launch(kit_.exec, sorted_, detail::InvertOrder{set.grid.order(), inverse_order_.data()});
  set.columns.reorder(kit_.exec, inverse_order_.data(), sorted_);
  kit_.exec.synchronize();
  set.counted = before_readout_;
  set.upload_population();
}

template <class D>
double ParticleDriver<D>::mean_neighbors() {
  if (size() == 0) return 0;
  evaluate_at_rest();
  std::uint64_t total = 0;
  for (std::uint32_t count : kit_.set.lists.download_counts()) total += count;
  end_readout();
  return double(total) / double(size());
}

// The poses of free bodies, with the mean forces since the start of the last advance.
template <class D>
std::vector<BodyPose> ParticleDriver<D>::read_bodies() const {
  std::vector<BodyPose> poses = kit_.bodies.poses();
  const std::vector<BodyLoads> loads = kit_.bodies.loads();
  const double time = kit_.now.time - time_before_;
  if (!(time > 0) || loads_before_.size() != loads.size()) return poses;
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const BodyLoads &now = loads[b], &then = loads_before_[b];
    poses[b].force_particles = (now.particles.impulse - then.particles.impulse) * (1 / time);
    poses[b].torque_particles = (now.particles.moment - then.particles.moment) * (1 / time);
    poses[b].force_contacts = (now.contacts.impulse - then.contacts.impulse) * (1 / time);
    poses[b].torque_contacts = (now.contacts.moment - then.contacts.moment) * (1 / time);
  }
  return poses;
}

template <class D>
ParticleFrame ParticleDriver<D>::snapshot() {
  ParticleFrame frame;
  frame.time = kit_.now.time;
  frame.objects = objects_;
  require_columns(kit_.set.columns, frame);
  for (const ColumnInfo& info : kit_.computed) frame.require(info);
  frame.bodies = read_bodies();
  if (size() > 0) {
    evaluate_at_rest();
    frame.resize(kit_.set.counted.occupied);
    read_columns(kit_.set.columns, frame);
    method_->read_out(frame);
    end_readout();
    frame.sort_by_id();
  }
  return frame;
}

template <class D>
void ParticleDriver<D>::save(State& state) {
  ParticleSet<D>& set = kit_.set;
  const std::vector<std::size_t> kept = set.living();
  detail::save_set(state, set, kept, "");
  save_parts(state, kept);
  StepState now = kit_.now;
  now.closed = 0;
  state.put_value("step", now);
  state.put_value("list capacity", setup().list_capacity);
  std::vector<std::uint32_t> added;  // materials of the objects added during the run
  for (std::size_t k = start_objects_; k < objects_.size(); ++k)
    added.push_back(static_cast<std::uint32_t>(objects_[k].material));
  state.put("added objects", added);
  for (ParticleSet<D>& further : kit_.more_sets)
    detail::save_set(state, further, further.living(), detail::saved_prefix(further.name));
}

// Saves the data of method, free bodies and emitters outside the columns; `kept`: the saved
// particles, by slot.
template <class D>
void ParticleDriver<D>::save_parts(State& state, const std::vector<std::size_t>& kept) {
  for (const SavedPart& part : kit_.saved) part.save(state, kept);
  kit_.bodies.save(state);
  kit_.sources.save(state);
}

template <class D>
void ParticleDriver<D>::restore_parts(const State& state) {
  kit_.sources.restore(state);
  for (const SavedPart& part : kit_.saved) part.restore(state);
  kit_.bodies.restore(state);
}

// Clears requests for room, which the step before the saved state may have made.
template <class D>
void ParticleDriver<D>::clear_requests() {
  kit_.now.closed = 0;
  for (std::uint32_t& needed : kit_.now.needed) needed = 0;
}

template <class D>
void ParticleDriver<D>::reset_solves() {
  kit_.convergence.set({});
  report_ = {};
  kit_.state.set(kit_.now);
}

template <class D>
void ParticleDriver<D>::restore(const State& state) {
  ParticleSet<D>& set = kit_.set;
  Particles<D>& columns = set.columns;
  const auto added = state.get<std::uint32_t>("added objects");
  for (const std::uint32_t material : added)
    if (material >= kit_.scene.materials.size()) detail::inconsistent("it has an unknown material");
  if (!added.empty() && set.object < 0) set.object = columns.declare(standard_columns::object());
  const StepState now = state.get_value<StepState>("step");
  if (!(now.time >= 0 && std::isfinite(now.time)))
    detail::inconsistent("it is of no time since the start");
  arrays_changed();
  if (state.has("column " + standard_columns::force().name) && kit_.force < 0)
    kit_.force = columns.declare(standard_columns::force());
  if (state.has("column " + standard_columns::mass().name))
    kit_.mass = columns.declare(standard_columns::mass());
  detail::restore_set(state, set, "", kit_.scene);
  if (kit_.mass >= 0) detail::check_saved_masses(columns.download_scalars(kit_.mass));
  const auto count = columns.size();
  objects_.resize(start_objects_);
  for (const std::uint32_t material : added)
    objects_.push_back(
        added_object(kit_.scene, static_cast<int>(material), objects_.size() - start_objects_));
  if (set.object >= 0)
    for (const std::uint32_t object : columns.download_words(set.object))
      if (object >= objects_.size()) detail::inconsistent("it has a particle of an unknown object");
  kit_.now = now;
  clear_requests();
  // Lists never need more entries than there are particles.
  setup().list_capacity = std::max(
      setup().list_capacity, std::min(state.get_value<Index>("list capacity"), slots_for(count)));
  method_->resize(count);
  restore_parts(state);
  make_room(slots_for(count));
  for (ParticleSet<D>& further : kit_.more_sets) {
    detail::restore_set(state, further, detail::saved_prefix(further.name), kit_.scene);
    make_room_of(further, further.columns.size());
  }
  kit_.fill_masses();
  reset_solves();
}

template <class D>
void ParticleDriver<D>::restore_changed(const Scene& scene, const State& state) {
  change_to(scene, true);
  restore(state);
}

}  // namespace panta
