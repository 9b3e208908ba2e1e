#include "panta/run/timeline.h"

#include <algorithm>

#include "panta/core/error_format.h"

namespace panta {

namespace {

constexpr const char* saved_count = "timeline.events_done";

std::size_t count_before(const std::vector<Event>& events, double start) {
  const auto is_before = [&](const Event& event) { return event.time < start; };
  return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), is_before));
}

}  // namespace

Timeline::Timeline(const Scene& scene, double start)
    : events_(scene.events), now_(std::make_shared<const Scene>(scene)) {
  skip(count_before(events_, start));
}

Timeline::Timeline(const Scene& scene, double start, const State& state)
    : events_(scene.events), now_(std::make_shared<const Scene>(scene)) {
  std::size_t done = count_before(events_, start);
  if (state.has(saved_count)) {  // checkpoints of earlier versions do not have it
    const std::vector<std::uint64_t> saved = state.get<std::uint64_t>(saved_count);
    if (saved.size() != 1 || saved[0] < done || saved[0] > events_.size())
      throw Error(ErrorKind::io,
                  "the checkpoint does not fit the events of the scene: start again");
    done = static_cast<std::size_t>(saved[0]);
  }
  skip(done);
}

void Timeline::skip(std::size_t done) {
  for (; next_ < done; ++next_)
    if (events_[next_].changed) {
      now_ = events_[next_].changed;
      changed_ = true;
    }
}

void Timeline::save(State& state) const {
  state.put(saved_count, std::vector<std::uint64_t>{next_});
}

void Timeline::restore(Simulation& simulation, const State& state) const {
  changed_ ? simulation.restore_changed(*now_, state) : simulation.restore(state);
}

void Timeline::act(Simulation& simulation) {
  const Event& event = events_[next_++];
  if (event.changed) {
    simulation.change(*event.changed);
    now_ = event.changed;
    changed_ = true;
  }
  for (const Shape& region : event.cleared) simulation.clear(region);
  if (!event.added.empty()) simulation.add(event.added);
}

void Timeline::advance(Simulation& simulation, double until) {
  while (next_ < events_.size() && events_[next_].time < until) {
    simulation.advance_to(events_[next_].time);
    act(simulation);
  }
  simulation.advance_to(until);
}

void Timeline::act_at_end(Simulation& simulation) {
  while (next_ < events_.size() && events_[next_].time <= simulation.time()) act(simulation);
}

}  // namespace panta
