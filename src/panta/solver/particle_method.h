// A method as the driver sees it: what a step does, and what is computed for frames.
//
// A method is made with a StepKit: it works out its setup from the kit's scene, declares its
// columns, computed columns, rooms and saved parts, and from then on enqueues steps.
#pragma once

#include "panta/frame/frame_stats.h"
#include "panta/frame/particle_frame.h"
#include "panta/solver/step_kit.h"

namespace panta {

template <class D>
class ParticleMethod {
 public:
  virtual ~ParticleMethod() = default;

  virtual ParticleSetup& setup() = 0;
  // Works out the setup of a changed scene; throws Error(usage) for what cannot change.
  virtual void change(const Scene& scene) = 0;
  // Copies the method's own part of the setup to the device.
  virtual void upload_setup() {}
  // Gives the method's own arrays this many slots.
  virtual void resize(Index slots) = 0;
  // The same for arrays that belong to a further set (StepKit::more_sets).
  virtual void resize_set(ParticleSet<D>& /*set*/, Index /*slots*/) {}
  // New particles are in slots [first, first + count).
  virtual void particles_added(std::size_t /*first*/, std::size_t /*count*/) {}

  // Enqueues a step.
  virtual void step() = 0;

  // Neighbour lists, and what frames need, for the positions as they are.
  virtual void evaluate() = 0;
  // After evaluate(): fills the computed columns of a frame whose particles are in the order of
  // slots, and corrects others.
  virtual void read_out(ParticleFrame& frame) = 0;
  virtual std::vector<Counter> counters() { return {}; }
};

}  // namespace panta
