// The emitters and sinks of a scene on a device, and the population they change.
#pragma once

#include "panta/core/state.h"
#include "panta/geometry/device_grids.h"
#include "panta/particles/particles.h"
#include "panta/scene/scene.h"
#include "panta/sources/pattern.h"
#include "panta/sources/sink.h"

namespace panta {

// A list of shapes in the form sinks have on a device.
struct SinkList {
  std::vector<ShapeList::Range> sinks;
  ShapeList shapes;

  void add(const Shape& shape) { sinks.push_back(shapes.add(shape)); }
};
SinkList make_sinks(const Scene& scene);

template <class D>
class DeviceSinks {
 public:
  void set(const SinkList& list) {
    sinks_.upload(list.sinks);
    nodes_.upload(list.shapes.nodes);
    grids_.set(list.shapes.grids);
  }
  SinksView view() const {
    return {sinks_.data(), nodes_.data(), grids_.data(), static_cast<int>(sinks_.size())};
  }

 private:
  Buffer<D, ShapeList::Range> sinks_;
  Buffer<D, ShapeNode> nodes_;
  DeviceGrids<D> grids_;
};

// The columns that emitters write besides position, velocity, id and phase.
struct EmittedColumns {
  std::uint32_t* held = nullptr;
  std::uint32_t* object = nullptr;  // null: there is one object only
};

template <class D>
class Sources {
 public:
  // Takes over a scene's emitters and sinks; what the emitters have done so far stays. Throws
  // Error(usage) if their number changes.
  void set(const EmitterList& emitters, const SinkList& sinks);

  bool emit() const { return !specs_.empty(); }
  bool swallow() const { return sinks_.view().count > 0; }
  EmittersView emitters() { return {device_specs_.data(), states_.data(), emitter_count()}; }
  SinksView sinks() const { return sinks_.view(); }

  // The fastest of them, m/s.
  float fastest() const;
  // Particles that one layer of each takes.
  std::size_t layer_size() const { return points_.size(); }

  // At the start of a step, at its end; everything on the device.
  void begin_step(const D& exec, Particles<D>& particles, const EmittedColumns& columns,
                  Population* population, const StepState* state, const RoomRequest& slots);
  void end_step(const D& exec, const StepState* state);

  void save(State& state) const { state.put("emitters", states_.download()); }
  void restore(const State& state);

 private:
  int emitter_count() const { return static_cast<int>(specs_.size()); }

  std::vector<EmitterSpec> specs_;
  Buffer<D, EmitterSpec> device_specs_;
  Buffer<D, EmitterState> states_;
  Buffer<D, Vec3> points_;
  Buffer<D, std::uint32_t> emitter_of_;
  DeviceSinks<D> sinks_;
};

template <class D>
void Sources<D>::set(const EmitterList& emitters, const SinkList& sinks) {
  if (specs_.empty() && !emitters.specs.empty())
    states_.upload(std::vector<EmitterState>(emitters.specs.size()));
  if (states_.size() != emitters.specs.size())
    throw Error(ErrorKind::usage, "the number of emitters cannot change during a run");
  specs_ = emitters.specs;
  device_specs_.upload(specs_);
  points_.upload(emitters.points);
  emitter_of_.upload(emitters.emitter_of);
  sinks_.set(sinks);
}

template <class D>
float Sources<D>::fastest() const {
  float speed = 0;
  for (const EmitterSpec& spec : specs_) speed = spec.speed > speed ? spec.speed : speed;
  return speed;
}

template <class D>
void Sources<D>::begin_step(const D& exec, Particles<D>& particles, const EmittedColumns& columns,
                            Population* population, const StepState* state,
                            const RoomRequest& slots) {
  if (!emit()) return;
  launch(exec, 1, PlanEmission{emitters(), population, state, slots});
  launch(exec, static_cast<Index>(points_.size()),
         EmitParticles<D>{.emitters = emitters(),
                          .points = points_.data(),
                          .emitter_of = emitter_of_.data(),
                          .particles = particles.new_particles(),
                          .position = particles.position(),
                          .velocity = particles.velocity(),
                          .id = particles.id(),
                          .phase = particles.phase(),
                          .held = columns.held,
                          .object = columns.object});
}

template <class D>
void Sources<D>::end_step(const D& exec, const StepState* state) {
  if (emit()) launch(exec, 1, TravelEmitters{emitters(), state});
}

template <class D>
void Sources<D>::restore(const State& state) {
  const std::vector<EmitterState> states = state.get<EmitterState>("emitters");
  if (states.size() != specs_.size())
    throw Error(ErrorKind::io, "the saved state has another number of emitters than the scene");
  constexpr double most_behind = 1000;  // layers, more than a step can pass
  for (std::size_t e = 0; e < states.size(); ++e)
    if (!(states[e].travelled >= 0 && layers_behind(specs_[e], states[e]) < most_behind))
      throw Error(ErrorKind::io, "the saved state is inconsistent: emitter " + std::to_string(e) +
                                     " has not given what its fluid's way calls for");
  states_.upload(states);
}

}  // namespace panta
