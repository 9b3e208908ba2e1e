// Rules for contacts: Material::ignores, self_collision and rest_distance, and Body::trigger.
#pragma once

#include "panta/scene/scene.h"

namespace panta {

// Whether particles of two materials, which may be the same, touch. They do not if one of them
// ignores the other.
bool materials_meet(const Material& a, const Material& b);

// Whether particles of a material touch a body.
bool touches(const Material& material, const Body& body);

// Whether some particles do not touch because they were near each other at the start.
bool has_rest_distances(const Scene& scene);

// Throws Error(usage) for a name that is neither a material's nor a body's, for rules between
// liquids and particles (pressure has no exceptions), and for rest distances of materials that are
// not granular or that an emitter uses, since its particles all start at its opening.
void check_contact_rules(const Scene& scene);

}  // namespace panta
