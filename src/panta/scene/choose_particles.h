// Selects the particles of a scene's constraints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "panta/core/error.h"
#include "panta/scene/scene.h"

namespace panta {

// The ids of the particles of `constraint`, `size` for each single constraint, concatenated;
// `start` has the initial positions for the selection, by id. Throws Error(usage) if it names
// particles that do not exist, names one twice, or selects none. Pairs across the border of a
// periodic domain are not near each other.
std::vector<std::uint32_t> chosen_particles(const Constraint& constraint, int size,
                                            const std::vector<Vec3>& start);

// The same for a constraint of elements with `size` particles each, all of which must be named;
// `element`: its name in messages, `there`: the number of particles created so far.
std::vector<std::uint32_t> chosen_elements(const Constraint& constraint, int size,
                                           const char* element, std::size_t there);

// Whether two entries are equal. Meshes are equal only if they are the same object in memory.
bool same_constraint(const Constraint& a, const Constraint& b);

// "particle 3", "particles 3 and 5", "particles 3, 5 and 8".
std::string particle_names(const std::uint32_t* ids, int count);

}  // namespace panta
