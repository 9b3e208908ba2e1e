// Splits and merges particles on a device, every column by its declared rule (Merge in
// particles/column.h). Mass, momentum and centre of mass are conserved to rounding; the result does
// not depend on the number of threads.
//
// A program does this between steps through Simulation. A method may do it in its step, by
// StepKit::split and merge, after the particles have moved and before the clock advances. It splits
// first: only splitting may request room, and a step that is repeated must not have merged already.
#pragma once

#include "panta/core/scan.h"
#include "panta/particles/particles.h"
#include "panta/resample/split_particles.h"
#include "panta/sources/population.h"
#include "panta/step/space.h"
#include "panta/step/step_state.h"

namespace panta {

// The particles that split or merge. Slots may contain removed particles.
template <class D>
struct ResampledSet {
  Particles<D>& columns;
  Population* population;
  int mass = -1;  // column; all masses > 0
  Index active;   // number of slots that a launch has to cover
  Space space;
  StepGate gate;
  RoomRequest slots;
};

template <class D>
class Resampler {
 public:
  // Particle i becomes children[i] equal ones on the line from -offset[i] to offset[i], at equal
  // distances; 0 or 1: it is not changed.
  void split(const D& exec, const ResampledSet<D>& set, const std::uint32_t* children,
             const Vec3* offset);

  // Particles i and partner[i] become one if each is the partner of the other; any other value, for
  // example its own index, leaves a particle unchanged.
  void merge(const D& exec, const ResampledSet<D>& set, const std::uint32_t* partner);

 private:
  Buffer<D, std::uint32_t> more_, place_;
  ScanScratch<D> scan_;
  DeviceValue<D, SplitPlan> plan_;
};

}  // namespace panta
