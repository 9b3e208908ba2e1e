// The distance to any solid on the host.
#pragma once

#include <functional>

#include "panta/geometry/distance.h"

namespace panta {

using DistanceFunction = std::function<Distance(const Vec3&)>;

}  // namespace panta
