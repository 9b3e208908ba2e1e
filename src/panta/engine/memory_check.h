// Checks whether a scene fits into memory, before anything is allocated.
#pragma once

#include "panta/solver/solver.h"

namespace panta {

struct MemoryNeed {
  double bytes = 0;       // estimate for the particles of the start, on the device
  double at_end = 0;      // with those that emitters and events add, if no sink removes any
  double free_bytes = 0;  // available there
  DeviceKind device = DeviceKind::cpu;
  bool fits() const { return bytes <= free_bytes; }
};

// `options` chooses the device as in make_simulation.
MemoryNeed estimate_memory(const Scene& scene, const DeviceOptions& options);

// "1.5 GB", "31 MB"
std::string memory_text(double bytes);

// Error(device) unless the scene fits.
void check_memory(const Scene& scene, const DeviceOptions& options);

}  // namespace panta
