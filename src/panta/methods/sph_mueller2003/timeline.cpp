// What happens to a simulation between steps: changes of the scene, fluid added and taken out,
// saving and restoring.
#include <algorithm>
#include <cmath>

#include "panta/methods/sph_mueller2003/solver.h"
#include "panta/scene/sample.h"

namespace panta::sph {

namespace {

// The elements that are kept, in their order.
template <class T>
std::vector<T> filtered(const std::vector<T>& values, const std::vector<std::size_t>& kept) {
  std::vector<T> out;
  out.reserve(kept.size());
  for (const std::size_t i : kept) out.push_back(values[i]);
  return out;
}

}  // namespace

template <class D>
void Solver<D>::change(const Scene& scene) {
  check_change(scene_, scene);
  const Index list_capacity = setup_.list_capacity;
  scene_ = scene;
  setup_ = make_setup(scene, setup_.sound_speed);
  setup_.list_capacity = std::max(setup_.list_capacity, list_capacity);
  upload_setup();
  make_room(particles_.size());
}

template <class D>
void Solver<D>::add(const std::vector<Fluid>& fluids) {
  drop_gone();
  const auto living = static_cast<Index>(population_.occupied);
  std::vector<Vec3> present;
  const auto x = particles_.download_vectors(particles_.position_handle());
  for (Index i = 0; i < living; ++i) present.push_back(x[static_cast<std::size_t>(i)].xyz());
  const ParticleSet fresh = sample_added(scene_, fluids, present, state_.time);
  particles_.set_slots(living, gone_mark);
  particles_.set_next_id(population_.next_id);
  particles_.add(fresh.position, fresh.velocity, fresh.phase);
  acceleration_.resize(static_cast<std::size_t>(particles_.size()));
  acceleration_.upload(static_cast<std::size_t>(living), std::vector<Vec4>(fresh.size()));
  population_.occupied = static_cast<std::uint32_t>(particles_.size());
  population_.next_id = particles_.next_id();
  make_room(roomy(particles_.size()));
  for (const Vec3& v : fresh.velocity)
    state_.fastest = std::max(state_.fastest, ordered_bits(length(v)));
  device_state_.set(state_);
}

template <class D>
void Solver<D>::clear(const Shape& region) {
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
void Solver<D>::save(State& state) {
  const auto x = particles_.download_vectors(particles_.position_handle());
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < population_.occupied; ++i)
    if (x[i].w == 0) kept.push_back(i);
  state.put("position", filtered(x, kept));
  state.put("velocity", filtered(particles_.download_vectors(particles_.velocity_handle()), kept));
  state.put("acceleration", filtered(acceleration_.download(), kept));
  state.put("id", filtered(particles_.download_words(particles_.id_handle()), kept));
  state.put("phase", filtered(particles_.download_words(particles_.phase_handle()), kept));
  if (held_ >= 0) state.put("held", filtered(particles_.download_words(held_), kept));
  state.put_value("step", state_);
  Population population = population_;
  population.occupied = population.living();
  population.removed += population.gone;
  population.gone = 0;
  state.put_value("population", population);
  state.put_value("list capacity", setup_.list_capacity);
  sources_.save(state);
}

template <class D>
void Solver<D>::restore(const State& state) {
  const auto position = state.get<Vec4>("position");
  const auto velocity = state.get<Vec4>("velocity");
  const auto acceleration = state.get<Vec4>("acceleration");
  const auto id = state.get<std::uint32_t>("id"), phase = state.get<std::uint32_t>("phase");
  const auto held = held_ >= 0 ? state.get<std::uint32_t>("held") : id;
  population_ = state.get_value<Population>("population");
  const std::size_t n = position.size();
  for (const std::size_t size : {velocity.size(), acceleration.size(), id.size(), phase.size(),
                                 held.size(), std::size_t{population_.occupied}})
    if (size != n)
      throw Error(ErrorKind::io, "the saved state is inconsistent: its arrays differ in length");
  const auto is_gone = [](const Vec4& x) { return x.w != 0; };
  if (population_.gone > 0 || std::any_of(position.begin(), position.end(), is_gone))
    throw Error(ErrorKind::io, "the saved state is inconsistent: it has particles that are gone");
  check_saved(phase, held_ >= 0 ? held : std::vector<std::uint32_t>{}, scene_);
  state_ = state.get_value<StepState>("step");
  if (!(state_.time >= 0 && std::isfinite(state_.time)))
    throw Error(ErrorKind::io, "the saved state is inconsistent: it is of no time since the start");
  sources_.restore(state);
  const auto count = static_cast<Index>(n);
  // A list longer than there are particles is of no use.
  setup_.list_capacity = std::max(setup_.list_capacity,
                                  std::min(state.get_value<Index>("list capacity"), roomy(count)));
  particles_.set_slots(count, gone_mark);
  acceleration_.resize(n);
  particles_.upload_vectors(particles_.position_handle(), position);
  particles_.upload_vectors(particles_.velocity_handle(), velocity);
  particles_.upload_words(particles_.id_handle(), id);
  particles_.upload_words(particles_.phase_handle(), phase);
  if (held_ >= 0) particles_.upload_words(held_, held);
  acceleration_.upload(0, acceleration);
  particles_.set_next_id(population_.next_id);
  make_room(roomy(count));
  device_state_.set(state_);
}

template void Solver<PANTA_DEVICE>::change(const Scene&);
template void Solver<PANTA_DEVICE>::add(const std::vector<Fluid>&);
template void Solver<PANTA_DEVICE>::clear(const Shape&);
template void Solver<PANTA_DEVICE>::save(State&);
template void Solver<PANTA_DEVICE>::restore(const State&);

}  // namespace panta::sph
