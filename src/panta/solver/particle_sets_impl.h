// Additional sets of particles of a method, and the results of its linear solves.
#pragma once

#include <utility>

#include "panta/core/selected.h"
#include "panta/solver/particle_driver.h"
#include "panta/solver/read_columns.h"
#include "panta/solver/run_errors.h"

namespace panta {

namespace detail {

inline constexpr std::uint32_t spare_slots =
    1024;  // reserve, so that a small set is not enlarged in every step

// Selects the particles `kept`, in their order.
inline void keep(ParticleFrame& frame, const std::vector<std::size_t>& kept) {
  for (FrameColumn& column : frame.columns)
    std::visit([&](auto& values) { values = selected(values, kept); }, column.values);
}

}  // namespace detail

// Prepares a set with the initial particles that the method added.
template <class D>
void ParticleDriver<D>::start_set(ParticleSet<D>& set) {
  set.slots_room = kit_.add_room([this, &set](std::uint32_t needed) {
    set.some_gone = true;
    make_room_of(set, static_cast<Index>(needed + needed / 4 + detail::spare_slots));
  });
  set.lists_room = kit_.add_room([&set](std::uint32_t needed) {
    set.lists.reserve(set.columns.size(), static_cast<Index>(needed + needed / 4));
  });
  StepState* const clock = kit_.clock();
  set.lists.report_to(&clock->needed[set.lists_room], &clock->closed,
                      StepState::lacks_room(set.lists_room));
  set.counted.occupied = static_cast<std::uint32_t>(set.columns.size());
  set.counted.next_id = set.columns.next_id();
  make_room_of(set, set.columns.size());
}

template <class D>
void ParticleDriver<D>::make_room_of(ParticleSet<D>& set, Index slots) {
  set.make_room(slots, setup().list_capacity);
  method_->resize_set(set, slots);
  forget_recording();
}

// A bit for each set: which of its two copies is the current one.
template <class D>
std::uint64_t ParticleDriver<D>::current_copies() {
  std::uint64_t bits = 0;
  const auto all = kit_.sets();
  for (std::size_t k = 0; k < all.size(); ++k)
    bits |= static_cast<std::uint64_t>(all[k]->columns.current_copy()) << k;
  return bits;
}

template <class D>
void ParticleDriver<D>::swap_copies(std::uint64_t sets) {
  const auto all = kit_.sets();
  for (std::size_t k = 0; k < all.size(); ++k)
    if (sets >> k & 1) all[k]->columns.swap_copies();
}

template <class D>
std::vector<std::string> ParticleDriver<D>::sets() {
  std::vector<std::string> names;
  for (const ParticleSet<D>* set : kit_.sets()) names.push_back(set->name);
  return names;
}

template <class D>
ParticleSet<D>& ParticleDriver<D>::find_set(const std::string& name) {
  for (ParticleSet<D>* set : kit_.sets())
    if (set->name == name) return *set;
  throw unknown_set(name, sets());
}

template <class D>
ParticleFrame ParticleDriver<D>::snapshot_of(const std::string& name) {
  ParticleSet<D>& set = find_set(name);
  if (&set == &kit_.set) return snapshot();
  ParticleFrame frame;
  frame.time = kit_.now.time;
  require_columns(set.columns, frame);
  frame.resize(set.counted.occupied);
  read_columns(set.columns, frame);
  detail::keep(frame, set.living());
  frame.sort_by_id();
  return frame;
}

template <class D>
std::optional<ConvergenceReport> ParticleDriver<D>::convergence() {
  if (!setup().on_failure) return {};
  return std::exchange(report_, {});
}

template <class D>
void ParticleDriver<D>::check_solves() {
  if (!setup().on_failure) return;
  const ConvergenceReport fresh = take_report(kit_.convergence);
  report_ += fresh;
  if (fresh.failures > 0 && *setup().on_failure == OnFailure::fail)
    throw failed_solves(kit_.now.time, fresh);
}

}  // namespace panta
