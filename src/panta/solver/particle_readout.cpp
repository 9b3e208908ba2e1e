// What is read from a running simulation, and its saved state. Reading changes no result.
#include <algorithm>
#include <cmath>

#include "panta/core/make_exec.h"
#include "panta/particles/standard_columns.h"
#include "panta/solver/object_table.h"
#include "panta/solver/particle_driver.h"

namespace panta {

namespace {

struct InvertOrder {
  const std::uint32_t* order;
  std::uint32_t* back;
  PANTA_HD void operator()(Index k) const { back[order[k]] = static_cast<std::uint32_t>(k); }
};

[[noreturn]] void inconsistent(const char* what) {
  throw Error(ErrorKind::io, std::string("the saved state is inconsistent: ") + what);
}

// Values of the first frame.size() particles.
template <class D>
void read_column(Particles<D>& columns, int handle, FrameColumn& out) {
  const std::size_t n = out.size();
  switch (columns.info(handle).type) {
    case ColumnType::vector: {
      const auto values = columns.download_vectors(handle);
      auto& to = std::get<std::vector<Vec3>>(out.values);
      for (std::size_t i = 0; i < n; ++i) to[i] = values[i].xyz();
      break;
    }
    case ColumnType::scalar: {
      auto values = columns.download_scalars(handle);
      values.resize(n);
      out.values = std::move(values);
      break;
    }
    case ColumnType::word: {
      auto values = columns.download_words(handle);
      values.resize(n);
      out.values = std::move(values);
      break;
    }
    case ColumnType::symmetric: {
      auto& to = std::get<std::vector<SymmetricMatrix>>(out.values);
      for (int k = 0; k < 6; ++k) {
        const auto values = columns.download_scalars(handle, k);
        for (std::size_t i = 0; i < n; ++i) to[i][static_cast<std::size_t>(k)] = values[i];
      }
      break;
    }
  }
}

}  // namespace

// Sorts particles by position, and computes lists and what frames need there.
template <class D>
void ParticleDriver<D>::evaluate_at_rest() {
  ParticleSet<D>& set = kit_.set;
  arrays_changed();
  before_readout_ = set.counted;
  fit_grid();
  kit_.walls.update_poses(kit_.exec, &kit_.clock()->time, &kit_.clock()->dt);
  sorted_ = set.active();
  set.sort_at_rest(kit_.exec, &kit_.clock()->invalid);
  do {
    method_->evaluate();
    kit_.exec.synchronize();
    kit_.now = kit_.state.get();
  } while (enlarge_arrays());
  set.counted = set.population.get();
}

// A method whose steps do not sort by position gets back the order that its sums depend on.
template <class D>
void ParticleDriver<D>::end_readout() {
  if (!setup().order_matters) return;
  ParticleSet<D>& set = kit_.set;
  way_back_.resize(static_cast<std::size_t>(sorted_));
  launch(kit_.exec, sorted_, InvertOrder{set.grid.order(), way_back_.data()});
  set.columns.reorder(kit_.exec, way_back_.data(), sorted_);
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

template <class D>
void ParticleDriver<D>::read_columns(ParticleFrame& frame) {
  Particles<D>& columns = kit_.set.columns;
  for (int handle = 0; handle < columns.count(); ++handle)
    if (columns.info(handle).shown)
      read_column(columns, handle, frame.require(columns.info(handle)));
}

// Forces are means over the last advance.
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
  for (int handle = 0; handle < kit_.set.columns.count(); ++handle)
    if (const ColumnInfo& info = kit_.set.columns.info(handle); info.shown) frame.require(info);
  for (const ColumnInfo& info : kit_.computed) frame.require(info);
  frame.bodies = read_bodies();
  if (size() > 0) {
    evaluate_at_rest();
    frame.resize(kit_.set.counted.occupied);
    read_columns(frame);
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
  set.columns.save(state, kept);
  for (const SavedPart& part : kit_.saved) part.save(state, kept);
  kit_.bodies.save(state);
  StepState now = kit_.now;
  now.closed = 0;
  state.put_value("step", now);
  Population population = set.counted;
  population.occupied = population.living();
  population.removed += population.gone;
  population.gone = 0;
  state.put_value("population", population);
  state.put_value("list capacity", setup().list_capacity);
  std::vector<std::uint32_t> added;  // materials of the objects that joined
  for (std::size_t k = start_objects_; k < objects_.size(); ++k)
    added.push_back(static_cast<std::uint32_t>(objects_[k].material));
  state.put("added objects", added);
  kit_.sources.save(state);
}

template <class D>
void ParticleDriver<D>::restore(const State& state) {
  ParticleSet<D>& set = kit_.set;
  Particles<D>& columns = set.columns;
  const auto added = state.get<std::uint32_t>("added objects");
  for (const std::uint32_t material : added)
    if (material >= kit_.scene.materials.size()) inconsistent("it has an unknown material");
  if (!added.empty() && set.object < 0) set.object = columns.declare(standard_columns::object());
  const StepState now = state.get_value<StepState>("step");
  if (!(now.time >= 0 && std::isfinite(now.time))) inconsistent("it is of no time since the start");
  Population population = state.get_value<Population>("population");
  arrays_changed();
  kit_.sources.restore(state);
  if (state.has("column " + standard_columns::force().name) && kit_.force < 0)
    kit_.force = columns.declare(standard_columns::force());
  columns.restore(state);
  const auto count = columns.size();
  if (population.gone > 0 || population.occupied != static_cast<std::uint32_t>(count))
    inconsistent("its number of particles is another");
  check_saved(columns.download_words(columns.phase_handle()),
              set.held < 0 ? std::vector<std::uint32_t>{} : columns.download_words(set.held),
              kit_.scene);
  objects_.resize(start_objects_);
  for (const std::uint32_t material : added)
    objects_.push_back(
        added_object(kit_.scene, static_cast<int>(material), objects_.size() - start_objects_));
  set.counted = population;
  kit_.now = now;
  kit_.now.closed = 0;
  for (std::uint32_t& needed : kit_.now.needed) needed = 0;
  // A list longer than there are particles is of no use.
  setup().list_capacity = std::max(setup().list_capacity,
                                   std::min(state.get_value<Index>("list capacity"), roomy(count)));
  method_->resize(count);
  for (const SavedPart& part : kit_.saved) part.restore(state);
  kit_.bodies.restore(state);
  columns.set_next_id(population.next_id);
  make_room(roomy(count));
  kit_.state.set(kit_.now);
}

template void ParticleDriver<PANTA_DEVICE>::evaluate_at_rest();
template void ParticleDriver<PANTA_DEVICE>::end_readout();
template double ParticleDriver<PANTA_DEVICE>::mean_neighbors();
template void ParticleDriver<PANTA_DEVICE>::read_columns(ParticleFrame&);
template ParticleFrame ParticleDriver<PANTA_DEVICE>::snapshot();
template std::vector<BodyPose> ParticleDriver<PANTA_DEVICE>::read_bodies() const;
template void ParticleDriver<PANTA_DEVICE>::save(State&);
template void ParticleDriver<PANTA_DEVICE>::restore(const State&);

}  // namespace panta
