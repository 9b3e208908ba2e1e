#include <string>

#include "panta/core/launch.h"
#include "panta/sources/sources.h"

namespace panta {

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
  if (!has_emitters()) return;
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
  if (has_emitters()) launch(exec, 1, TravelEmitters{emitters(), state});
}

template <class D>
void Sources<D>::restore(const State& state) {
  const std::vector<EmitterState> states = state.get<EmitterState>("emitters");
  if (states.size() != specs_.size())
    throw Error(ErrorKind::io, "the saved state has another number of emitters than the scene");
  constexpr double most_behind = 1000;  // layers, more than a step can pass
  for (std::size_t e = 0; e < states.size(); ++e)
    if (!(states[e].travelled >= 0 && layers_behind(specs_[e], states[e]) < most_behind))
      throw Error(ErrorKind::io,
                  "the saved state is inconsistent: emitter " + std::to_string(e) +
                      " has emitted fewer layers than the displacement of its fluid requires");
  states_.upload(states);
}

template class Sources<PANTA_DEVICE>;

}  // namespace panta
