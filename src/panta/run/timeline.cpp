#include "panta/run/timeline.h"

namespace panta {

Timeline::Timeline(const Scene& scene, double start)
    : events_(scene.events), now_(std::make_shared<const Scene>(scene)) {
  for (; next_ < events_.size() && events_[next_].time < start; ++next_)
    if (events_[next_].changed) {
      now_ = events_[next_].changed;
      changed_ = true;
    }
}

void Timeline::restore(Simulation& simulation, const State& state) const {
  changed_ ? simulation.restore_changed(*now_, state) : simulation.restore(state);
}

void Timeline::advance(Simulation& simulation, double until) {
  for (; next_ < events_.size() && events_[next_].time < until; ++next_) {
    const Event& event = events_[next_];
    simulation.advance_to(event.time);
    if (event.changed) {
      simulation.change(*event.changed);
      now_ = event.changed;
      changed_ = true;
    }
    for (const Shape& region : event.cleared) simulation.clear(region);
    if (!event.added.empty()) simulation.add(event.added);
  }
  simulation.advance_to(until);
}

}  // namespace panta
