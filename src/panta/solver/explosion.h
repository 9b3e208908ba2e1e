// The error for a simulation that has run away, naming the worst particle.
#pragma once

#include <string>

#include "panta/core/error.h"
#include "panta/core/vec.h"
#include "panta/step/step_state.h"

namespace panta {

Error explosion(const StepState& state, std::uint32_t id, const Vec3& x, const Vec3& v,
                const std::string& remedy);

}  // namespace panta
