// The readers of a scene's parts, one file each. Internal to scene/.
#pragma once

#include "panta/scene/object_reader.h"
#include "panta/scene/scene.h"
#include "panta/sim/simulation.h"

namespace panta {

// The owner's key "shape".
Shape read_shape(ObjectReader& owner);

// The properties of a solid surface, from the object that has them as keys.
void read_surface(ObjectReader& reader, Surface& surface);

// The scene's key "domain".
void read_domain(ObjectReader& root, Scene& scene);

// One entry of the scene's list "fields".
ForceField read_field(ObjectReader& reader);

// The scene's key "solver", against the method's declared parameters.
void read_solver(ObjectReader& root, const MethodInfo& method, ParameterSet& solver);

// Throws unless each of the keys is absent or empty: what the format has and this version lacks.
void refuse_unsupported(ObjectReader& reader, const std::vector<std::string>& keys);

}  // namespace panta
