// The objects of a scene, in the order in which particles refer to them: fluids, emitters, solids
// with their copies, then fluids that were added to the running simulation.
#pragma once

#include "panta/frame/object.h"
#include "panta/scene/sample_solids.h"

namespace panta {

std::vector<Object> make_objects(const Scene& scene, const SolidParticles& solids);

// A fluid that was added to the running simulation as object number `number`.
Object added_object(const Scene& scene, int material, std::size_t number);

}  // namespace panta
