#include "panta/solver/run_errors.h"

#include <cmath>

#include "panta/core/error_format.h"
#include "panta/core/suggest.h"
#include "panta/scene/scene.h"

namespace panta {

Error explosion(const StepState& state, const std::string& particle, const Vec3& x, const Vec3& v,
                const std::string& remedy) {
  return Error(
      ErrorKind::simulation,
      "the simulation exploded at {:.6g} s, step {}: particle {} at ({:.4g}, {:.4g}, {:.4g}) "
      "moves at ({:.4g}, {:.4g}, {:.4g}) m/s; {}",
      state.time, state.steps, particle, x.x, x.y, x.z, v.x, v.y, v.z, remedy);
}

namespace {

// Larger values overflow in the single precision of poses.
bool is_usable(double value) { return std::abs(value) < 1e30; }

}  // namespace

void check_motions(const Scene& scene, double time) {
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const MotionProgram& motion = scene.bodies[k].motion.program;
    const auto check = [&](const Expression& formula, const std::string& key) {
      const double value = formula.value(time);
      if (is_usable(value)) return;
      const std::string& name = scene.bodies[k].name;
      throw Error(ErrorKind::simulation,
                  "the formula 'bodies.{}.motion.{}'{} gives {} at {:.6g} s: it must be a finite "
                  "number during the whole run",
                  k, key, name.empty() ? "" : " of '" + name + "'",
                  std::isnan(value) ? "no number" : fmt::format("{:.3g}", value), time);
    };
    for (int axis = 0; axis < 3; ++axis)
      check(motion.displacement[axis], fmt::format("translate.{}", axis));
    check(motion.angle, "rotate.degrees");
  }
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
