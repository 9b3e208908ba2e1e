// The errors of a running simulation. They are in a separate source, because nvcc cannot compile
// fmt.
#pragma once

#include <string>
#include <vector>

#include "panta/core/error.h"
#include "panta/core/vec.h"
#include "panta/linear/convergence_report.h"
#include "panta/step/step_state.h"

namespace panta {

struct Scene;

// Error of a simulation that became unstable; `particle` names the worst particle.
Error explosion(const StepState& state, const std::string& particle, const Vec3& x, const Vec3& v,
                const std::string& remedy);

// Error(simulation) if a formula of a body's motion is not a finite number at this time.
void check_motions(const Scene& scene, double time);

// Error of solves that did not reach their tolerance.
Error failed_solves(double time, const ConvergenceReport& report);

// Error for an unknown name of a set of particles.
Error unknown_set(const std::string& name, const std::vector<std::string>& known);

}  // namespace panta
