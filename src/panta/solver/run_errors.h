// The errors of a running simulation. Device sources call these: nvcc cannot read fmt.
#pragma once

#include <string>
#include <vector>

#include "panta/core/error.h"
#include "panta/core/vec.h"
#include "panta/linear/convergence_report.h"
#include "panta/step/step_state.h"

namespace panta {

// Of a simulation that has run away; `particle` names the worst one.
Error explosion(const StepState& state, const std::string& particle, const Vec3& x, const Vec3& v,
                const std::string& remedy);

// Of solves that did not reach their tolerance.
Error failed_solves(double time, const ConvergenceReport& report);

// Of a set of particles that is not there.
Error unknown_set(const std::string& name, const std::vector<std::string>& known);

}  // namespace panta
