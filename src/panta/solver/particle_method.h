// The interface of a method to the driver: its steps, and its values for frames.
//
// A method is constructed with a StepKit: it computes its setup from the kit's scene and declares
// its columns, computed columns, rooms and saved parts. Later it enqueues steps.
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
  // Computes the setup of a changed scene; throws Error(usage) for values that cannot change.
  virtual void change(const Scene& scene) = 0;
  // Copies the method's own part of the setup to the device.
  virtual void upload_setup() {}
  // Resizes the method's own arrays to this number of slots.
  virtual void resize(Index slots) = 0;
  // The same for arrays of an additional set (StepKit::more_sets).
  virtual void resize_set(ParticleSet<D>& /*set*/, Index /*slots*/) {}
  // Called after particles were added in the slots [first, first + count).
  virtual void particles_added(std::size_t /*first*/, std::size_t /*count*/) {}

  // Enqueues a step.
  virtual void step() = 0;

  // Computes neighbour lists and values for frames at the current positions.
  virtual void evaluate() = 0;
  // Called after evaluate(): fills the computed columns of a frame, whose particles are in the
  // order of slots, and may change other columns.
  virtual void read_out(ParticleFrame& frame) = 0;
  virtual std::vector<Counter> counters() { return {}; }
};

}  // namespace panta
