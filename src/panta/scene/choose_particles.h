// Which particles a scene's constraint ties.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "panta/core/error.h"
#include "panta/scene/scene.h"

namespace panta {

// The ids of the particles that `constraint` ties, `size` for each single constraint, one after the
// other; `start` has the places by which they are chosen, by id. Throws Error(usage) where it names
// particles that do not exist, one of them twice, or none at all. Pairs across the seam of a
// periodic domain are not near each other.
std::vector<std::uint32_t> chosen_particles(const Constraint& constraint, int size,
                                            const std::vector<Vec3>& start);

// The same for a constraint that consists of elements of `size` particles each, all of which must
// be named; `element`: what messages call one, `there`: how many particles there have been.
std::vector<std::uint32_t> chosen_elements(const Constraint& constraint, int size,
                                           const char* element, std::size_t there);

// Whether two entries say the same. Meshes are the same where they are the same object in memory.
bool same_constraint(const Constraint& a, const Constraint& b);

// "particle 3", "particles 3 and 5", "particles 3, 5 and 8".
std::string particle_names(const std::uint32_t* ids, int count);

}  // namespace panta
