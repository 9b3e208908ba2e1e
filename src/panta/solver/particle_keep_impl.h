// States in device memory, for programs that often restore them.
#pragma once

#include <deque>
#include <memory>
#include <numeric>

#include "panta/solver/particle_driver.h"

namespace panta {

namespace detail {

template <class D>
struct DeviceState final : KeptState {
  struct Set {
    typename Particles<D>::Copy columns;
    Population population;
  };
  const void* owner = nullptr;
  std::deque<Set> sets;  // first the scene's
  std::vector<Object> objects;
  StepState now;
  State parts;  // data outside the columns
};

}  // namespace detail

template <class D>
std::shared_ptr<const KeptState> ParticleDriver<D>::keep() {
  auto kept = std::make_shared<detail::DeviceState<D>>();
  kept->owner = this;
  const auto add_set = [&](ParticleSet<D>& set) {
    kept->sets.push_back({set.columns.copy(), set.counted});
  };
  add_set(kit_.set);
  for (ParticleSet<D>& further : kit_.more_sets) add_set(further);
  kept->objects = objects_;
  kept->now = kit_.now;
  std::vector<std::size_t> slots(kit_.saved.empty() ? 0 : kit_.set.counted.occupied);
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  save_parts(kept->parts, slots);
  return kept;
}

template <class D>
void ParticleDriver<D>::restore(const KeptState& state) {
  const auto* kept = dynamic_cast<const detail::DeviceState<D>*>(&state);
  if (!kept || kept->owner != this)
    throw Error(ErrorKind::usage, std::string("this state was kept by another simulation: use "
                                              "save() and restore(State) between simulations"));
  arrays_changed();
  const auto take_set = [&](ParticleSet<D>& set, const typename detail::DeviceState<D>::Set& copy) {
    set.columns.take(copy.columns);
    set.counted = copy.population;
  };
  take_set(kit_.set, kept->sets[0]);
  objects_ = kept->objects;
  kit_.now = kept->now;
  clear_requests();
  method_->resize(kit_.set.columns.size());
  restore_parts(kept->parts);
  make_room(kit_.set.columns.size());
  std::size_t number = 1;
  for (ParticleSet<D>& further : kit_.more_sets) {
    take_set(further, kept->sets[number++]);
    make_room_of(further, further.columns.size());
  }
  kit_.fill_masses();
  reset_solves();
}

}  // namespace panta
