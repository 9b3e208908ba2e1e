// The state of a simulation in the memory of its device: Simulation::keep().
#pragma once

namespace panta {

class KeptState {
 public:
  virtual ~KeptState() = default;
};

}  // namespace panta
