// Parameters of viscosity that all methods share, declared once (see scene/parameters.h).
#pragma once

#include "panta/linear/convergence_report.h"
#include "panta/scene/parameters.h"

namespace panta {

enum class ViscositySolver { automatic, explicit_form, implicit_form };

struct ViscosityParams {
  ViscositySolver viscosity_solver = ViscositySolver::automatic;
  double viscosity_tolerance = 1e-4;
  OnFailure on_failure = OnFailure::warn;

  template <class V>
  void visit(V&& v) {
    v("viscosity_solver", viscosity_solver, Choice{"auto", "explicit", "implicit"},
      "explicit: the method's own sums, cheap where liquids are thin; implicit: a system of "
      "equations for the velocities, for any viscosity, with no-slip walls; auto: implicit where "
      "the explicit form cannot carry the viscosity, or would shorten the steps");
    v("viscosity_tolerance", viscosity_tolerance, Number{"", 0, 0.1, true},
      "residual of the implicit form relative to the momenta");
    v("on_failure", on_failure, Choice{"warn", "fail"},
      "what a run does where the implicit form does not reach viscosity_tolerance: warn: one "
      "warning per frame, and counts in stats.jsonl; fail: end with exit code 3");
  }
};

// The part of an artificial viscosity (or a smoothing) that is added to a material's own, in the
// same unit. The sum is at most 1.1 times the artificial one, or the own one where that is larger,
// and never falls while the own one grows.
inline double artificial_beside(double own, double artificial) {
  const double lacking = 1.1 * artificial - own;
  return lacking < 0 ? 0 : lacking < artificial ? lacking : artificial;
}

}  // namespace panta
