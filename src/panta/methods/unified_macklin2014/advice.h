// Expected problems of a scene, reported before a run.
#pragma once

#include <string>
#include <vector>

#include "panta/scene/scene.h"

namespace panta::unified {

// Messages about expected problems; empty if there are none.
std::vector<std::string> advice(const Scene& scene);

}  // namespace panta::unified
