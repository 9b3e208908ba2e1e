// Parameters of the unified method, declared once (see scene/parameters.h).
#pragma once

#include "panta/scene/parameters.h"

namespace panta::unified {

struct Params {
  double support = 1.82;
  double time_step = 1.0 / 120;
  double substeps = 4;
  double iterations = 1;
  double relaxation = 1.2;
  double margin = 0.1;
  double collision_distance = 0.4;
  double friction = 0.5;
  double static_friction = 0.6;
  double contact_relaxation = 1;
  double shock_propagation = 0;
  double smoothing = 0.01;
  double vorticity = 0;
  double damping = 0;
  double max_speed = 0;
  double max_acceleration = 0;

  template <class V>
  void visit(V&& v) {
    v("support", support, Number{"spacings", 1.3, 4}, "radius h of the density kernel");
    v("time_step", time_step, Number{"s", 1e-6, 0.1}, "between two searches for neighbours");
    v("substeps", substeps, Number{"", 1, 64},
      "steps of the equations of motion between two searches, a whole number");
    v("iterations", iterations, Number{"", 1, 200},
      "of the constraint solver in a substep, a whole number");
    v("relaxation", relaxation, Number{"", 0, 1.33, true},
      "omega of eq. 13, as a share of what the stiffest pattern of particles can take");
    v("margin", margin, Number{"spacings", 0, 1}, "added to the radius of the search");
    v("collision_distance", collision_distance, Number{"spacings", 0, 1},
      "particles of liquids stay this far from walls");
    v("friction", friction, Number{"", 0, 10},
      "kinetic, between grains and bodies: mu_k of eq. 24");
    v("static_friction", static_friction, Number{"", 0, 10}, "mu_s of eq. 24");
    v("contact_relaxation", contact_relaxation, Number{"", 0, 2, true},
      "omega of eq. 13 for contacts, whose corrections are averaged");
    v("shock_propagation", shock_propagation, Number{"1/m", 0, 20},
      "k of eq. 21: lower particles count as heavier in contacts");
    v("smoothing", smoothing, Number{"", 0, 0.5},
      "share of the neighbours' velocity taken over in each step (XSPH)");
    v("vorticity", vorticity, Number{"", 0, 100}, "strength of vorticity confinement");
    v("damping", damping, Number{"1/s", 0, 1e4}, "velocities decay at this rate");
    v("max_speed", max_speed, Number{"m/s", 0, 1e6}, "faster particles are slowed; 0: no limit");
    v("max_acceleration", max_acceleration, Number{"m/s2", 0, 1e9},
      "change of velocity by constraints that is let through; 0: no limit");
  }
};

}  // namespace panta::unified
