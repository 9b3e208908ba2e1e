// A saved state in device memory: Simulation::keep().
#pragma once

namespace panta {

class KeptState {
 public:
  virtual ~KeptState() = default;
};

}  // namespace panta
