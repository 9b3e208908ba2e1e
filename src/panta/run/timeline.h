// A scene's events applied to a running simulation. An event at time t happens between the step
// that ends at t and the next one: a frame at t still shows the state before it.
#pragma once

#include "panta/engine/simulation.h"

namespace panta {

class Timeline {
 public:
  // Events before `start` are taken as done: their particles are part of a restored state, and
  // scene() is what they have made of the scene.
  explicit Timeline(const Scene& scene, double start = 0);

  // Puts a simulation of the scene as it starts into the state that was saved at `start`.
  void restore(Simulation& simulation, const State& state) const;

  // Advances to `until`, stopping at the events on the way.
  void advance(Simulation& simulation, double until);

  // The scene as it is now.
  const Scene& scene() const { return *now_; }

 private:
  std::vector<Event> events_;
  std::size_t next_ = 0;
  std::shared_ptr<const Scene> now_;
  bool changed_ = false;  // by an event
};

}  // namespace panta
