// Estimates of the particles that a run adds to those of its start.
#pragma once

namespace panta {

struct Scene;

// Approximate number of particles from emitters and events until the end of the scene, without
// those that sinks remove.
double estimate_emitted(const Scene& scene);

}  // namespace panta
