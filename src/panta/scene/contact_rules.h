// Who passes through whom: Material::ignores, self_collision and rest_distance, and Body::trigger.
#pragma once

#include "panta/scene/scene.h"

namespace panta {

// Whether particles of two materials, which may be the same, touch. It is enough that one of them
// ignores the other.
bool materials_meet(const Material& a, const Material& b);

// Whether particles of a material feel a body.
bool feels(const Material& material, const Body& body);

// Whether some particles do not touch because they were near each other at the start.
bool has_rest_distances(const Scene& scene);

// Throws Error(usage) for a name that is neither a material's nor a body's, for rules between
// liquids and particles, whose pressure knows no exceptions, and for rest distances of what is no
// grain or flows from an emitter, all of whose particles start at its opening.
void check_contact_rules(const Scene& scene);

}  // namespace panta
