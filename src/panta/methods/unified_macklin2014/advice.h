// What a user should know about a scene before running it.
#pragma once

#include <string>
#include <vector>

#include "panta/scene/scene.h"

namespace panta::unified {

// Sentences, none where all is well.
std::vector<std::string> advice(const Scene& scene);

}  // namespace panta::unified
