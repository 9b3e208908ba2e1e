#include "panta/solver/run_errors.h"

#include "panta/core/error_format.h"
#include "panta/core/suggest.h"

namespace panta {

Error explosion(const StepState& state, const std::string& particle, const Vec3& x, const Vec3& v,
                const std::string& remedy) {
  return Error(
      ErrorKind::simulation,
      "the simulation exploded at {:.6g} s, step {}: particle {} at ({:.4g}, {:.4g}, {:.4g}) "
      "moves at ({:.4g}, {:.4g}, {:.4g}) m/s; {}",
      state.time, state.steps, particle, x.x, x.y, x.z, v.x, v.y, v.z, remedy);
}

Error failed_solves(double time, const ConvergenceReport& report) {
  return Error(
      ErrorKind::simulation,
      "{} of {} solves until {:.6g} s did not reach their tolerance, the worst residual is "
      "{:.3g}: raise the solver's tolerance, shorten its time step, or set solver.on_failure "
      "from fail to warn",
      report.failures, report.solves, time, report.worst_residual);
}

Error unknown_set(const std::string& name, const std::vector<std::string>& known) {
  return Error(ErrorKind::usage, "there is no set of particles '{}'{}", name,
               suggestion(name, known));
}

}  // namespace panta
