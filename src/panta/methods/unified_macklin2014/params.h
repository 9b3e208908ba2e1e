// Parameters of the unified method, declared once (see scene/parameters.h).
#pragma once

#include "panta/methods/unified_macklin2014/friction_by_velocity.h"
#include "panta/scene/parameters.h"
#include "panta/viscosity/params.h"

namespace panta::unified {

struct Params {
  double support = 1.82;
  double time_step = 0;
  double max_travel = 0;
  double substeps = 0;
  double iterations = 1;
  double relaxation = 1.2;
  double margin = 0.2;
  double collision_distance = 0.5;
  double friction = -1;
  double static_friction = -1;
  FrictionModel friction_model = FrictionModel::positions;
  ContactAveraging averaging = ContactAveraging::symmetric;
  double contact_iterations = 2;
  double contact_relaxation = 1;
  double restitution = 0;
  double cohesion = 0;
  double rolling = -1;
  double grain_size = 0;
  double size_spread = 0.1;
  double shock_propagation = 0;
  double stabilization = 1;
  double solid_pressure = 1;
  RigidVelocity rigid_velocity = RigidVelocity::momentum;
  double smoothing = 0.01;
  double vorticity = 0;
  double damping = 0;
  double free_surface_drag = 0;
  double sleep_speed = 0;
  double max_speed = 0;
  double max_acceleration = 0;
  ViscosityParams viscosity;

  template <class V>
  void visit(V&& v) {
    v("support", support, Number{"spacings", 1.3, 4}, "radius h of the density kernel");
    v("time_step", time_step, Number{"s", 0, 0.1},
      "the longest time between two searches for neighbours; 0: computed from depth, spacing and "
      "gravity, at most 1/120, and shorter while liquids are fast");
    v("max_travel", max_travel, Number{"spacings", 0, 100},
      "largest motion of particles in a step; it is shortened for this, to a quarter at most; 0: a "
      "fifth per substep if there are liquids and time_step is automatic, else no limit");
    v("substeps", substeps, Number{"", 0, 64},
      "steps of the equations of motion between two searches, a whole number; 0: 4, or as many as "
      "time_step needs for a liquid at most 2 % too dense");
    v("iterations", iterations, Number{"", 1, 200},
      "iterations of the constraint solver in a substep, a whole number");
    v("relaxation", relaxation, Number{"", 0, 1.33, true},
      "omega of eq. 13, relative to a bound of the largest eigenvalue");
    v("margin", margin, Number{"spacings", 0, 1}, "added to the radius of the search");
    v("collision_distance", collision_distance, Number{"spacings", 0, 1},
      "particles of liquids stay this far from walls");
    v("friction", friction, Number{"", -1, 10},
      "kinetic, between grains and bodies: mu_k of eq. 24; -1: 0.2 between grains, which do "
      "not rotate, and 0.5 for bodies");
    v("static_friction", static_friction, Number{"", -1, 10},
      "mu_s of eq. 24; -1: as friction if that is set, else 0.5 between grains and 0.6 "
      "for bodies");
    v("friction_model", friction_model, Choice{"positions", "velocities"},
      "positions: friction is solved with the contacts; velocities: sliding is damped once per "
      "step, as in older position-based dynamics, and slopes creep until they are flat");
    v("contact_iterations", contact_iterations, Number{"", 1, 200},
      "solves of the contacts in each iteration, a whole number");
    v("contact_relaxation", contact_relaxation, Number{"", 0, 2, true},
      "omega of eq. 13 for contacts, whose corrections are averaged");
    v("averaging", averaging, Choice{"local", "global", "symmetric"},
      "of contact corrections: local: divided by the number of contacts of the particle (eq. 12); "
      "global: not divided; symmetric: the masses are divided, which conserves momentum");
    v("restitution", restitution, Number{"", 0, 1},
      "coefficient of restitution of grains and bodies");
    v("cohesion", cohesion, Number{"Pa", 0, 1e6},
      "tensile strength of grains in contact: damp sand has 100 to 2000; 0: dry");
    v("rolling", rolling, Number{"", -1, 12},
      "grains with at most so many contacts roll: they have no friction with other grains; -1: 2, "
      "and 1 in two dimensions; 1: angular grains; 0: none roll, and chains of grains can "
      "stand upright");
    v("grain_size", grain_size, Number{"spacings", 0, 1.1},
      "mean diameter of grains at rest; 0: settling sand keeps its density, "
      "1.045, in two dimensions 1.03");
    v("size_spread", size_spread, Number{"", 0, 0.13},
      "diameters are within this share of their mean; equal grains in a plane crystallise");
    v("stabilization", stabilization, Number{"", 0, 100},
      "iterations at the start of a step that separate overlaps without giving speed (4.4); "
      "the first step of a run has 30");
    v("solid_pressure", solid_pressure, Number{"", 0, 2},
      "s of eq. 27: weight of particles of solids in the density of liquids");
    v("rigid_velocity", rigid_velocity, Choice{"momentum", "positions"},
      "velocity of bodies after a substep: momentum: conserves angular momentum; positions: "
      "difference of positions");
    v("shock_propagation", shock_propagation, Number{"1/m", 0, 20},
      "k of eq. 21: lower particles have a larger mass in contacts");
    v("smoothing", smoothing, Number{"", 0, 0.5},
      "factor of XSPH in each step: share of the neighbours' velocity");
    v("vorticity", vorticity, Number{"", 0, 100}, "strength of vorticity confinement");
    v("damping", damping, Number{"1/s", 0, 1e4}, "velocities decay at this rate");
    v("free_surface_drag", free_surface_drag, Number{"1/s", 0, 1e4},
      "damping of liquid at its surface, times the missing share of the density");
    v("sleep_speed", sleep_speed, Number{"m/s", 0, 100},
      "slower particles do not move (eq. 14); 0: no sleeping");
    v("max_speed", max_speed, Number{"m/s", 0, 1e6},
      "limit of the speed of particles; 0: no limit");
    v("max_acceleration", max_acceleration, Number{"m/s2", 0, 1e9},
      "limit of the acceleration by constraints; 0: no limit");
    viscosity.visit(v);
  }
};

}  // namespace panta::unified
