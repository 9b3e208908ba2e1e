// Parameters of the toy method, declared once (see scene/parameters.h).
#pragma once

#include "panta/linear/convergence_report.h"
#include "panta/scene/parameters.h"

namespace panta::tracer_toy {

struct Params {
  double support = 2.0;
  double time_step = 0.004;
  double relaxation = 0.2;
  double smoothing = 50;
  double cooling = 0;
  double tolerance = 1e-5;
  double iterations = 100;
  OnFailure on_failure = OnFailure::warn;
  double tracer_every = 4;
  double new_tracers = 0;
  Vec3d tracer_source = {};

  template <class V>
  void visit(V&& v) {
    v("support", support, Number{"spacings", 1.2, 4}, "radius within which particles interact");
    v("time_step", time_step, Number{"s", 1e-6, 0.1}, "longest step");
    v("relaxation", relaxation, Number{"", 0, 1},
      "share of an overlap that two particles take back in a step");
    v("smoothing", smoothing, Number{"1/s", 0, 1e6},
      "rate at which the velocities of neighbours approach each other");
    v("cooling", cooling, Number{"K/s", 0, 1e6}, "rate at which temperatures fall");
    v("tolerance", tolerance, Number{"", 1e-7, 1}, "of the smoothed velocities, relative");
    v("iterations", iterations, Number{"", 1, 1000}, "the most of one solve");
    v("on_failure", on_failure, Choice{"warn", "fail"},
      "what to do where a solve does not reach the tolerance");
    v("tracer_every", tracer_every, Number{"", 1, 1e6},
      "one tracer starts for each so many particles");
    v("new_tracers", new_tracers, Number{"", 0, 100}, "tracers that each step adds");
    v("tracer_source", tracer_source, Number{"m"}, "the place where they are added");
  }
};

}  // namespace panta::tracer_toy
