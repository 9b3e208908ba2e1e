// Applies a scene's events to a running simulation. An event at time t happens between the step
// that ends at t and the next one: a frame at t contains the state before it. Only the last frame
// of a run contains the state after the events at its time.
#pragma once

#include "panta/engine/simulation.h"

namespace panta {

class Timeline {
 public:
  // Events before `start` count as done: their particles are part of a restored state, and scene()
  // includes their changes.
  explicit Timeline(const Scene& scene, double start = 0);

  // Continues after the events that were done when save() wrote this state at the time `start`.
  Timeline(const Scene& scene, double start, const State& state);

  // Adds the number of events done to a checkpoint.
  void save(State& state) const;

  // Restores the state that was saved at `start` into a simulation of the initial scene.
  void restore(Simulation& simulation, const State& state) const;

  // Advances to `until`, with a stop at each event on the way.
  void advance(Simulation& simulation, double until);

  // Applies events at the time to which it has advanced.
  void act_at_end(Simulation& simulation);

  // The scene with the changes by events so far.
  const Scene& scene() const { return *now_; }

 private:
  void skip(std::size_t done);
  void act(Simulation& simulation);

  std::vector<Event> events_;
  std::size_t next_ = 0;
  std::shared_ptr<const Scene> now_;
  bool changed_ = false;  // by an event
};

}  // namespace panta
