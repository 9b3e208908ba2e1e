// Who passes through whom: Material::ignores, Material::self_collision and Body::trigger.
#pragma once

#include "panta/scene/scene.h"

namespace panta {

// Whether particles of two materials, which may be the same, touch. It is enough that one of them
// ignores the other.
bool materials_meet(const Material& a, const Material& b);

// Whether particles of a material feel a body.
bool feels(const Material& material, const Body& body);

// Throws Error(usage) for a name that is neither a material's nor a body's, and for rules between
// liquids and particles, whose pressure knows no exceptions.
void check_contact_rules(const Scene& scene);

}  // namespace panta
